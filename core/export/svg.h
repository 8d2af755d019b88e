// SVG by a painter of our own: text that can be selected, searched and edited, shapes and cells
// that say what they are, and the same bytes whatever draws the other formats.
#pragma once

#include "export/export.h"
#include "figure/text.h"

namespace attn {

// A matrix of more cells than this becomes an image, and one of fewer where together they are more
// than a file may have: so many shapes are slow everywhere. The six maps of one figure fit.
inline constexpr std::size_t kMostVectorCells = 4096, kMostCellsOfAFile = 6 * kMostVectorCells;

// One unit of the figure is one point. Every text has its anchor and, by `metrics`, its length, so
// that it keeps its place where a reader lacks the font. What stands for something (hit_names.h) is
// a group with an id and a <title>, which browsers show under the pointer; cells have titles alone.
// `options.dpi` is ignored. Fails on a figure without size. Progress as of an exporter.
Result<std::string> svg_of(const Figure& figure, const ExportOptions& options,
                           const TextMetrics& metrics, Progress* progress = nullptr);

}  // namespace attn
