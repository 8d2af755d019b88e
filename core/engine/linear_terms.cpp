// A row times a column.
#include "engine/linear_terms.h"

namespace attn {
namespace {

std::vector<float> row_of(const AttentionResult& result, const LinearStage& stage,
                          const HeadAddress& head, std::size_t row) {
  if (stage.input) {
    std::vector<float> values(result.stage_shape(*stage.input).cols);
    if (!values.empty()) result.read(*stage.input, head, {row, 0, 1, values.size()}, values.data());
    return values;
  }
  const std::size_t width = stage.rows->extent(2);
  const float* first = stage.rows->data() + (head.sample * stage.rows->extent(1) + row) * width;
  return {first, first + width};
}

}  // namespace

LinearTerms linear_terms(const AttentionResult& result, Stage stage, const HeadAddress& head,
                         std::size_t row, std::size_t col) {
  LinearTerms sum;
  const AttentionProblem& problem = result.problem();
  const std::optional<LinearStage> linear = linear_stage(problem, stage, head.layer);
  if (!result.has(stage) || !linear || linear->weights->empty()) return sum;
  const std::size_t width = linear->weights->extent(1);
  const std::size_t own = head.head * linear->heads / problem.shape.heads;
  const std::size_t column = own * (width / linear->heads) + col;
  const std::vector<float> x = row_of(result, *linear, head, row);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float weight = linear->weights->values()[i * width + column];
    sum.terms.push_back({i, static_cast<double>(x[i]), static_cast<double>(weight)});
  }
  sum.has_bias = !linear->bias->empty();
  if (sum.has_bias) sum.bias = static_cast<double>(linear->bias->values()[column]);
  sum.input = linear->input_name;
  sum.matrix = linear->matrix_name;
  sum.bias_name = linear->bias_name;
  return sum;
}

}  // namespace attn
