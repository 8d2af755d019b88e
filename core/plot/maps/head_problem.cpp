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
  problem.shape.n_q = whole.shape.n_q;
  problem.shape.n_k = whole.shape.n_k;
  problem.shape.d_k = whole.shape.d_k;
  problem.shape.d_q = whole.shape.d_q;
  problem.shape.d_a = whole.shape.d_a;
  problem.shape.d_v = 1;
  problem.scoring = scoring_of_head(whole.scoring, head.head);
  problem.mask.causal_offset = {whole.mask.offset_of(head.sample)};
  problem.mask.visible = visible_table(result, head);
  problem.mask.bias = bias_table(result, head);
  problem.v = Tensor({1, 1, whole.shape.n_k, 1}, std::vector<float>(whole.shape.n_k));
  return problem;
}

}  // namespace attn
