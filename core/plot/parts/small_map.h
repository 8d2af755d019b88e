// A small heatmap with its tokens, for plots that show several side by side.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/matrix/matrix.h"
#include "plot/colors/color_bar.h"
#include "plot/parts/axis.h"
#include "plot/parts/pooled_part.h"

namespace attn {

struct SmallMap {
  std::string title, subtitle;     // one line each; an empty subtitle takes no room
  bool marked = false;             // the title in the accent colour
  const Matrix* matrix = nullptr;  // borrowed; not empty
  ColorScale scale;
  std::size_t shown_rows = 0;        // the rows after them stay empty; 0: all are shown
  double height = 0.0;               // of the matrix, units; 0: square cells
  double most_height = 0.0;          // of a matrix of square cells; 0: no limit
  std::optional<TensorHit> opens;    // what its title stands for
  const PooledPart* part = nullptr;  // where nobody keeps the cells: what was read beforehand
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

}  // namespace attn
