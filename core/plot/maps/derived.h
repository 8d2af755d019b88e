// Matrices made from the weights of several heads or layers, drawn as heatmaps.
#pragma once

#include "plot/plot.h"

namespace attn {

// That matrix.
std::vector<Need> derived_needs(const PlotInput& input, const PlotOptions& options);

// The heatmap of options.derived, or why it cannot be made.
Result<Figure> derived_matrix(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

}  // namespace attn
