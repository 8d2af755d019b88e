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
#include "document/load/tensor_file.h"
#include "document/nearest.h"

namespace attn {
namespace {

// Teaching order. A test compares it with the files of assets/examples.
constexpr std::string_view kExampleNames[] = {
    "i-love-cats",
    "why-sqrt-dk",
    "translation-alignment",
    "random-batch",
    "the-animal-was-tired",
    "four-heads",
    "induction-head",
    "causal-decoder",
    "padding-batch",
    "cross-attention-fr-en",
    "mask-and-bias",
    "additive-bahdanau",
    "luong-general",
    "luong-concat",
    "luong-location",
    "sparsemax-vs-softmax",
    "sigmoid",
    "temperature-softcap",
    "attention-sinks",
    "sliding-window",
    "prefix-lm",
    "packed-documents",
    "sinusoidal-positions",
    "learned-positions",
    "rope",
    "transformer-blocks",
    "transformer-decoder",
    "todays-block",
    "rollout",
    "encoder-decoder",
    "encoder-decoder-luong",
    "alibi",
    "t5-relative",
    "grouped-query",
    "multi-query",
    "cost-of-attention",
    "cross-attention-own-widths",
    "pytorch-layer",
};

std::string_view asset_named(const std::string& name) {
  for (const EmbeddedAsset& asset : embedded_assets()) {
    if (asset.name == name) return asset.bytes;
  }
  return {};
}

std::vector<Example> load_examples() {
  std::vector<Example> examples;
  for (const std::string_view name : kExampleNames) {
    const std::string_view json = asset_named("examples/" + std::string(name) + ".attn.json");
    if (json.empty()) continue;
    Example example{name, json, {}, {}};
    if (const auto report = read_document(json, std::string(name))) {
      example.title = report->document.title;
      example.description = report->document.description;
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

Error no_example(const std::string& path) {
  const std::string_view name = std::string_view(path).substr(kExamplePrefix.size());
  const std::string_view meant = nearest(name, kExampleNames);
  Error error;
  error.kind = ErrorKind::BadInput;
  error.file = path;
  error.message = "there is no such example";
  error.found = "\"" + std::string(name) + "\"";
  for (const std::string_view known : kExampleNames) {
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
  static const std::vector<Example> kExamples = load_examples();
  return kExamples;
}

std::string first_example() {
  return std::string(kExamplePrefix) + std::string(all_examples().front().name);
}

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
