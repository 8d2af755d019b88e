// Ranges of a head's colour scale, which show structure beside dominating keys.
#pragma once

#include <span>
#include <string_view>

#include "engine/read/result.h"

namespace attn {

// From 0 to the end named by each enumerator.
enum class HeadRange {
  Largest,          // the largest weight of the head
  BesideStrongest,  // the 98th percentile of weights outside of the strongest key
  Percentile,       // the 95th percentile of the visible weights
  Shared,           // the largest weight of all shown heads
  Unit,             // 1
};

struct HeadRangeInfo {
  HeadRange range;
  std::string_view name;   // name on the command line: "beside_strongest"
  std::string_view label;  // label in the interface
  std::string_view words;  // description of the colours, without a full stop
  bool per_head;           // each head has its own range
  // Over the visible, finite, positive cells of one head; 0 if there are none. For shared ranges,
  // one head's contribution.
  float (*top)(const PooledCells& weights);
};
std::span<const HeadRangeInfo> all_head_ranges();
const HeadRangeInfo& head_range_info(HeadRange range);

}  // namespace attn
