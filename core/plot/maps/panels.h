// Small multiples: heatmaps of equal width side by side, as facets are in a grammar of graphics.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "plot/colors/color_bar.h"
#include "plot/kit/axis.h"
#include "plot/kit/page.h"
#include "plot/kit/pooled_part.h"

namespace attn {

struct SmallMap {
  std::string title = {}, subtitle = {};  // one line each; an empty subtitle takes no room
  bool marked = false;                    // the title in the accent colour
  const Matrix* matrix = nullptr;         // borrowed; not empty
  ColorScale scale = {};
  std::size_t shown_rows = 0;           // the rows after them stay empty; 0: all are shown
  double height = 0.0;                  // of the matrix, units; 0: square cells
  double most_height = 0.0;             // of a matrix of square cells; 0: no limit
  std::optional<TensorHit> opens = {};  // what its title stands for
  const PooledPart* part = nullptr;     // where nobody keeps the cells: what was read beforehand
};

// `width` units wide and as high as it needs; matrices of queries and keys show options.window.
// Numbers in the cells where options.values asks for them and they fit. Axis titles are left
// to the caller: tokens take their side's colour.
Figure small_map(const PlotInput& input, const SmallMap& map, const PlotOptions& options,
                 const TextMetrics& metrics, double width);

// A colour bar as a figure of its own, `height` units high; without any size where the options want
// none. Rectangle and font of `bar` are set.
Figure color_bar_figure(ColorBar bar, const PlotOptions& options, const TextMetrics& metrics,
                        double height);

// Draws a panel `width` units wide, as high as it needs.
using DrawPanel = std::function<Figure(double width)>;

// A small heatmap; with `own` the bar of its own range at its right, whose scale is the map's.
// Borrows the input, the options, the metrics and the map's matrix.
DrawPanel map_panel(const PlotInput& input, SmallMap map, const PlotOptions& options,
                    const TextMetrics& metrics, std::optional<ColorBar> own = std::nullopt);

struct PanelGrid {
  std::vector<DrawPanel> panels = {};
  std::optional<ColorBar> shared = {};  // of the range of all, at the right of the page
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
