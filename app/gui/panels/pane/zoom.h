// Viewport of a matrix after the wheel or a drag; pure functions.
#pragma once

#include <optional>
#include <vector>

#include "figure/figure.h"
#include "plot/kit/plot.h"

namespace attn::gui {

// Position in a matrix in cells, with fractions.
struct CellPoint {
  double row = 0.0, col = 0.0;
};

// The matrices of the figure that belong to the model and have cells.
std::vector<const MatrixItem*> model_matrices(const Figure& figure);

// The one with that id; null without one.
const MatrixItem* item_of(const Figure& figure, const MatrixId& id);

// Position of `p` (figure units) in the drawn matrix; may be outside of it.
CellPoint cell_point(const MatrixItem& matrix, Point p);

// Zooms by `notches` of the wheel (positive: in) around `p`, which stays in place. Nothing when all
// of the matrix fits again.
std::optional<CellWindow> zoomed(const CellWindow& window, const MatrixItem& matrix, Point p,
                                 double notches);

// Zooms around the middle of the drawn part until a cell's side is a whole number of pixels, at
// least one. Nothing when all of the matrix fits then.
std::optional<CellWindow> in_whole_pixels(const CellWindow& window, const MatrixItem& matrix,
                                          double pixels_per_unit);

// The cells that are at least partly between two corners in figure units.
CellWindow cells_within(const MatrixItem& matrix, Point a, Point b);

// The viewport centred at `p` of the overview, its size unchanged.
CellWindow brought_into_view(const CellWindow& window, const OverviewHit& overview, Point p);

// Pans by `delta` figure units and stops at the edges.
CellWindow panned(const CellWindow& window, const MatrixItem& matrix, Point delta);

}  // namespace attn::gui
