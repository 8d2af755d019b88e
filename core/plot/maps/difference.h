// A − B of two matrices of equal extents, with the cells that differ most.
#pragma once

#include <vector>

#include "plot/need.h"
#include "plot/plot.h"

namespace attn {

// A is the matrix that the options name; B is another stage, layer, sample or head, as minus_… say,
// of the same document or of the reference. Where they say nothing, B is the same matrix of the
// reference, or the next head (layer, sample) of the document. A heatmap of A − B on a diverging
// map with zero in its middle, or in its place and over the range of both, A or B alone; below it
// the largest changes, each hit like its cell. Refuses (Usage) what there is nothing to compare
// with, and extents that differ, with both of them.
Result<Figure> difference_plot(const PlotInput& input, const PlotOptions& options,
                               const TextMetrics& metrics);
std::vector<Need> difference_needs(const PlotInput& input, const PlotOptions& options);

}  // namespace attn
