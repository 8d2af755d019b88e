// The heatmap of one stage of one head: rows are queries, columns are keys.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/kit/ask.h"
#include "plot/kit/plot.h"
#include "plot/maps/heatmap_parts.h"

namespace attn {

// Title, axis titles, token labels (thinned out when they would overlap), one MatrixItem, values in
// the cells when they fit, colour bar with label and range, pins. Of a map that nobody keeps, what
// was read beforehand; as long as nothing was, an empty frame.
Figure heatmap(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

// The plot: refuses what is not read yet.
Result<Figure> heatmap_plot(const PlotInput& input, const PlotOptions& options,
                            const TextMetrics& metrics);

// The map where nobody keeps it, and what more a frame has no time to find: the range of the
// colours, the histogram, rows that see no key.
std::vector<Need> heatmap_needs(const PlotInput& input, const PlotOptions& options);

// The same of a matrix that is derived from the result; the stage of the options is that of its id.
Figure heatmap(const PlotInput& input, const Matrix& matrix, const PlotOptions& options,
               const TextMetrics& metrics, const HeatmapCaption& caption);

// What drawing it takes, beside the matrix.
std::vector<Need> heatmap_needs(const PlotInput& input, const PooledQuestion& cells, bool is_kept,
                                const PlotOptions& options);

// Refuses while nothing is known of what is in view.
Status check_part(const PlotInput& input, const PooledQuestion& cells, const PlotOptions& options);

}  // namespace attn
