// Summands of scores and of linear maps.
#include "engine/terms.h"

#include <cmath>

#include "base/special_numbers.h"
#include "engine/kernels/normalise.h"
#include "engine/kernels/score.h"

namespace attn {

std::vector<float> cells_of_stage(const AttentionResult& result, Stage stage,
                                  const HeadAddress& head, const CellRange& range) {
  std::vector<float> cells(range.rows * range.cols);
  if (!cells.empty()) result.read(stage, head, range, cells.data());
  return cells;
}

std::vector<float> row_of_stage(const AttentionResult& result, Stage stage, const HeadAddress& head,
                                std::size_t row) {
  return cells_of_stage(result, stage, head, {row, 0, 1, result.stage_shape(stage, head).cols});
}

// True if a lesson conceals the number, which its summands would give away.
bool conceals_cell(const AttentionResult& result, Stage stage, const HeadAddress& head,
                   std::size_t row, std::size_t col) {
  return result.conceals(stage, head) && is_concealed(result.value(stage, head, row, col));
}

std::vector<ScoreTerm> score_terms(const AttentionResult& result, const HeadAddress& head,
                                   std::size_t q, std::size_t k) {
  const AttentionProblem& problem = result.problem();
  const Stage queries = query_stage(problem, head), keys = key_stage(problem, head);
  if (!result.has(queries, head) || !result.has(keys, head)) return {};
  if (conceals_cell(result, Stage::Scores, head, q, k)) return {};
  const VectorPair factors = scoring_kernels(problem.scoring.function)
                                 .factors({problem.scoring, head.head, k},
                                          doubles_of(row_of_stage(result, queries, head, q)),
                                          doubles_of(row_of_stage(result, keys, head, k)));
  std::vector<ScoreTerm> terms;
  for (Eigen::Index i = 0; i < factors.left.size(); ++i) {
    terms.push_back({static_cast<std::size_t>(i), factors.left[i], factors.right[i]});
  }
  return terms;
}

float weight_with_score(const AttentionProblem& problem, const HeadAddress& head,
                        const RowOfLogits& row, double score) {
  double logit = score * static_cast<double>(scale_of(problem));
  if (problem.scoring.softcap) {
    const auto cap = static_cast<double>(*problem.scoring.softcap);
    logit = cap * std::tanh(logit / cap);
  }
  std::vector<float> weights(row.logits.begin(), row.logits.end());
  weights[row.col] = static_cast<float>(logit + row.bias);
  normalise_row(problem.scoring, head.head, weights, row.hidden, weights);
  return weights[row.col];
}

LinearTerms linear_terms(const AttentionResult& result, Stage stage, const HeadAddress& head,
                         std::size_t row, std::size_t col) {
  LinearTerms sum;
  const AttentionProblem& problem = result.problem();
  const std::optional<LinearStage> linear = linear_stage(problem, stage, head);
  if (!result.has(stage, head) || !linear || linear->weights->empty()) return sum;
  if (conceals_cell(result, stage, head, row, col)) return sum;
  const std::size_t width = linear->weights->extent(1);
  const std::size_t own = head.head * linear->heads / problem.shape.heads;
  const std::size_t column = own * (width / linear->heads) + col;
  const auto given = [&] {
    const std::span<const float> x = matrix_at(*linear->rows, head.sample).row(row);
    return std::vector<float>(x.begin(), x.end());
  };
  std::vector<float> x = linear->input ? row_of_stage(result, *linear->input, head, row) : given();
  for (std::size_t i = 0; i < x.size() && !linear->gates.empty(); ++i) {
    x[i] *= linear->gates[i * linear->gates.size() / x.size()];
  }
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
