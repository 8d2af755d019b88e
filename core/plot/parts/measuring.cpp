// Chooses rows at equal distances that are measured soon.
#include "plot/parts/measuring.h"

#include <algorithm>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "base/tensor.h"
#include "plot/parts/pooled_part.h"

namespace attn {
namespace {

std::size_t row_step_within(const AttentionResult& result, std::size_t heads, std::uint64_t steps) {
  constexpr std::uint64_t kLeastRows = 64;
  const std::size_t rows = result.shape().n_q;
  const bool is_kept = !result.has(Stage::Weights) || result.range(Stage::Weights, {});
  if (is_kept || steps_to_measure_heads(result, heads, 1) <= steps) return 1;
  const std::uint64_t row = std::max<std::uint64_t>(steps_to_measure_heads(result, heads, rows), 1);
  return quotient_up(rows, std::clamp<std::size_t>(steps / row, kLeastRows, rows));
}

}  // namespace

std::vector<std::size_t> row_steps(const AttentionResult& result, std::size_t heads,
                                   const PlotOptions& options) {
  if (options.dots_per_unit > 0.0) return {row_step_within(result, heads, kStepsOfAMinute)};
  const std::size_t soon = row_step_within(result, heads, kSoonSteps);
  return soon > 1 ? std::vector<std::size_t>{soon, 1} : std::vector<std::size_t>{1};
}

std::uint64_t steps_to_measure_heads(const AttentionResult& result, std::size_t heads,
                                     std::size_t row_step) {
  const std::size_t rows = quotient_up(result.shape().n_q, row_step);
  return element_count({heads, steps_to_measure(result, rows)});
}

std::string rows_measured_words(std::size_t read, std::size_t rows, const PlotOptions& options) {
  if (read >= rows) return "";
  return grouped_text(read) + " of " + grouped_text(rows) + " queries" +
         (options.dots_per_unit > 0.0 ? "" : " so far");
}

}  // namespace attn
