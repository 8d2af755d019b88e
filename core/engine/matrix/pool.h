// A range of a stage made small: each output cell is the maximum or the mean of the cells under it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "engine/result.h"

namespace attn {

class Matrix;

enum class Pooling { Maximum, Mean };

struct PooledCells {
  std::size_t rows = 0;  // at most max_rows
  std::size_t cols = 0;
  std::size_t row_step = 1;  // source rows under one output row (the last may have fewer)
  std::size_t col_step = 1;
  std::vector<float> values;  // NaN only where every cell underneath is NaN or hidden
  // HiddenRules where all cells underneath are hidden: those common to all, or else all that occur.
  // 0 where any is visible, and everywhere in matrices that no mask touches.
  std::vector<std::uint8_t> hidden;
};

// Streams through the range a few rows at a time, on several threads where it is large. With steps
// of 1 it is the range itself. Unfinished when progress->cancelled becomes true; may be null.
PooledCells pooled_by_rows(const Matrix& matrix, const CellRange& range, std::size_t max_rows,
                           std::size_t max_cols, Pooling pooling, Progress* progress = nullptr);

// The largest of so many rows and columns of pooled maxima each: the same as pooling so much more
// at once.
PooledCells coarsened(const PooledCells& maxima, std::size_t rows, std::size_t cols);

// The same of a stage that the result has.
PooledCells read_pooled(const AttentionResult& result, Stage stage, const HeadAddress& head,
                        const CellRange& range, std::size_t max_rows, std::size_t max_cols,
                        Pooling pooling);

}  // namespace attn
