// How much weight goes how far: a curve over the distance from key to query.
#pragma once

#include <string>
#include <vector>

#include "plot/plot.h"

namespace attn {

// The sums behind the curve.
std::vector<Need> distances_needs(const PlotInput& input, const PlotOptions& options);

// The plot named "distances": the mean weight of the visible cells at each distance, and what equal
// weights over the visible keys would give. Refuses queries and keys of different sequences.
Result<Figure> distances_plot(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

}  // namespace attn
