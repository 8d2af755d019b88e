// Pooled ranges, whose cells are maxima or means of the cells under them, and the range of colours
// of a pooled head.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/progress.h"
#include "engine/matrix/matrix.h"

namespace attn {

enum class Pooling { Maximum, Mean };

// Whether the maximum of cells is the one of the largest magnitude: of a difference, and of weights
// of which some are negative.
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

// Ranges of a head's colour scale, which show structure beside dominating keys: from 0 to the end
// named by each enumerator.
enum class HeadRange {
  Largest,          // the largest weight of the head
  BesideStrongest,  // the 98th percentile of weights outside of the strongest key
  Percentile,       // the 95th percentile of the visible weights
  Shared,           // the largest weight of all shown heads
  Unit,             // 1
};

struct HeadRangeInfo {
  HeadRange range;
  std::string_view name;   // name on the command line: "beside_strongest"
  std::string_view label;  // label in the interface
  std::string_view words;  // description of the colours, without a full stop
  bool per_head;           // each head has its own range
  // Over the visible, finite, positive cells of one head; 0 if there are none. For shared ranges,
  // one head's contribution.
  float (*top)(const PooledCells& weights);
};
std::span<const HeadRangeInfo> all_head_ranges();
const HeadRangeInfo& head_range_info(HeadRange range);

}  // namespace attn
