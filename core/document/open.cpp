// From a name of the command line or the window to the document that it stands for.
#include "document/open.h"

#include <string_view>
#include <vector>

#include "base/embedded_assets.h"
#include "base/files.h"
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

Result<ReadReport> open_example(const std::string& path, const ReadOptions& options) {
  const std::string_view name = std::string_view(path).substr(kExamplePrefix.size());
  for (const Example& example : all_examples()) {
    if (example.name == name) return read_document(example.json, path, options);
  }
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

}  // namespace

std::span<const Example> all_examples() {
  static const std::vector<Example> kExamples = load_examples();
  return kExamples;
}

Result<ReadReport> open_document(const std::string& path, const ReadOptions& options) {
  if (path.starts_with(kExamplePrefix)) return open_example(path, options);
  const Result<std::string> text = read_file(path, options.memory_limit_bytes);
  if (!text) return text.error();
  Result<ReadReport> report = read_document(*text, path, options);
  if (report) report->version = version_of(*text);
  return report;
}

}  // namespace attn
