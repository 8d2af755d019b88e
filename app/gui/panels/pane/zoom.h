// The part of a matrix in view after the wheel or a drag; pure.
#pragma once

#include <optional>

#include "figure/figure.h"
#include "plot/kit/plot.h"

namespace attn::gui {

// A place in a matrix in cells, with fractions.
struct CellPoint {
  double row = 0.0, col = 0.0;
};

// The matrix of the figure that has the id and cells to point at; null when there is none.
const MatrixItem* item_of(const Figure& figure, const MatrixId& id);

// Where `p` (figure units) is in the drawn matrix; may be outside of it.
CellPoint cell_point(const MatrixItem& matrix, Point p);

// All of the matrix as a window.
CellWindow whole_window(const MatrixItem& matrix);

// `notches` of the wheel (up positive) about `p`: what is under the pointer stays there. Nothing:
// all of the matrix fits again.
std::optional<CellWindow> zoomed(const CellWindow& window, const MatrixItem& matrix, Point p,
                                 double notches);

// The whole cells that lie, also in part, between two corners in figure units.
CellWindow cells_within(const MatrixItem& matrix, Point a, Point b);

// As large a window, with what is drawn at `p` of the overview in its middle.
CellWindow brought_into_view(const CellWindow& window, const OverviewHit& overview, Point p);

// The matrix follows the pointer by `delta` figure units and stops at its edges.
CellWindow panned(const CellWindow& window, const MatrixItem& matrix, Point delta);

}  // namespace attn::gui
