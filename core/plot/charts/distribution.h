// How often which number occurs in one stage of one head, as bars.
#pragma once

#include <vector>

#include "plot/plot.h"

namespace attn {

// The counts behind the bars.
std::vector<Need> distribution_needs(const PlotInput& input, const PlotOptions& options);

// The plot named "distribution". Hidden cells and those that are not finite are not counted, and
// the words below say how many they are.
Result<Figure> distribution_plot(const PlotInput& input, const PlotOptions& options,
                                 const TextMetrics& metrics);

}  // namespace attn
