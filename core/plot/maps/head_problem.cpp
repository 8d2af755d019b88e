// Cuts one head out of a result, with its mask and biases, as a problem to vary.
#include "plot/maps/head_problem.h"

#include <algorithm>

namespace attn {
namespace {

Tensor bias_table(const AttentionResult& result, const HeadAddress& head) {
  const AttentionShape& s = result.shape();
  const Mask& mask = result.problem().mask;
  if (!has_bias(mask)) return {};
  std::vector<float> values(s.n_q * s.n_k);
  for (std::size_t q = 0; q < s.n_q; ++q) {
    bias_row(mask, head, q, std::span(values).subspan(q * s.n_k, s.n_k));
  }
  return Tensor({s.n_q, s.n_k}, std::move(values));
}

BoolTensor visible_table(const AttentionResult& result, const HeadAddress& head) {
  const std::vector<HiddenRules> hidden = hidden_cells(result, head);
  if (hidden.empty()) return {};
  std::vector<std::uint8_t> visible(hidden.size());
  std::ranges::transform(hidden, visible.begin(), [](HiddenRules rules) {
    return static_cast<std::uint8_t>(rules == kVisible ? 1 : 0);
  });
  return BoolTensor({result.shape().n_q, result.shape().n_k}, std::move(visible));
}

// Of one head, whose values are one column.
AttentionShape lengths_and_widths(const AttentionShape& whole) {
  AttentionShape shape;
  shape.n_q = whole.n_q;
  shape.n_k = whole.n_k;
  shape.d_k = whole.d_k;
  shape.d_q = whole.d_q;
  shape.d_a = whole.d_a;
  shape.d_v = 1;
  return shape;
}

// `matrix` of (heads, …) without its first axis.
Tensor of_head(const Tensor& tensor, std::size_t matrix_rank, std::size_t head) {
  if (tensor.rank() <= matrix_rank) return tensor;
  Shape shape(tensor.shape().begin() + 1, tensor.shape().end());
  const std::size_t size = element_count(shape);
  const float* from = tensor.data() + head * size;
  return Tensor(std::move(shape), std::vector<float>(from, from + size));
}

}  // namespace

std::vector<HiddenRules> hidden_cells(const AttentionResult& result, const HeadAddress& head) {
  const AttentionShape& s = result.shape();
  if (!can_hide(result.problem().mask)) return {};
  std::vector<HiddenRules> hidden(s.n_q * s.n_k);
  for (std::size_t q = 0; q < s.n_q; ++q) {
    hidden_row(result.problem().mask, head, q, std::span(hidden).subspan(q * s.n_k, s.n_k));
  }
  return hidden;
}

Scoring scoring_of_head(const Scoring& scoring, std::size_t head) {
  Scoring own = scoring;
  own.w = of_head(scoring.w, 2, head);
  own.w_query = of_head(scoring.w_query, 2, head);
  own.w_key = of_head(scoring.w_key, 2, head);
  own.v = of_head(scoring.v, 1, head);
  own.b = of_head(scoring.b, 1, head);
  if (scoring.sinks.size() > 1) own.sinks = {scoring.sinks[head]};
  return own;
}

Tensor stage_tensor(const AttentionResult& result, Stage stage, const HeadAddress& head) {
  const StageShape shape = result.stage_shape(stage);
  std::vector<float> values(shape.rows * shape.cols);
  result.read(stage, head, {0, 0, shape.rows, shape.cols}, values.data());
  return Tensor({1, 1, shape.rows, shape.cols}, std::move(values));
}

AttentionProblem surroundings_of(const AttentionResult& result, const HeadAddress& head) {
  const AttentionProblem& whole = result.problem();
  AttentionProblem problem;
  problem.shape = lengths_and_widths(whole.shape);
  problem.scoring = scoring_of_head(whole.scoring, head.head);
  problem.mask.causal_offset = {whole.mask.offset_of(head.sample)};
  problem.mask.visible = visible_table(result, head);
  problem.mask.bias = bias_table(result, head);
  problem.v = Tensor({1, 1, whole.shape.n_k, 1}, std::vector<float>(whole.shape.n_k));
  return problem;
}

std::uint64_t what_if_bytes(const AttentionResult& result, const Scoring& scoring) {
  const AttentionProblem& whole = result.problem();
  AttentionProblem outline;
  outline.shape = lengths_and_widths(whole.shape);
  outline.scoring = scoring;
  outline.mask = whole.mask;
  outline.position = position_of(whole);
  const StageShape cells{whole.shape.n_q, whole.shape.n_k};
  // Hidden rules and what is visible, a byte each; biases and the weights that are kept.
  const std::uint64_t of_a_cell = 2 + (has_bias(whole.mask) ? 2 : 1) * sizeof(float);
  const std::uint64_t tables = element_count({cells.rows, cells.cols, of_a_cell});
  const std::uint64_t computing = predicted_bytes(outline);
  return tables > UINT64_MAX - computing ? UINT64_MAX : tables + computing;
}

}  // namespace attn
