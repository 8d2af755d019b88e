// Makes and keeps the levels of a part.
#include "plot/parts/drawn_cells.h"

namespace attn {

DrawnCells drawn_cells(PooledCells pooled) {
  auto cells = std::make_shared<MatrixCells>();
  cells->rows = pooled.rows;
  cells->cols = pooled.cols;
  cells->values = std::move(pooled.values);
  cells->hidden = std::move(pooled.hidden);
  return {std::move(cells), pooled.row_step, pooled.col_step};
}

DrawnCells DrawnLevels::of(const PooledCells& fine, const Coarsening& by) const {
  const std::lock_guard lock(mutex_);
  DrawnCells& level = made_[by];
  if (level.cells == nullptr) {
    level = drawn_cells(by == Coarsening{} ? fine : coarsened(fine, by.rows, by.cols));
  }
  return level;
}

StatisticsPtr DrawnLevels::pixels(const PooledCells& fine, const Coarsening& by) const {
  const DrawnCells drawn = of(fine, by);
  const std::lock_guard lock(mutex_);
  StatisticsPtr& known = pixels_[by];
  if (known == nullptr) {
    known = std::make_shared<Statistics>(of_cells(drawn.cells->values, drawn.cells->hidden));
  }
  return known;
}

std::uint64_t DrawnLevels::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& [by, level] : made_) {
    bytes += level.cells->values.size() * (sizeof(float) + sizeof(HiddenRules));
  }
  for (const auto& [by, pixels] : pixels_) bytes += pixels->bytes();
  return bytes;
}

}  // namespace attn
