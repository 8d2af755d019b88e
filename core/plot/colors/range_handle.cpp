// Turns a length along a colour bar into values.
#include "plot/colors/range_handle.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr double kLeastPart = 0.01;  // of the span that stays between the ends

double value_at(const RangeHit& end, double place) {
  return end.log ? std::pow(10.0, place) : place;
}

}  // namespace

ColorEnds dragged_ends(const RangeHit& end, double up) {
  const double low = static_cast<double>(end.low), high = static_cast<double>(end.high);
  const double span = high - low;
  const double moved = span * up / std::max(end.height, 1.0);
  if (end.mirrored) {
    const double reach = std::max(high + (end.is_high ? moved : -moved), kLeastPart * high);
    return {-reach, reach};
  }
  if (end.is_high) return {{}, value_at(end, std::max(high + moved, low + kLeastPart * span))};
  return {value_at(end, std::min(low + moved, high - kLeastPart * span)), {}};
}

}  // namespace attn
