// Answers with the stages that a test gave it, and measures text by fixed widths.
#include "tests/support/fake_result.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"

namespace attn::test {

std::size_t FakeResult::matrix_index(const HeadAddress& head) const {
  return (head.layer * shape().samples + head.sample) * shape().heads + head.head;
}

void FakeResult::add_stage(Stage stage) {
  stages_.push_back(stage);
  std::sort(stages_.begin(), stages_.end());
}

void FakeResult::read(Stage stage, const HeadAddress& head, const CellRange& block,
                      float* out) const {
  const StageShape matrix = stage_shape(stage);
  const float* values = values_.at(stage).data() + matrix_index(head) * matrix.rows * matrix.cols;
  for (std::size_t row = 0; row < block.rows; ++row) {
    const float* from = values + block.row_at(row) * matrix.cols + block.col;
    out = std::copy_n(from, block.cols, out);
  }
}

std::optional<std::uint64_t> FakeResult::non_finite_count(Stage stage,
                                                          const HeadAddress& /*at*/) const {
  const std::vector<float>& values = values_.at(stage);
  return static_cast<std::uint64_t>(
      std::count_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); }));
}

std::optional<AttentionResult::Range> FakeResult::range(Stage stage,
                                                        const HeadAddress& head) const {
  const StageShape matrix = stage_shape(stage);
  const bool is_masked = stage_info(stage).token_by_token() && can_hide(problem_.mask);
  const std::size_t count = matrix.rows * matrix.cols;
  const float* const values = values_.at(stage).data() + matrix_index(head) * count;
  Range range{INFINITY, -INFINITY};
  for (std::size_t i = 0; i < count; ++i) {
    const float v = values[i];
    const bool is_hidden = is_masked && hidden(head, i / matrix.cols, i % matrix.cols) != kVisible;
    if (!std::isfinite(v) || is_hidden) continue;
    range = {std::min(range.low, v), std::max(range.high, v)};
  }
  return range.low <= range.high ? range : Range{};
}

TextExtent FixedMetrics::measure(std::string_view text, const FontStyle& font) const {
  const auto letters = static_cast<double>(code_point_count(text));
  return {letters * em_ * font.size, 0.8 * font.size, 0.25 * font.size};
}

}  // namespace attn::test
