// A small heatmap with its tokens, for plots that show several side by side.
#pragma once

#include <memory>
#include <string>

#include "plot/axis.h"
#include "plot/color_bar.h"

namespace attn {

struct SmallMap {
  std::string title, subtitle;               // one line each; an empty subtitle takes no room
  bool marked = false;                       // the title in the accent colour
  std::shared_ptr<const MatrixCells> cells;  // not empty
  std::size_t row_step = 1, col_step = 1;    // rows and columns under each of the cells
  ColorScale scale;
  MatrixAxis rows, columns;
  std::size_t shown_rows = 0;  // the rows after them stay empty; 0: all are shown
  double height = 0.0;         // of the matrix, units; 0: square cells
  double most_height = 0.0;    // of a matrix of square cells; 0: no limit
  HitId hit = ColorBarHit{};   // what the matrix as a whole stands for
};

// `width` units wide and as high as it needs. Numbers in the cells where options.values asks
// for them and they fit. Axis titles are left to the caller: tokens take their side's colour.
Figure small_map(const Document& document, const SmallMap& map, const PlotOptions& options,
                 const TextMetrics& metrics, double width);

// A colour bar as a figure of its own, `height` units high. Rectangle and font of `bar` are set.
Figure color_bar_figure(ColorBar bar, const PlotOptions& options, const TextMetrics& metrics,
                        double height);

}  // namespace attn
