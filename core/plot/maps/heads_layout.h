// Where the thumbnails of all heads stand, and how many texels each has.
#pragma once

#include <cstddef>

#include "attention/problem.h"
#include "base/quotient_up.h"
#include "plot/plot.h"

namespace attn {

inline constexpr double kCaptionLine = 1.0;  // of the words under a thumbnail, in font sizes

// Thumbnails lie in one matrix, `tile_rows` × `tile_cols` texels apart, so that one image holds
// them; what is between them is painted over.
struct HeadsLayout {
  bool by_layer = false;    // rows are layers (of each sample), columns heads
  std::size_t columns = 1;  // thumbnails side by side
  std::size_t first = 0;    // head of the page, and how many follow
  std::size_t count = 0;
  std::size_t page = 0, pages = 1;
  std::size_t step = 1;                        // queries and keys under one texel, each way
  std::size_t texel_rows = 0, texel_cols = 0;  // of a thumbnail
  std::size_t tile_rows = 0, tile_cols = 0;    // with the room after it
  double texel_width = 0.0, texel_height = 0.0;
  double left = 0.0, top = 0.0;  // room for the names of rows and of columns
  double caption = 0.0;          // lines under a thumbnail, units; 0: too small for any
  bool wraps = false;            // what the head does may take two of them

  std::size_t rows() const { return quotient_up(count, columns); }
  double width() const { return texel_width * static_cast<double>(texel_cols); }
  double height() const { return texel_height * static_cast<double>(texel_rows); }
  // Of the `index`th thumbnail of the page, from the corner of the grid.
  Rect thumbnail(std::size_t index) const;
  Rect whole() const;
};

// `heads` in the order of layers or in another; `room` units for them and the names of rows, and
// `height` units that they keep to while they are large enough to see; 0: as high as they get.
// The step is a multiple of `unit`.
HeadsLayout lay_out_heads(const AttentionShape& shape, const PlotOptions& options,
                          std::size_t heads, double room, double height, std::size_t unit = 1);

}  // namespace attn
