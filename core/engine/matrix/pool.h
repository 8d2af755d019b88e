// Pooled ranges, whose cells are maxima or means of the cells under them.
#pragma once

#include <cstddef>

#include "base/progress.h"
#include "engine/matrix/matrix.h"

namespace attn {

enum class Pooling { Maximum, Mean };

// True if cells are pooled by the largest magnitude: those of a difference, and of weights of which
// some are negative.
bool pools_by_magnitude(const Matrix& matrix);

// Reads the range a few rows at a time, on several threads if it is large. Steps of 1 copy the
// range. Incomplete if
// progress->cancelled becomes true; may be null.
PooledCells pooled_by_rows(const Matrix& matrix, const CellRange& range, std::size_t max_rows,
                           std::size_t max_cols, Pooling pooling, Progress* progress = nullptr);

// Pools pooled maxima further, `rows` by `cols` cells each; equals pooling at once.
PooledCells coarsened(const PooledCells& maxima, std::size_t rows, std::size_t cols);

// Pooled cells of a matrix of these extents at other steps: multiples of theirs, or a part of these
// where they are fewer.
PooledCells with_steps(const PooledCells& pooled, const StageShape& extents, std::size_t row_step,
                       std::size_t col_step, Pooling pooling);

// The largest magnitude of a visible finite cell; 0 if there is none.
float largest_of(const PooledCells& pooled);

}  // namespace attn
