// Resolution of names from the command line or the window to documents.
#include "document/load/open.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/embedded_assets.h"
#include "base/joined.h"
#include "base/utf8.h"
#include "document/folder/folder.h"
#include "document/json/document_text.h"
#include "document/tensors/tensor_file.h"
#include "text/nearest.h"

namespace attn {
namespace {

// True if the user's language is Chinese.
bool prefers_chinese() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return std::string_view(value).starts_with("zh");
  }
  return false;
}

// Teaching order by group. A test compares it with assets/examples and assets/lessons.
struct ExampleGroup {
  std::string_view group;
  std::vector<std::string_view> names;
};
std::vector<ExampleGroup> make_groups() {
  std::vector<ExampleGroup> groups = {
      {"Models that read your sentence", {"what-it-means", "who-was-hungry"}},
      {"Lessons",
       {"lesson-what-attention-computes", "lesson-why-divide-by-sqrt-dk",
        "lesson-softmax-temperature-sparsemax", "lesson-masks-and-minus-infinity",
        "lesson-from-bottleneck-to-alignment", "lesson-luongs-scores", "lesson-many-heads",
        "lesson-positions-sinusoidal-to-rotary", "lesson-a-transformer-block",
        "lesson-reading-a-models-heads", "lesson-a-model-reads-your-sentence",
        "lesson-which-head-knows-it"}},
      {"First steps",
       {"i-love-cats", "translation-alignment", "random-batch", "the-animal-was-tired",
        "pytorch-layer"}},
      {"Scoring functions",
       {"why-sqrt-dk", "luong-general", "luong-concat", "luong-location", "additive-bahdanau"}},
      {"Normalisers and sinks",
       {"sparsemax-vs-softmax", "sigmoid", "temperature-softcap", "attention-sinks"}},
      {"Masks",
       {"causal-decoder", "padding-batch", "sliding-window", "prefix-lm", "packed-documents",
        "mask-and-bias"}},
      {"Positions", {"sinusoidal-positions", "learned-positions", "rope", "alibi", "t5-relative"}},
      {"Heads and measures",
       {"four-heads", "induction-head", "trained-transformer", "grouped-query", "multi-query"}},
      {"Transformer blocks", {"transformer-blocks", "todays-block", "rollout"}},
      {"Cross-attention and decoders",
       {"cross-attention-fr-en", "cross-attention-own-widths", "transformer-decoder"}},
      {"Encoder–decoders", {"encoder-decoder", "encoder-decoder-luong"}},
      {"Long sequences", {"long-window", "cost-of-attention"}},
      {"课程 (lessons in Chinese)",
       {"lesson-what-attention-computes.zh", "lesson-why-divide-by-sqrt-dk.zh",
        "lesson-softmax-temperature-sparsemax.zh", "lesson-masks-and-minus-infinity.zh",
        "lesson-from-bottleneck-to-alignment.zh", "lesson-luongs-scores.zh", "lesson-many-heads.zh",
        "lesson-positions-sinusoidal-to-rotary.zh", "lesson-a-transformer-block.zh",
        "lesson-reading-a-models-heads.zh", "lesson-a-model-reads-your-sentence.zh",
        "lesson-which-head-knows-it.zh"}},
  };
  if (prefers_chinese()) std::rotate(groups.begin() + 1, groups.end() - 1, groups.end());
  return groups;
}

const std::vector<ExampleGroup>& example_groups() {
  static const std::vector<ExampleGroup> kGroups = make_groups();
  return kGroups;
}

std::string_view text_of_example(std::string_view name) {
  const std::string file = std::string(name) + ".attn.json";
  const std::string_view text = asset_named("examples/" + file);
  return text.empty() ? asset_named("lessons/" + file) : text;
}

std::vector<Example> load_examples() {
  std::vector<Example> examples;
  for (const auto& [group, names] : example_groups()) {
    for (const std::string_view name : names) {
      const std::string_view json = text_of_example(name);
      if (json.empty()) continue;
      JsonReader reader(json, {});
      DocumentText text;
      read_document_text(reader.root(), text);
      examples.push_back(
          {name, group, json, text.title.value_or(""), text.description.value_or("")});
    }
  }
  return examples;
}

Error no_example(const std::string& path) {
  const std::string_view name = std::string_view(path).substr(kExamplePrefix.size());
  std::vector<std::string_view> names;
  for (const ExampleGroup& group : example_groups()) {
    names.insert(names.end(), group.names.begin(), group.names.end());
  }
  const std::string_view meant = nearest(name, names);
  Error error{.kind = ErrorKind::BadInput,
              .message = "there is no such example",
              .file = path,
              .found = "\"" + std::string(name) + "\"",
              .expected = "one of " + joined(names)};
  if (!meant.empty())
    error.hint = "did you mean " + std::string(kExamplePrefix) + std::string(meant) + "?";
  return error;
}

// Error for std::bad_alloc thrown by loaders.
Error no_memory_for(const DocumentFile& file) {
  return Error{.kind = ErrorKind::OverMemoryLimit,
               .message = "there is not enough memory to open this document",
               .file = file.name,
               .hint = "use a smaller document"};
}

Reading read_within_memory(const DocumentFile& file) {
  try {
    return file.loader->read(file);
  } catch (const std::bad_alloc&) {
    return {.errors = {no_memory_for(file)}};
  } catch (const std::length_error&) {
    return {.errors = {no_memory_for(file)}};
  }
}

// Rejects --arrays for files without arrays.
Reading no_arrays(const DocumentFile& file) {
  return {.errors = {{.kind = ErrorKind::BadInput,
                      .message = "--arrays is for files of arrays and tables, and this is neither",
                      .file = file.name,
                      .hint = "leave out --arrays for it"}}};
}

Result<DocumentFile> found(DocumentFile file) {
  const Result<std::string_view> start = file.bytes->peek(kSniffBytes);
  if (!start) return start.error();
  if (std::optional<Error> foreign = foreign_format(*start, file.name)) return *std::move(foreign);
  file.loader = &loader_for(*start, file.name);
  return file;
}

Result<DocumentFile> find_example(const std::string& path, const ReadOptions& options) {
  const std::string_view name = std::string_view(path).substr(kExamplePrefix.size());
  const auto all = all_examples();
  const auto example = std::ranges::find(all, name, &Example::name);
  if (example == all.end()) return no_example(path);
  return found({path, std::make_shared<ByteStream>(example->json), options});
}

// The folder of a model, as the document that names it.
DocumentFile model_in(const std::string& folder, ReadOptions options) {
  constexpr std::string_view kText = R"({"model": {"folder": "."}})";
  options.folder = folder_of(folder + "/config.json");
  return {folder, std::make_shared<ByteStream>(kText), std::move(options)};
}

// The folder of a file that only says something together with the others of its model; else empty.
std::string whole_model_of(const std::string& path) {
  const std::string folder = model_folder_of(path);
  return is_file_of_model(path, folder) ? folder : "";
}

Error no_model_in(const std::string& folder) {
  return Error{.kind = ErrorKind::BadInput,
               .message = "this folder is no model",
               .file = folder,
               .found = "no config.json",
               .expected = "config.json, model.safetensors and a tokenizer, as libraries save them",
               .hint =
                   "open a file of the folder, or record the model with attnscope.record in "
                   "Python"};
}

Result<DocumentFile> find_packaged(const std::string& name, ReadOptions options) {
  const Result<std::string> folder = packaged_folder(name);
  if (!folder) {
    Error error = folder.error();
    error.pointer.clear();
    error.file = name;
    return error;
  }
  DocumentFile file = model_in(*folder, std::move(options));
  file.name = name;
  return found(std::move(file));
}

Result<DocumentFile> find_path(const std::string& path, ReadOptions options) {
  const std::string model = is_model_folder(path) ? path : whole_model_of(path);
  if (!model.empty()) return found(model_in(model, std::move(options)));
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return no_model_in(path);
  options.folder = folder_of(path);
  Result<std::shared_ptr<ByteStream>> bytes =
      ByteStream::open(path, {.limit_bytes = options.memory_limit_bytes,
                              .progress = options.progress,
                              .opens_any_size = true});
  if (!bytes) {
    Error error = bytes.error();
    const bool is_word = path.find_first_of("/.") == path.npos;
    if (is_word && !std::filesystem::exists(path, failed)) {
      error.hint = "check the spelling; a model is named by its folder, and nothing is downloaded";
    }
    return error;
  }
  return found({path, *std::move(bytes), std::move(options)});
}

}  // namespace

std::span<const Example> all_examples() {
  static const std::vector<Example> kLoaded = load_examples();
  return kLoaded;
}

std::string example_path(const Example& example) {
  return std::string(kExamplePrefix) + std::string(example.name);
}

std::string first_lesson() {
  return example_path(*std::ranges::find_if(
      all_examples(), [](const Example& example) { return example.name.starts_with("lesson-"); }));
}

std::optional<std::string> lesson_after(const std::string& path) {
  const auto all = all_examples();
  const auto at = std::ranges::find(all, path, example_path);
  if (at == all.end() || at + 1 == all.end() || at[1].group != at->group) return std::nullopt;
  return example_path(at[1]);
}

std::string first_example() { return std::string(kExamplePrefix) + "i-love-cats"; }

Result<DocumentFile> find_document(const std::string& path, const ReadOptions& options) {
  if (path.starts_with(kExamplePrefix)) return find_example(path, options);
  return path.starts_with(kModelPrefix) ? find_packaged(path, options) : find_path(path, options);
}

Reading read_document(const DocumentFile& file) {
  if (file.loader->is_document_format && !file.options.arrays.empty()) return no_arrays(file);
  constexpr std::size_t kLongestNote = 10'000;  // it may quote names of any length
  Reading reading = read_within_memory(file);
  for (std::string& note : reading.notes) note = cut_to_ends(note, kLongestNote);
  const bool is_folder = is_model_folder(file.name) || file.name.starts_with(kModelPrefix);
  for (Error& error : reading.errors) {
    if (!is_folder || error.file != file.name) continue;
    error.pointer.clear();  // places of model_in(), a text that is in no file
    error.line = error.column = 0;
  }
  reading.is_read_once =
      !file.bytes->is_regular_file() && !file.name.starts_with(kExamplePrefix) && !is_folder;
  reading.is_saved_back = file.loader->is_document_format && !reading.is_read_once && !is_folder;
  return reading;
}

Result<Reading> open_document(const std::string& path, const ReadOptions& options) {
  const Result<DocumentFile> file = find_document(path, options);
  if (!file) return file.error();
  Reading reading = read_document(*file);
  if (!reading.errors.empty()) return std::move(reading.errors.front());
  return reading;
}

}  // namespace attn
