// The cells of a matrix as every plot draws them: texels, numbers, frame, labels, pins.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/matrix/matrix.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "plot/kit/axis.h"
#include "plot/kit/plot.h"
#include "plot/kit/pooled_part.h"
#include "view/options.h"

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

// The largest cells of rows, `step` rows of the matrix for each from row `first` on.
struct RowTops {
  std::size_t first = 0, step = 1;
  std::span<const float> largest;
};

// The item of a matrix with tints when the options ask for them. `tops`: of what was found
// beforehand; null: the rows of the matrix are read.
MatrixItem tinted(MatrixItem item, const Matrix& matrix, const ViewOptions& options,
                  const RowTops* tops = nullptr);

// Appends the number of every whole visible cell where options.values asks for them and they fit.
// One size for all: that of the labels, smaller where cells are, down to 5 points. None where
// several cells share a texel.
void add_cell_numbers(Figure& figure, const MatrixItem& matrix, const PlotOptions& options,
                      const TextMetrics& metrics);

// Why the figure's cells have no numbers although options.values asks for them; empty where they
// have.
std::string why_no_numbers(const Figure& figure, const PlotOptions& options,
                           const TextMetrics& metrics);

// Borrows its references.
struct CellPanel {
  const Document& document;
  const PlotOptions& options;
  const TextMetrics& metrics;
  const MatrixAxis& rows;
  const MatrixAxis& columns;
  CellWindow window;           // the part in view
  Rect clip;                   // where it lies
  FontStyle font;              // of labels
  Color row_ink, column_ink;   // of labels
  double gap = 0.0;            // between labels and cells
  double row_labels = 0.0;     // room for those of rows, units
  double mark_width = 0.0;     // of what stands between them and the cells
  double widest_column = 0.0;  // of all column labels
  double right = 0.0;          // room beside the last column
  ColumnStyle column_style{};  // with all columns in view
  Color frame{};
  double frame_width = 0.75;
  bool separated = false;  // lines between cells that can spare them
};

// Adds the panel, its matrix first; which item that is.
std::size_t add_cell_panel(Figure& figure, const CellPanel& panel, const MatrixItem& matrix);

}  // namespace attn
