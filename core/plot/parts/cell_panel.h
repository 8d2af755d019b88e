// A matrix as every plot of cells draws it: cells, frame, numbers, labels of both sides, pins.
#pragma once

#include <cstddef>

#include "plot/parts/axis.h"
#include "plot/plot.h"

namespace attn {

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
