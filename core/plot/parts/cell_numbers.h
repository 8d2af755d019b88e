// The numbers in the cells of a matrix, the same in every plot that draws cells.
#pragma once

#include <string>

#include "figure/figure.h"
#include "figure/text.h"
#include "plot/plot.h"

namespace attn {

// Appends the number of every whole visible cell where options.values asks for them and they fit.
// One size for all: that of the labels, smaller where cells are, down to 5 points. None where
// several cells share a texel.
void add_cell_numbers(Figure& figure, const MatrixItem& matrix, const PlotOptions& options,
                      const TextMetrics& metrics);

// Why the figure's cells have no numbers although options.values asks for them; empty where they
// have.
std::string why_no_numbers(const Figure& figure, const PlotOptions& options,
                           const TextMetrics& metrics);

}  // namespace attn
