// What the colours span after an end of their bar was dragged.
#pragma once

#include <optional>

#include "figure/figure.h"

namespace attn {

struct ColorEnds {
  std::optional<double> low, high;  // nothing: that end stays as it is
  friend bool operator==(const ColorEnds&, const ColorEnds&) = default;
};

// `up`: how far the pointer has come since it took hold of `end`, units. What stood under the
// pointer then becomes the end, which never meets the other one.
ColorEnds dragged_ends(const RangeHit& end, double up);

}  // namespace attn
