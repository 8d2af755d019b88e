// Which colour map a stage is drawn with.
#pragma once

#include "plot/plot.h"

namespace attn {

// The map chosen by name, whatever the stage; left to the stage, weights and norms of derivatives
// take viridis and signed stages (all others) the diverging map.
const ColorMap& colormap_for(const PlotOptions& options);

}  // namespace attn
