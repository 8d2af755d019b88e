// Matrices made from the weights of several heads or layers, drawn as heatmaps.
#pragma once

#include "plot/plot.h"

namespace attn {

// The heatmap of options.derived; in its place a sentence where it cannot be made.
Figure derived_matrix(const PlotInput& input, const PlotOptions& options,
                      const TextMetrics& metrics);

}  // namespace attn
