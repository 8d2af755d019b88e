// Small multiples: panels of equal width side by side, wrapped to the page, as facets are in a
// grammar of graphics. They share one colour range and its bar, or each has its own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "plot/parts/page.h"
#include "plot/parts/small_map.h"

namespace attn {

// Draws a panel `width` units wide, as high as it needs.
using DrawPanel = std::function<Figure(double width)>;

// A small heatmap; with `own` the bar of its own range at its right, whose scale is the map's.
// Borrows the input, the options, the metrics and the map's matrix.
DrawPanel map_panel(const PlotInput& input, SmallMap map, const PlotOptions& options,
                    const TextMetrics& metrics, std::optional<ColorBar> own = std::nullopt);

struct PanelGrid {
  std::vector<DrawPanel> panels;
  std::optional<ColorBar> shared;  // of the range of all, at the right of the page
  double bar_room = 0.0;  // kept for it, so that grids below each other align; 0: its width
  // In font sizes.
  double bar_height = 14.0;
  double least = 13.0;  // width of a panel; fewer fit side by side where they would be narrower
  double widest = 1e9;
  double gap = 1.4;
  std::size_t most = 3;  // side by side
};

void add_panels(Page& page, const PanelGrid& grid, const PlotOptions& options,
                const TextMetrics& metrics);

}  // namespace attn
