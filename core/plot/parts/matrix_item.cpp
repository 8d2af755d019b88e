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

// Cells of a part of a matrix.
struct PartCells {
  CellRange range;
  PooledCells pooled;
};

// Cells of the output [begin, end) that touch some cells of the matrix.
struct OutputSpan {
  std::size_t begin = 0, end = 0;
};
OutputSpan touched(std::size_t first, std::size_t count, std::size_t part_first, std::size_t step,
                   std::size_t cells) {
  const std::size_t begin = first > part_first ? (first - part_first) / step : 0;
  const std::size_t past = first + count > part_first ? first + count - part_first : 0;
  return {std::min(begin, cells), std::min((past + step - 1) / step, cells)};
}

// What is in view, and no more than that: enlarging a map of all would make an image of any size.
PartCells cut_to(const PooledPart& part, const CellRange& view) {
  const PooledCells& from = part.cells;
  const OutputSpan rows = touched(view.row, view.rows, part.range.row, from.row_step, from.rows);
  const OutputSpan cols = touched(view.col, view.cols, part.range.col, from.col_step, from.cols);
  PartCells out;
  out.range = {part.range.row + rows.begin * from.row_step,
               part.range.col + cols.begin * from.col_step, 0, 0};
  out.pooled = {rows.end - rows.begin, cols.end - cols.begin, from.row_step, from.col_step, {}, {}};
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    const auto at = static_cast<std::ptrdiff_t>(r * from.cols);
    const auto first = at + static_cast<std::ptrdiff_t>(cols.begin);
    const auto past = at + static_cast<std::ptrdiff_t>(cols.end);
    out.pooled.values.insert(out.pooled.values.end(), from.values.begin() + first,
                             from.values.begin() + past);
    out.pooled.hidden.insert(out.pooled.hidden.end(), from.hidden.begin() + first,
                             from.hidden.begin() + past);
  }
  return out;
}

MatrixItem item_of(const Matrix& matrix, PartCells part, const CellWindow& window, const Rect& clip,
                   const ColorScale& scale, const PlotOptions& options) {
  const StageShape extents = matrix.extents();
  const CellRange& range = part.range;
  PooledCells& pooled = part.pooled;
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

}  // namespace

CellWindow clamped_window(CellWindow window, const StageShape& extents) {
  if (!(window.rows > 0.0) || !(window.cols > 0.0)) window = {};
  clamp_span(window.row, window.rows, extents.rows);
  clamp_span(window.col, window.cols, extents.cols);
  return window;
}

MatrixItem matrix_item(const Matrix& matrix, const CellWindow& window, const Rect& clip,
                       const ColorScale& scale, const PlotOptions& options) {
  const CellRange range = range_of(window, matrix.extents());
  const std::size_t budget = std::max<std::size_t>(options.pixel_budget, 1);
  return item_of(matrix, {range, matrix.read_pooled(range, budget, budget, options.pooling)},
                 window, clip, scale, options);
}

MatrixItem matrix_item(const Matrix& matrix, const PooledPart& part, const CellWindow& window,
                       const Rect& clip, const ColorScale& scale, const PlotOptions& options) {
  PartCells cells = cut_to(part, range_of(window, matrix.extents()));
  const std::size_t budget = std::max<std::size_t>(options.pixel_budget, 1);
  const std::size_t rows = (cells.pooled.rows + budget - 1) / budget;
  const std::size_t cols = (cells.pooled.cols + budget - 1) / budget;
  const bool is_too_fine = std::max(rows, cols) > 1 && options.pooling == Pooling::Maximum;
  if (is_too_fine) cells.pooled = coarsened(cells.pooled, rows, cols);
  return item_of(matrix, std::move(cells), window, clip, scale, options);
}

}  // namespace attn
