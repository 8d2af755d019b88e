// The cells of a part as they are drawn, shared by the figures of many frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/matrix/pool.h"
#include "engine/statistics.h"
#include "figure/figure.h"

namespace attn {

// How many cells of a part become one, down and across.
struct Coarsening {
  std::size_t rows = 1, cols = 1;
  friend auto operator<=>(const Coarsening&, const Coarsening&) = default;
};

// Cells to draw, and how many of the matrix stand under each.
struct DrawnCells {
  std::shared_ptr<const MatrixCells> cells;
  std::size_t row_step = 1, col_step = 1;
};

DrawnCells drawn_cells(PooledCells pooled);

// Made once for each coarsening, so that frames that pan and zoom copy nothing, and the graphics
// card keeps its picture. Safe to use from several threads.
class DrawnLevels {
 public:
  // `fine` is the same in every call.
  DrawnCells of(const PooledCells& fine, const Coarsening& by) const;
  // What is known of the same cells.
  StatisticsPtr pixels(const PooledCells& fine, const Coarsening& by) const;
  std::uint64_t bytes() const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<Coarsening, DrawnCells> made_;
  mutable std::map<Coarsening, StatisticsPtr> pixels_;
};

}  // namespace attn
