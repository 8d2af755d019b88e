// Turns a length along a colour bar into values.
#include "plot/colors/range_handle.h"

#include <algorithm>

namespace attn {
namespace {

constexpr double kLeastPart = 0.01;  // of the span that stays between the ends

}  // namespace

ColorEnds dragged_ends(const RangeHit& end, double up) {
  const double moved = up / std::max(end.height, 1.0);
  if (end.mirrored) {
    const double place = 1.0 + (end.is_high ? moved : -moved);
    const double reach = value_at(end.scale, std::max(place, 0.5 * (1.0 + kLeastPart)));
    return {-reach, reach};
  }
  if (end.is_high) return {{}, value_at(end.scale, std::max(1.0 + moved, kLeastPart))};
  return {value_at(end.scale, std::min(moved, 1.0 - kLeastPart)), {}};
}

}  // namespace attn
