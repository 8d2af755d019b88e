// The pixels of a figure as its PNG shows them.
#pragma once

#include "export/export.h"

namespace attn::test {

// Draws a figure with at least 10 / 72 pixels per unit, at most 2400 / 72.
Result<Raster> rasterize(const Figure& figure, double pixels_per_unit);

}  // namespace attn::test
