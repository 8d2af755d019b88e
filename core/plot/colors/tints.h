// Colours of weights that are not of the value itself, but of its part of the row's largest.
#pragma once

#include <cstddef>
#include <span>

#include "engine/matrix/matrix.h"
#include "figure/figure.h"
#include "view/options.h"

namespace attn {

// Each cell is drawn as part of its row's largest. Only of weights, and not on a diverging map,
// where zero is in the middle.
bool has_parts_of_rows(const ViewOptions& options);

// The largest cells of rows, `step` rows of the matrix for each from row `first` on.
struct RowTops {
  std::size_t first = 0, step = 1;
  std::span<const float> largest;
};

// The item of a matrix with tints when the options ask for them. `tops`: of what was found
// beforehand; null: the rows of the matrix are read.
MatrixItem tinted(MatrixItem item, const Matrix& matrix, const ViewOptions& options,
                  const RowTops* tops = nullptr);
}  // namespace attn
