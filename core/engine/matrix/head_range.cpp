// Upper ends of a head's colour scale.
#include "engine/matrix/head_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "base/enum_table.h"

namespace attn {
namespace {

bool counts(const PooledCells& weights, std::size_t cell) {
  const int is_visible = weights.hidden[cell] == kVisible ? 1 : 0;
  return (is_visible & (std::isfinite(weights.values[cell]) ? 1 : 0)) != 0;
}

// Visible positive cells outside of one column. Branch-free: heads are many and every frame asks.
std::vector<float> without_column(const PooledCells& weights, std::size_t column) {
  std::vector<float> values(weights.values.size());
  std::size_t cell = 0, count = 0;
  for (std::size_t row = 0; row < weights.rows; ++row) {
    for (std::size_t col = 0; col < weights.cols; ++col, ++cell) {
      values[count] = weights.values[cell];
      count += counts(weights, cell) && col != column ? 1 : 0;
    }
  }
  values.resize(count);
  return values;
}

std::vector<float> all_of(const PooledCells& weights) {
  return without_column(weights, weights.cols);
}

float largest_of(const std::vector<float>& values) {
  return values.empty() ? 0.0F : std::max(*std::ranges::max_element(values), 0.0F);
}

// Value that `percent` per cent of the values do not exceed; of few values the largest.
float percentile_of(const std::vector<float>& values, std::size_t percent) {
  if (values.empty()) return 0.0F;
  std::vector<float> above((values.size() - 1) * (100 - percent) / 100 + 1);
  std::partial_sort_copy(values.begin(), values.end(), above.begin(), above.end(), std::greater{});
  return std::max(above.back(), 0.0F);
}

// Key with the largest sum of weights; the first of several.
std::size_t strongest_column(const PooledCells& weights) {
  std::vector<double> received(weights.cols);
  std::size_t cell = 0;
  for (std::size_t row = 0; row < weights.rows; ++row) {
    for (std::size_t col = 0; col < weights.cols; ++col, ++cell) {
      received[col] += counts(weights, cell) ? static_cast<double>(weights.values[cell]) : 0.0;
    }
  }
  return static_cast<std::size_t>(std::ranges::max_element(received) - received.begin());
}

float largest(const PooledCells& weights) { return largest_of(all_of(weights)); }

// Falls back to that key's weights if all others are 0.
float beside_strongest(const PooledCells& weights) {
  const float top = percentile_of(without_column(weights, strongest_column(weights)), 98);
  return top > 0.0F ? top : largest(weights);
}

float percentile(const PooledCells& weights) {
  const std::vector<float> values = all_of(weights);
  const float top = percentile_of(values, 95);
  return top > 0.0F ? top : largest_of(values);
}

float one(const PooledCells& /*any*/) { return 1.0F; }

constexpr std::array<HeadRangeInfo, 5> kRanges{{
    {HeadRange::Largest, "head", "Each head, largest weight",
     "Each head from 0 to its largest weight", true, largest},
    {HeadRange::BesideStrongest, "beside_strongest",
     "Each head, 98th percentile without its top key",
     "Colour scale of each head ends at the 98th percentile of its weights (most attended key "
     "excluded)",
     true, beside_strongest},
    {HeadRange::Percentile, "percentile", "Each head, 95th percentile",
     "Colour scale of each head ends at the 95th percentile of its weights", true, percentile},
    {HeadRange::Shared, "shared", "All heads alike",
     "All heads from 0 to the largest weight of the heads shown", false, largest},
    {HeadRange::Unit, "unit", "0 to 1", "All heads from 0 to 1", false, one},
}};
static_assert(is_indexed_by(kRanges, &HeadRangeInfo::range));

}  // namespace

std::span<const HeadRangeInfo> all_head_ranges() { return kRanges; }

const HeadRangeInfo& head_range_info(HeadRange range) { return row_of(kRanges, range); }

}  // namespace attn
