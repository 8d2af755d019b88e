// Pooled ranges: each output cell is the maximum or the mean of the cells under it.
#pragma once

#include <cstddef>

#include "base/progress.h"
#include "engine/matrix/matrix.h"

namespace attn {

enum class Pooling { Maximum, Mean };

// Reads the range a few rows at a time, on several threads if it is large. Steps of 1 copy the
// range. Incomplete if progress->cancelled becomes true; may be null.
PooledCells pooled_by_rows(const Matrix& matrix, const CellRange& range, std::size_t max_rows,
                           std::size_t max_cols, Pooling pooling, Progress* progress = nullptr);

// Pools pooled maxima further, `rows` by `cols` cells each; equals pooling at once.
PooledCells coarsened(const PooledCells& maxima, std::size_t rows, std::size_t cols);

// Pooled range of a stage. Precondition: the result has it.
PooledCells read_pooled(const AttentionResult& result, Stage stage, const HeadAddress& head,
                        const CellRange& range, std::size_t max_rows, std::size_t max_cols,
                        Pooling pooling);

}  // namespace attn
