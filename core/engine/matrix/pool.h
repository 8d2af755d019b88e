// A range of a stage made small: each output cell is the maximum or the mean of the cells under it.
#pragma once

#include <cstddef>

#include "base/progress.h"
#include "engine/matrix/matrix.h"

namespace attn {

enum class Pooling { Maximum, Mean };

// Streams through the range a few rows at a time, on several threads where it is large. With steps
// of 1 it is the range itself. Unfinished when progress->cancelled becomes true; may be null.
PooledCells pooled_by_rows(const Matrix& matrix, const CellRange& range, std::size_t max_rows,
                           std::size_t max_cols, Pooling pooling, Progress* progress = nullptr);

// The largest of so many rows and columns of pooled maxima each: the same as pooling so much more
// at once.
PooledCells coarsened(const PooledCells& maxima, std::size_t rows, std::size_t cols);

// A range of a stage that the result has, pooled.
PooledCells read_pooled(const AttentionResult& result, Stage stage, const HeadAddress& head,
                        const CellRange& range, std::size_t max_rows, std::size_t max_cols,
                        Pooling pooling);

}  // namespace attn
