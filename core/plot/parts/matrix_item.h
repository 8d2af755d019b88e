// The part of a matrix in view as an item of a figure, for all plots that draw cells.
#pragma once

#include "engine/matrix/matrix.h"
#include "plot/parts/pooled_part.h"
#include "plot/plot.h"

namespace attn {

// Inside the matrix; all of it where the window is empty.
CellWindow clamped_window(CellWindow window, const StageShape& extents);

// As many whole cells as the window touches; an empty window stays so.
CellWindow whole_cells(const CellWindow& window);

// Texels that `length` units have pixels for: options.pixel_budget at most, and in a file as many
// as there are dots, so that no texel falls between two of them.
std::size_t most_texels(double length, const PlotOptions& options);

// The cells that a clamped window touches, pooled to most_texels along each side; `clip` is where
// the window is drawn. Its hits carry the matrix's id.
MatrixItem matrix_item(const Matrix& matrix, const CellWindow& window, const Rect& clip,
                       const ColorScale& scale, const PlotOptions& options);

// The same from a part that was read beforehand, as fine as it is. Where options.shares_cells, it
// may have more of the part than the window touches.
MatrixItem matrix_item(const Matrix& matrix, const PooledPart& part, const CellWindow& window,
                       const Rect& clip, const ColorScale& scale, const PlotOptions& options);

// How much coarser a window draws a part than it was read, that it has no more cells than pixels.
Coarsening coarsening_of(const PooledPart& part, const CellWindow& window, const Rect& clip,
                         const PlotOptions& options);

// The texels of an item that lie in its clip, at least in part.
struct ShownTexels {
  RowSpan rows, cols;
};
ShownTexels shown_texels(const MatrixItem& item);

}  // namespace attn
