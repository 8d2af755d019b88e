// The numbers in the cells of a matrix, the same in every plot that draws cells.
#pragma once

#include "figure/figure.h"
#include "figure/text.h"
#include "plot/plot.h"

namespace attn {

// Appends the number of every whole visible cell where options.values asks for them and they fit.
// One size for all: about that of the labels, larger only in cells that would look empty. None
// where several cells share a texel.
void add_cell_numbers(Figure& figure, const MatrixItem& matrix, const PlotOptions& options,
                      const TextMetrics& metrics);

}  // namespace attn
