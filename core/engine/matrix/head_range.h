// What a head's colours span, so that its structure shows beside keys that drown the rest.
#pragma once

#include <span>
#include <string_view>

#include "engine/read/result.h"

namespace attn {

// From 0 to …
enum class HeadRange {
  Largest,          // the largest weight of the head
  BesideStrongest,  // the 98th percentile of the weights outside the key that gets the most
  Percentile,       // the 95th percentile of the visible weights
  Shared,           // the largest weight of all heads shown
  Unit,             // 1
};

struct HeadRangeInfo {
  HeadRange range;
  std::string_view name;   // "beside_strongest": on the command line
  std::string_view label;  // for people
  std::string_view words;  // what the colours say, without a full stop
  bool per_head;           // each head has its own end
  // Of the visible cells of one head, finite and above 0, or 0 when there is none; of what all
  // heads share each head's part.
  float (*top)(const PooledCells& weights);
};
std::span<const HeadRangeInfo> all_head_ranges();
const HeadRangeInfo& head_range_info(HeadRange range);

}  // namespace attn
