// The pixels of a figure as its PNG shows them.
#pragma once

#include "export/export.h"

namespace attn::test {

// At least 10 / 72 pixels a unit, at most 2400 / 72.
Result<Raster> rasterize(const Figure& figure, double pixels_per_unit);

}  // namespace attn::test
