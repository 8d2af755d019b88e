// Marks on a heatmap's cells: pins, and the cell under the pointer.
#pragma once

#include "plot/plot.h"

namespace attn {

// A frame and a number for each of options.pins that is in view: of the matrix's own head, and of
// its stage or, as they share their cells, of any token-by-token stage when it is one itself.
void add_pins(Figure& figure, const MatrixItem& matrix, const PlotOptions& options);

}  // namespace attn
