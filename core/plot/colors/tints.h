// Colours of weights that are not of the value itself: of its part of the row's largest, and of
// logarithms.
#pragma once

#include "engine/matrix/matrix.h"
#include "figure/figure.h"
#include "view/options.h"

namespace attn {

// Only weights have them, and on a diverging map, where zero is in the middle, there are none.
bool is_tinted(const ViewOptions& options);

// Each cell is drawn as part of its row's largest.
bool has_parts_of_rows(const ViewOptions& options);

// The item of a matrix with tints when the options ask for them.
MatrixItem tinted(MatrixItem item, const Matrix& matrix, const ViewOptions& options);

// The exponent of ten as colours see it; what is not above 0 is far below every range.
float exponent_of(float value);

}  // namespace attn
