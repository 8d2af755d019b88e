// The heatmap of one stage of one head: rows are queries, columns are keys.
#pragma once

#include "plot/plot.h"

namespace attn {

inline constexpr std::string_view kKeyAxisTitle = "Key (attended to)";
inline constexpr std::string_view kQueryAxisTitle = "Query (attends)";

// Title, axis titles, token labels (thinned out when they would overlap), one MatrixItem, values in
// the cells when they fit, colour bar with label and range, pins.
Figure heatmap(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

// The cross-hair and frame of a hovered cell, to be painted over a heatmap figure.
Figure heatmap_hover(const Figure& heatmap, const CellHit& cell, ThemeKind theme);

}  // namespace attn
