// Which colour map a stage is drawn with.
#pragma once

#include "plot/plot.h"

namespace attn {

// The chosen map; signed stages (all but the weights) take the diverging one as long as the choice
// is the default.
const ColorMap& colormap_for(const PlotOptions& options);

}  // namespace attn
