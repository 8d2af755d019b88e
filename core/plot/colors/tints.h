// Colours of weights that are not of the value itself: of its part of the row's largest, and of
// logarithms.
#pragma once

#include <cstddef>
#include <span>

#include "engine/matrix/matrix.h"
#include "figure/figure.h"
#include "view/options.h"

namespace attn {

// Only weights have them, and on a diverging map, where zero is in the middle, there are none.
bool is_tinted(const ViewOptions& options);

// Each cell is drawn as part of its row's largest.
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

// The exponent of ten as colours see it; what is not above 0 is far below every range.
float exponent_of(float value);

}  // namespace attn
