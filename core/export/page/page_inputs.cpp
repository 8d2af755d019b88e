// Inputs and rules of attention as JSON; numbers are the base64 of 32-bit floats.
#include "export/page/page_inputs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "document/edit.h"
#include "export/svg.h"
#include "figure/colormap.h"

namespace attn {
namespace {

std::string packed(std::span<const float> numbers) {
  return base64_text({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

std::vector<std::string> spoken(const TokenList& labels) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < labels.size(); ++i) texts.push_back(labels.spoken(i));
  return texts;
}

// All editable tensors but the table of relative biases, which belongs to the mask.
TensorList inputs_of(const Document& document) {
  TensorList list = editable_tensors(document);
  std::erase_if(list, [](const auto& info) { return info.path.ends_with("_buckets/table"); });
  return list;
}

Json input_of(const Document& document, const TensorInfo& info) {
  const MatrixRef first{info.path, {}};
  const HeadAddress counts = counts_of(info);
  Json row_names = Json::array();
  for (MatrixRef ref = first; ref.at.sample < counts.sample; ++ref.at.sample) {
    row_names.push_back(spoken(row_labels(document, ref)));
  }
  return {{"path", info.path},
          {"label", info.label},
          {"counts", {counts.layer, counts.sample, counts.head}},
          {"rows", matrix_of(document, first).rows},
          {"rowNames", std::move(row_names)},
          {"colNames", spoken(column_labels(document, first))},
          {"values", packed(info.tensor->values())}};
}

// Returns the lines that hatch each cell, 0 for visible ones, the numbers added to the scores, and
// the position of the first query.
Json mask_of_head(const AttentionProblem& problem, const HeadAddress& at) {
  std::string hidden;
  std::vector<float> bias;
  const AttentionShape& s = problem.shape;
  for (std::size_t i = 0; i < s.n_q * s.n_k; ++i) {
    const std::size_t q = i / s.n_k, k = i % s.n_k;
    hidden += static_cast<char>('0' + hatch_lines(hidden_by(problem.mask, at, q, k)));
    if (has_bias(problem.mask)) bias.push_back(bias_at(problem.mask, at, q, k));
  }
  return {hidden, packed(bias), problem.mask.offset_of(at.sample)};
}

// Angles by which pairs of columns turn from one position to the next.
std::vector<double> frequencies_of(const Position& position, const AttentionShape& shape) {
  const std::size_t width = rotary_width(position, shape.d_k);
  std::vector<double> frequencies;
  for (std::size_t pair = 0; is_turned(position) && pair < width / 2; ++pair) {
    frequencies.push_back(rope_frequency(position, pair, width));
  }
  return frequencies;
}

}  // namespace

std::string_view why_not_in_page(const Document& document, const AttentionProblem& problem) {
  if (problem.kind == &kWeightsProblems) return "weights";
  if (problem.kind != &kQkvProblems && problem.kind != &kLayerProblems) return "kind";
  if (!problem.what_if.patterns.empty()) return "pattern";
  const AttentionShape& s = problem.shape;
  if (element_count({s.layers, s.samples, s.heads, s.n_q, s.n_k}) > kMostWeightsOfPage)
    return "size";
  std::size_t count = 0;
  for (const TensorInfo& info : inputs_of(document)) {
    if ((count += info.tensor->size()) > kMostInputsOfPage) return "size";
    const auto is_finite = [](float number) { return std::isfinite(number); };
    if (!std::ranges::all_of(info.tensor->values(), is_finite)) return "finite";
  }
  return "";
}

Json inputs_of_page(const Document& document, const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  const Scoring& by = problem.scoring;
  const Position& position = problem.position;
  Json json{{"shape", {s.layers, s.samples, s.heads, s.kv_heads, s.n_q, s.n_k}},
            {"layerNumbers", s.layer_numbers},
            {"function", scoring_info(by.function).name},
            {"normaliser", normaliser_info(by.normaliser).name},
            {"sinks", by.sinks},
            {"gates", gates_of(problem.what_if, {}, s.heads)},
            {"scale", scale_of(problem)},
            {"softcap", by.softcap.value_or(0.0F)},
            {"temperature", by.temperature.value_or(1.0F)},
            {"position", position_info(position.kind).name},
            {"halves", position.layout == PositionLayout::Halves},
            {"base", position.base},
            {"rotary", position.rotary_dim},
            {"frequencies", frequencies_of(position, s)},
            {"gain", rope_gain(position)},
            {"eps", problem.stack.eps}};
  for (const TensorInfo& info : inputs_of(document)) {
    json["inputs"].push_back(input_of(document, info));
  }
  for (std::size_t i = 0; i < s.layers * s.samples * s.heads; ++i) {
    const std::size_t layer = i / s.heads / s.samples, sample = i / s.heads % s.samples;
    json["masks"].push_back(mask_of_head(problem, {layer, sample, i % s.heads}));
  }
  return json;
}

}  // namespace attn
