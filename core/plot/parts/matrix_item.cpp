// From a matrix and a window to texels.
#include "plot/parts/matrix_item.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace attn {
namespace {

// Keeps a span of cells inside [0, count]; all of it when empty.
void clamp_span(double& start, double& length, std::size_t count) {
  const auto all = static_cast<double>(count);
  if (!(length > 0.0) || !(length < all)) length = all;
  start = std::isfinite(start) ? std::clamp(start, 0.0, all - length) : 0.0;
}

// Whole cells that a window touches.
CellRange range_of(const CellWindow& window, const StageShape& shape) {
  const auto row = static_cast<std::size_t>(window.row);
  const auto col = static_cast<std::size_t>(window.col);
  const auto end_row = static_cast<std::size_t>(std::ceil(window.row + window.rows - 1e-9));
  const auto end_col = static_cast<std::size_t>(std::ceil(window.col + window.cols - 1e-9));
  return {row, col, std::min(end_row, shape.rows) - row, std::min(end_col, shape.cols) - col};
}

}  // namespace

CellWindow clamped_window(CellWindow window, const StageShape& extents) {
  if (!(window.rows > 0.0) || !(window.cols > 0.0)) window = {};
  clamp_span(window.row, window.rows, extents.rows);
  clamp_span(window.col, window.cols, extents.cols);
  return window;
}

MatrixItem matrix_item(const Matrix& matrix, const CellWindow& window, const Rect& clip,
                       const ColorScale& scale, const PlotOptions& options) {
  const StageShape extents = matrix.extents();
  const CellRange range = range_of(window, extents);
  const std::size_t budget = std::max<std::size_t>(options.pixel_budget, 1);
  PooledCells pooled = matrix.read_pooled(range, budget, budget, options.pooling);
  auto cells = std::make_shared<MatrixCells>();
  cells->rows = pooled.rows;
  cells->cols = pooled.cols;
  cells->values = std::move(pooled.values);
  if (matrix.is_masked()) cells->hidden = std::move(pooled.hidden);
  MatrixItem m;
  m.cells = cells;
  m.clip = clip;
  m.first_row = range.row;
  m.first_col = range.col;
  m.row_step = pooled.row_step;
  m.col_step = pooled.col_step;
  m.row_count = extents.rows;
  m.col_count = extents.cols;
  const double cell_width = clip.width / window.cols;
  const double cell_height = clip.height / window.rows;
  m.rect = {clip.x + (static_cast<double>(range.col) - window.col) * cell_width,
            clip.y + (static_cast<double>(range.row) - window.row) * cell_height,
            cell_width * static_cast<double>(pooled.cols * pooled.col_step),
            cell_height * static_cast<double>(pooled.rows * pooled.row_step)};
  m.scale = scale;
  m.origin = matrix.id();
  m.hatch = figure_theme(options.theme).hatch;
  m.hatch_ground = figure_theme(options.theme).hatch_ground;
  return m;
}

}  // namespace attn
