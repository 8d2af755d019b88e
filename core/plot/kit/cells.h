// Cells of a matrix as all plots draw them: texels, numbers, frame, labels, pins.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "plot/kit/axis.h"
#include "plot/kit/map_needs.h"
#include "plot/kit/plot.h"
#include "view/options.h"

namespace attn {

// The window clamped to the matrix; the whole matrix when the window is empty.
CellWindow clamped_window(CellWindow window, const StageShape& extents);

// The window extended to whole cells; an empty window stays empty.
CellWindow whole_cells(const CellWindow& window);

// Number of texels along `length` units: at most options.pixel_budget, and in a file at most one
// per dot, so that every texel covers a dot.
std::size_t most_texels(double length, const PlotOptions& options);

// The cells that a clamped window touches, pooled to at most most_texels along each side; `clip` is
// the rectangle of the window. Hits carry the id of the matrix. A `part` that was read before gives
// the cells at its own resolution; with options.shares_cells it may extend beyond the window. Has
// tints when the options select parts of rows, whose maxima the part has.
MatrixItem matrix_item(const Matrix& matrix, const PooledPart* part, const CellWindow& window,
                       const Rect& clip, const ColorScale& scale, const PlotOptions& options);

// The item, drawn without a turn from `clip`'s corner on, with its texels turned to fill `clip`.
MatrixItem turned(MatrixItem item, const Turn& turn, const Rect& clip);

// Texels of an item that lie at least partly in its clip.
struct TexelSpans {
  RowSpan rows, cols;
  std::size_t count() const { return (rows.end - rows.begin) * (cols.end - cols.begin); }
};
TexelSpans shown_texels(const MatrixItem& item);

// Calls visit(index in the cells) for each of them.
template <class Visit>
void each_shown(const MatrixItem& item, const Visit& visit) {
  const auto [rows, cols] = shown_texels(item);
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const std::size_t first = row * item.cells->cols;
    for (std::size_t i = first + cols.begin; i < first + cols.end; ++i) visit(i);
  }
}

// The numbers of visible cells that are wholly in view, if options.values and annotate select them
// and they fit. All have one size, that of the labels or down to 5 points in small cells. None when
// several cells share a texel.
std::vector<TextItem> cell_numbers(const MatrixItem& matrix, const PlotOptions& options,
                                   const TextMetrics& metrics);

// Reason why the cells have no numbers although options.values is set; empty when they have.
std::string why_no_numbers(const Figure& figure, const PlotOptions& options,
                           const TextMetrics& metrics);

// Everything that is needed to draw a panel of cells.
struct CellPanel : Drawing {
  Turn turn{};  // of rows, columns and window, too
  MatrixAxis rows{}, columns{};
  CellWindow window{};         // the part in view
  Rect clip{};                 // its rectangle
  double gap = 0.0;            // between labels and cells
  double row_labels = 0.0;     // width of the row labels, units
  double mark_width = 0.0;     // of the marks between row labels and cells
  double widest_column = 0.0;  // of all column labels
  double right = 0.0;          // space right of the last column
  ColumnStyle column_style{};  // with all columns in view
  bool marked = false;         // a frame in the accent colour

  FontStyle label_font() const { return {font()}; }
};

// Row labels, right-aligned at the marks left of the cells. Thinned out, with a tick each, where
// rows are closer than lines of text, but for those of pins. Each carries the TokenHit of its
// token.
void add_row_labels(Figure& figure, const CellPanel& panel, const MatrixItem& matrix);

// Adds the panel, its matrix first. Returns the index of the matrix item.
std::size_t add_cell_panel(Figure& figure, const CellPanel& panel, const MatrixItem& matrix);

}  // namespace attn
