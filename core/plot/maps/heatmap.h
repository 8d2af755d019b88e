// Heatmap of one stage of one head: rows are queries, columns are keys.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/kit/ask.h"
#include "plot/kit/plot.h"
#include "plot/maps/heatmap_parts.h"

namespace attn {

// Figure with title, axis titles, thinned token labels, one MatrixItem, numbers in the cells when
// they fit, colour bar, legend and pins. A map that is not materialised is drawn from its known
// part; without one, an empty frame.
Figure heatmap(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

// The plot; returns an error while the part in view is not known.
Result<Figure> heatmap_plot(const PlotInput& input, const PlotOptions& options,
                            const TextMetrics& metrics);

// Needs: parts of a map that is not materialised, and what a frame has no time to find: the range
// of the colours, the histogram, rows that see no key.
std::vector<Need> heatmap_needs(const PlotInput& input, const PlotOptions& options);

// Heatmap of a derived matrix; the stage of the options is that of its id.
Figure heatmap(const PlotInput& input, const Matrix& matrix, const PlotOptions& options,
               const TextMetrics& metrics, const HeatmapCaption& caption);

// Needs of a heatmap beside its matrix.
std::vector<Need> heatmap_needs(const PlotInput& input, const PooledQuestion& cells, bool is_kept,
                                const PlotOptions& options);

// Error while nothing is known of the part in view.
Status check_part(const PlotInput& input, const PooledQuestion& cells, const PlotOptions& options);

}  // namespace attn
