// The upper ends of a head's colours.
#include "engine/head_range.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/enum_table.h"

namespace attn {
namespace {

// The cell where it is visible and finite; else 0, which is what it counts for.
float counted(const PooledBlock& weights, std::size_t cell) {
  const float value = weights.values[cell];
  return weights.hidden[cell] == kVisible && std::isfinite(value) ? value : 0.0F;
}

float largest(const PooledBlock& weights) {
  float most = 0.0F;
  for (std::size_t i = 0; i < weights.values.size(); ++i)
    most = std::max(most, counted(weights, i));
  return most;
}

// The key that gets the most from all queries together; the first of several.
std::size_t strongest_column(const PooledBlock& weights) {
  std::vector<double> received(weights.cols);
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    received[i % weights.cols] += static_cast<double>(counted(weights, i));
  }
  return static_cast<std::size_t>(std::ranges::max_element(received) - received.begin());
}

// Where nothing else has any weight, that key's.
float beside_strongest(const PooledBlock& weights) {
  if (weights.cols < 2) return largest(weights);
  const std::size_t strongest = strongest_column(weights);
  float most = 0.0F;
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    if (i % weights.cols != strongest) most = std::max(most, counted(weights, i));
  }
  return most > 0.0F ? most : largest(weights);
}

float percentile(const PooledBlock& weights) {
  std::vector<float> visible;
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    if (weights.hidden[i] == kVisible && std::isfinite(weights.values[i])) {
      visible.push_back(weights.values[i]);
    }
  }
  if (visible.empty()) return 0.0F;
  const auto at = visible.begin() + static_cast<std::ptrdiff_t>((visible.size() - 1) * 95 / 100);
  std::nth_element(visible.begin(), at, visible.end());
  return *at > 0.0F ? *at : largest(weights);
}

float one(const PooledBlock& /*any*/) { return 1.0F; }

constexpr std::array<HeadRangeInfo, 5> kRanges{{
    {HeadRange::BesideStrongest, "beside_strongest", "Each head, its strongest key aside",
     "each head's largest weight, its strongest key aside", true, beside_strongest},
    {HeadRange::Percentile, "percentile", "Each head, 95th percentile",
     "the 95th percentile of each head's weights", true, percentile},
    {HeadRange::Largest, "head", "Each head, largest weight", "each head's largest weight", true,
     largest},
    {HeadRange::Shared, "shared", "All heads alike", "the largest weight of the heads shown", false,
     largest},
    {HeadRange::Unit, "unit", "0 to 1", "range 0 to 1", false, one},
}};
static_assert(is_indexed_by(kRanges, &HeadRangeInfo::range));

}  // namespace

std::span<const HeadRangeInfo> all_head_ranges() { return kRanges; }

const HeadRangeInfo& head_range_info(HeadRange range) { return row_of(kRanges, range); }

}  // namespace attn
