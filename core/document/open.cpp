// From a name of the command line or the window to the document that it stands for.
#include "document/open.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/embedded_assets.h"
#include "base/files.h"
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

DocumentFile found(LoadSource source, ReadOptions options, std::string_view start) {
  const Loader& loader = loader_for(start, source.name);
  return {std::move(source), std::move(options), &loader};
}

Result<DocumentFile> find_example(const std::string& path, const ReadOptions& options) {
  const std::string_view name = std::string_view(path).substr(kExamplePrefix.size());
  for (const Example& example : all_examples()) {
    if (example.name == name) {
      return found({path, std::string(example.json)}, options, example.json);
    }
  }
  return no_example(path);
}

// What may be asked for only once, such as a pipe, is read now, the rest by its loader.
Result<DocumentFile> find_path(const std::string& path, ReadOptions options) {
  options.folder = folder_of(path);
  if (is_regular_file(path)) {
    const Result<std::string> start = read_start_of_file(path, kSniffBytes);
    if (!start) return start.error();
    return found({path, std::nullopt}, std::move(options), *start);
  }
  Result<std::string> bytes = read_file(path, options.memory_limit_bytes);
  if (!bytes) return bytes.error();
  const std::string start = bytes->substr(0, kSniffBytes);
  return found({path, *std::move(bytes)}, std::move(options), start);
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

Result<ReadReport> read_document(const DocumentFile& file) {
  Result<ReadReport> report = file.loader->read(file.source, file.options);
  if (report) report->is_saved_back = file.loader->is_document_format;
  return report;
}

std::vector<Error> validate_document(const DocumentFile& file) {
  return file.loader->check(file.source, file.options);
}

Result<ReadReport> open_document(const std::string& path, const ReadOptions& options) {
  const Result<DocumentFile> file = find_document(path, options);
  if (!file) return file.error();
  return read_document(*file);
}

}  // namespace attn
