// The heatmap of one stage of one head: rows are queries, columns are keys.
#pragma once

#include <string>
#include <vector>

#include "plot/plot.h"

namespace attn {

// Title, axis titles, token labels (thinned out when they would overlap), one MatrixItem, values in
// the cells when they fit, colour bar with label and range, pins.
Figure heatmap(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

// The range of the colours, where weights have so many cells that reading them all would take more
// than the 2 ms that a frame has for it; below, drawing reads them.
std::vector<Need> heatmap_needs(const PlotInput& input, const PlotOptions& options);

// What a heatmap of something else than a stage says it is.
struct HeatmapCaption {
  std::string matrix;    // "Attention rollout, 12 layers"
  std::string quantity;  // of the colour bar
  bool snug = false;     // the figure is no higher than its content, even where a height is given
};

// The same of a matrix that is derived from the result; the stage of the options is that of its id.
Figure heatmap(const PlotInput& input, const Matrix& matrix, const PlotOptions& options,
               const TextMetrics& metrics, const HeatmapCaption& caption);

}  // namespace attn
