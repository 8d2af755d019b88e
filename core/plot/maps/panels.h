// Small multiples: heatmaps of equal width side by side, like the facets of a grammar of graphics.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "plot/colors/color_range.h"
#include "plot/kit/axis.h"
#include "plot/kit/map_needs.h"
#include "plot/kit/page.h"

namespace attn {

struct SmallMap {
  std::string title = {}, subtitle = {};  // one line each; an empty subtitle takes no space
  bool marked = false;                    // title in the accent colour
  const Matrix* matrix = nullptr;         // borrowed; not empty
  ColorScale scale = {};
  std::size_t shown_rows = 0;           // later rows stay empty; 0: all are shown
  double height = 0.0;                  // of the matrix, units; 0: square cells
  double most_height = 0.0;             // of a matrix with square cells; 0: no limit
  std::optional<TensorHit> opens = {};  // tensor that a click on the title opens
  const PooledPart* part = nullptr;     // known part, when the matrix is not materialised
};

// A heatmap `width` units wide and as high as needed; matrices of queries and keys show
// options.window. Cells have numbers when options.values asks for them and they fit. Axis titles
// are left to the caller: tokens take the colour of their side.
Figure small_map(const Drawing& drawing, const SmallMap& map, double width);

// A colour bar as a figure, `height` units high; empty when the options ask for none. Sets
// rectangle and font of `bar`.
Figure color_bar_figure(const Drawing& drawing, ColorBar bar, double height);

// Draws a panel `width` units wide and as high as needed.
using DrawPanel = std::function<Figure(double width)>;

// A small heatmap; with `own`, the bar of its own range at the right. Borrows the drawing and the
// map's matrix.
DrawPanel map_panel(const Drawing& drawing, SmallMap map,
                    std::optional<ColorBar> own = std::nullopt);

struct PanelGrid {
  std::vector<DrawPanel> panels = {};
  std::optional<ColorBar> shared = {};  // of the common range, at the right of the page
  double bar_room = 0.0;                // reserved width, so that grids align; 0: the bar's width
  // These in font sizes.
  double bar_height = 14.0;
  double least = 13.0;  // least width of a panel; decides the number of columns
  double widest = 1e9;
  double gap = 1.4;
  std::size_t most = 3;  // side by side
};

void add_panels(Page& page, const PanelGrid& grid);

}  // namespace attn
