// The heatmap of a stage whose part in view is known.
#pragma once

#include "plot/maps/heatmap.h"

namespace attn::test {

inline Figure heatmap(const Drawing& drawing) { return heatmap_plot(drawing).value(); }

}  // namespace attn::test
