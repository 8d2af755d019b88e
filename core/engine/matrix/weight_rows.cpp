// Reads what some rows of weights reach.
#include "engine/matrix/weight_rows.h"

#include <algorithm>

namespace attn {

KeySpan keys_reached(const AttentionProblem& problem, const HeadAddress& head,
                     const RowSpan& rows) {
  const std::size_t n_k = problem.shape.n_k;
  if (!has_scores(problem)) return {0, n_k};
  return reachable_keys(problem.mask, head.sample, rows, n_k);
}

std::size_t rows_at_once(const AttentionShape& shape, std::size_t rows) {
  constexpr std::size_t kCells = std::size_t{1} << 19U;
  const std::size_t most = kCells / std::max<std::size_t>(shape.n_k, 1);
  return std::clamp<std::size_t>(most, 1, std::max<std::size_t>(rows, 1));
}

std::uint64_t steps_to_read_weights(const AttentionResult& result, std::size_t rows) {
  constexpr std::uint64_t kMultiplyAddsOfAStep = 60, kPasses = 2;  // for their sums, then for them
  if (result.range(Stage::Weights, {})) return 0;
  const AttentionShape& s = result.shape();
  return element_count({kPasses, rows, s.n_k, s.d_k}) / kMultiplyAddsOfAStep;
}

void WeightRows::read(std::size_t first, std::size_t rows, std::size_t row_step) {
  range_ = {first, 0, rows, 0, row_step};
  const KeySpan keys = keys_reached(result_.problem(), head_, {first, range_.row_at(rows - 1) + 1});
  range_.col = keys.begin;
  range_.cols = std::max(keys.end, keys.begin) - keys.begin;
  cells_.resize(range_.rows * range_.cols);
  rules_.resize(range_.cols);
  if (!cells_.empty()) result_.read(Stage::Weights, head_, range_, cells_.data());
}

WeightRow WeightRows::row(std::size_t at) {
  WeightRow row;
  row.query = range_.row_at(at);
  row.first = range_.col;
  row.weights = std::span(cells_).subspan(at * range_.cols, range_.cols);
  row.seen = hidden_row(result_.problem().mask, head_, row.query, rules_, range_.col);
  row.rules = rules_;
  return row;
}

}  // namespace attn
