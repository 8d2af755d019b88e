// From a name of the command line or the window to the document that it stands for.
#include "document/open.h"

#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_stream.h"
#include "base/embedded_assets.h"
#include "document/load/foreign_format.h"
#include "document/load/tensor_file.h"
#include "text/nearest.h"

namespace attn {
namespace {

// Teaching order; those of a group stand together. A test compares it with the files of
// assets/examples.
struct ExampleRow {
  std::string_view name, group;
};
constexpr ExampleRow kExamples[] = {
    {"i-love-cats", "First steps"},
    {"translation-alignment", "First steps"},
    {"random-batch", "First steps"},
    {"the-animal-was-tired", "First steps"},
    {"pytorch-layer", "First steps"},
    {"why-sqrt-dk", "Scoring functions"},
    {"luong-general", "Scoring functions"},
    {"luong-concat", "Scoring functions"},
    {"luong-location", "Scoring functions"},
    {"additive-bahdanau", "Scoring functions"},
    {"sparsemax-vs-softmax", "Normalisers and sinks"},
    {"sigmoid", "Normalisers and sinks"},
    {"temperature-softcap", "Normalisers and sinks"},
    {"attention-sinks", "Normalisers and sinks"},
    {"causal-decoder", "Masks"},
    {"padding-batch", "Masks"},
    {"sliding-window", "Masks"},
    {"prefix-lm", "Masks"},
    {"packed-documents", "Masks"},
    {"mask-and-bias", "Masks"},
    {"sinusoidal-positions", "Positions"},
    {"learned-positions", "Positions"},
    {"rope", "Positions"},
    {"alibi", "Positions"},
    {"t5-relative", "Positions"},
    {"four-heads", "Heads and measures"},
    {"induction-head", "Heads and measures"},
    {"grouped-query", "Heads and measures"},
    {"multi-query", "Heads and measures"},
    {"transformer-blocks", "Transformer blocks"},
    {"todays-block", "Transformer blocks"},
    {"rollout", "Transformer blocks"},
    {"cross-attention-fr-en", "Cross-attention and decoders"},
    {"cross-attention-own-widths", "Cross-attention and decoders"},
    {"transformer-decoder", "Cross-attention and decoders"},
    {"encoder-decoder", "Encoder–decoders"},
    {"encoder-decoder-luong", "Encoder–decoders"},
    {"long-window", "Long sequences"},
    {"cost-of-attention", "Long sequences"},
};

std::string_view asset_named(const std::string& name) {
  for (const EmbeddedAsset& asset : embedded_assets()) {
    if (asset.name == name) return asset.bytes;
  }
  return {};
}

std::vector<Example> load_examples() {
  std::vector<Example> examples;
  for (const ExampleRow& row : kExamples) {
    const std::string name(row.name);
    const std::string_view json = asset_named("examples/" + name + ".attn.json");
    if (json.empty()) continue;
    Example example{row.name, row.group, json, {}, {}};
    if (const auto report = read_document(json, name)) {
      example.title = report->document.title;
      example.description = report->document.description;
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

Error no_example(const std::string& path) {
  const std::string_view name = std::string_view(path).substr(kExamplePrefix.size());
  std::vector<std::string_view> names;
  for (const ExampleRow& row : kExamples) names.push_back(row.name);
  const std::string_view meant = nearest(name, names);
  Error error;
  error.kind = ErrorKind::BadInput;
  error.file = path;
  error.message = "there is no such example";
  error.found = "\"" + std::string(name) + "\"";
  for (const std::string_view known : names) {
    error.expected += (error.expected.empty() ? "one of " : ", ") + std::string(known);
  }
  if (!meant.empty())
    error.hint = "did you mean " + std::string(kExamplePrefix) + std::string(meant) + "?";
  return error;
}

bool is_example(const DocumentFile& file) { return file.source.name.starts_with(kExamplePrefix); }

// What loaders throw where there is no memory for what they read.
Error no_memory_for(const DocumentFile& file) {
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  error.file = file.source.name;
  error.message = "there is not enough memory to open this document";
  error.hint = "use a smaller document";
  return error;
}

Reading read_within_memory(const DocumentFile& file) {
  try {
    return file.loader->read(file.source, file.options);
  } catch (const std::bad_alloc&) {
    return {{}, {no_memory_for(file)}};
  } catch (const std::length_error&) {
    return {{}, {no_memory_for(file)}};
  }
}

Result<DocumentFile> found(LoadSource source, ReadOptions options) {
  const Result<std::string_view> start = source.bytes->peek(kSniffBytes);
  if (!start) return start.error();
  if (std::optional<Error> foreign = foreign_format(*start, source.name))
    return *std::move(foreign);
  const Loader& loader = loader_for(*start, source.name);
  return DocumentFile{std::move(source), std::move(options), &loader};
}

Result<DocumentFile> find_example(const std::string& path, const ReadOptions& options) {
  const std::string_view name = std::string_view(path).substr(kExamplePrefix.size());
  for (const Example& example : all_examples()) {
    if (example.name == name) {
      return found({path, std::make_shared<ByteStream>(example.json)}, options);
    }
  }
  return no_example(path);
}

Result<DocumentFile> find_path(const std::string& path, ReadOptions options) {
  options.folder = folder_of(path);
  Result<std::shared_ptr<ByteStream>> bytes =
      ByteStream::open(path, {options.memory_limit_bytes, options.progress});
  if (!bytes) return bytes.error();
  return found({path, *std::move(bytes)}, std::move(options));
}

}  // namespace

std::span<const Example> all_examples() {
  static const std::vector<Example> kLoaded = load_examples();
  return kLoaded;
}

std::string example_path(const Example& example) {
  return std::string(kExamplePrefix) + std::string(example.name);
}

std::string first_example() { return example_path(all_examples().front()); }

Result<DocumentFile> find_document(const std::string& path, const ReadOptions& options) {
  return path.starts_with(kExamplePrefix) ? find_example(path, options) : find_path(path, options);
}

Reading read_document(const DocumentFile& file) {
  Reading reading = read_within_memory(file);
  reading.report.is_read_once = !file.source.bytes->is_regular_file() && !is_example(file);
  reading.report.is_saved_back = file.loader->is_document_format && !reading.report.is_read_once;
  return reading;
}

Result<ReadReport> open_document(const std::string& path, const ReadOptions& options) {
  const Result<DocumentFile> file = find_document(path, options);
  if (!file) return file.error();
  Reading reading = read_document(*file);
  if (!reading.errors.empty()) return std::move(reading.errors.front());
  return std::move(reading.report);
}

}  // namespace attn
