// From a matrix and a window to texels.
#include "plot/parts/matrix_item.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plot/colors/tints.h"
#include "plot/parts/drawn_cells.h"

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

// Cells of a part of a matrix, from its cell (row, col) on.
struct PartCells {
  std::size_t row = 0, col = 0;
  DrawnCells drawn;
};

// Cells of a part [begin, end) that touch some cells of the matrix: whole groups of `by`, which
// stay the same when one pans.
RowSpan touched(std::size_t first, std::size_t count, std::size_t part_first, std::size_t step,
                std::size_t by, std::size_t cells) {
  const std::size_t group = step * by;
  const std::size_t begin = first > part_first ? (first - part_first) / group * by : 0;
  const std::size_t past = first + count > part_first ? first + count - part_first : 0;
  return {std::min(begin, cells), std::min((past + group - 1) / group * by, cells)};
}

struct TouchedCells {
  RowSpan rows, cols;
  std::size_t count() const { return (rows.end - rows.begin) * (cols.end - cols.begin); }
};

TouchedCells touched(const PooledPart& part, const CellRange& view, const Coarsening& by) {
  const PooledCells& from = part.cells;
  return {touched(view.row, view.rows, part.range.row, from.row_step, by.rows, from.rows),
          touched(view.col, view.cols, part.range.col, from.col_step, by.cols, from.cols)};
}

PooledCells copied(const PooledCells& from, const TouchedCells& touched) {
  const auto& [rows, cols] = touched;
  PooledCells out{
      rows.end - rows.begin, cols.end - cols.begin, from.row_step, from.col_step, {}, {}};
  out.values.reserve(touched.count());
  out.hidden.reserve(touched.count());
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    const auto at = static_cast<std::ptrdiff_t>(r * from.cols);
    const auto first = at + static_cast<std::ptrdiff_t>(cols.begin);
    const auto past = at + static_cast<std::ptrdiff_t>(cols.end);
    out.values.insert(out.values.end(), from.values.begin() + first, from.values.begin() + past);
    out.hidden.insert(out.hidden.end(), from.hidden.begin() + first, from.hidden.begin() + past);
  }
  return out;
}

// No more than is in view: enlarging a map of all would make an image of any size.
PartCells cut_to(const PooledPart& part, const TouchedCells& touched, const Coarsening& by,
                 bool is_masked) {
  PooledCells cut = copied(part.cells, touched);
  if (by != Coarsening{}) cut = coarsened(cut, by.rows, by.cols);
  if (!is_masked) cut.hidden.clear();
  return {part.range.row + touched.rows.begin * part.cells.row_step,
          part.range.col + touched.cols.begin * part.cells.col_step, drawn_cells(std::move(cut))};
}

// Few cells in view are copied quickly, and could be enlarged without end if they were not.
bool is_shared(const PooledPart& part, const TouchedCells& touched, const PlotOptions& options) {
  constexpr std::size_t kFewCells = 200'000;
  if (!options.shares_cells) return false;
  if (touched.count() == part.cells.values.size()) return true;
  return !has_parts_of_rows(options) && touched.count() >= kFewCells;
}

PartCells cells_of(const Matrix& matrix, const PooledPart& part, const CellWindow& window,
                   const Rect& clip, const PlotOptions& options) {
  const Coarsening by = coarsening_of(part, window, clip, options);
  const TouchedCells view = touched(part, range_of(window, matrix.extents()), by);
  if (!is_shared(part, view, options)) return cut_to(part, view, by, matrix.is_masked());
  return {part.range.row, part.range.col, part.levels.of(part.cells, by)};
}

MatrixItem item_of(const Matrix& matrix, const PartCells& part, const CellWindow& window,
                   const Rect& clip, const ColorScale& scale, const PlotOptions& options) {
  const StageShape extents = matrix.extents();
  const DrawnCells& drawn = part.drawn;
  MatrixItem m;
  m.cells = drawn.cells;
  m.clip = clip;
  m.first_row = part.row;
  m.first_col = part.col;
  m.row_step = drawn.row_step;
  m.col_step = drawn.col_step;
  m.row_count = extents.rows;
  m.col_count = extents.cols;
  const double cell_width = clip.width / window.cols;
  const double cell_height = clip.height / window.rows;
  m.rect = {clip.x + (static_cast<double>(part.col) - window.col) * cell_width,
            clip.y + (static_cast<double>(part.row) - window.row) * cell_height,
            cell_width * static_cast<double>(m.cells->cols * m.col_step),
            cell_height * static_cast<double>(m.cells->rows * m.row_step)};
  m.scale = scale;
  m.origin = matrix.id();
  m.hatch = figure_theme(options.theme).hatch;
  m.hatch_ground = figure_theme(options.theme).hatch_ground;
  return m;
}

// Of `count` texels, those that lie in the clip, at least in part.
RowSpan shown_along(double start, double length, double clip_start, double clip_length,
                    std::size_t count) {
  constexpr double kHair = 1e-6;
  if (count == 0 || !(length > 0.0)) return {0, count};
  const double texel = length / static_cast<double>(count), most = static_cast<double>(count);
  const double first = std::floor((clip_start - start) / texel + kHair);
  const double past = std::ceil((clip_start + clip_length - start) / texel - kHair);
  return {static_cast<std::size_t>(std::clamp(first, 0.0, most)),
          static_cast<std::size_t>(std::clamp(past, 0.0, most))};
}

}  // namespace

CellWindow clamped_window(CellWindow window, const StageShape& extents) {
  if (!(window.rows > 0.0) || !(window.cols > 0.0)) window = {};
  clamp_span(window.row, window.rows, extents.rows);
  clamp_span(window.col, window.cols, extents.cols);
  return window;
}

CellWindow whole_cells(const CellWindow& window) {
  if (!(window.rows > 0.0) || !(window.cols > 0.0)) return window;
  const double row = std::floor(window.row), col = std::floor(window.col);
  return {row, col, std::ceil(window.row + window.rows - 1e-9) - row,
          std::ceil(window.col + window.cols - 1e-9) - col};
}

std::size_t most_texels(double length, const PlotOptions& options) {
  const std::size_t most = std::max<std::size_t>(options.pixel_budget, 1);
  if (!(options.dots_per_unit > 0.0)) return most;
  const double dots =
      std::max(std::floor(length * options.page_scale * options.dots_per_unit + 1e-6), 1.0);
  return dots < static_cast<double>(most) ? static_cast<std::size_t>(dots) : most;
}

Coarsening coarsening_of(const PooledPart& part, const CellWindow& window, const Rect& clip,
                         const PlotOptions& options) {
  if (options.pooling != Pooling::Maximum) return {};
  const auto share = [&](double cells, std::size_t step, double length) {
    return coarsening(cells / static_cast<double>(step), most_texels(length, options));
  };
  return {share(window.rows, part.cells.row_step, clip.height),
          share(window.cols, part.cells.col_step, clip.width)};
}

MatrixItem matrix_item(const Matrix& matrix, const CellWindow& window, const Rect& clip,
                       const ColorScale& scale, const PlotOptions& options) {
  const CellRange range = range_of(window, matrix.extents());
  PooledCells pooled = pooled_by_rows(matrix, range, most_texels(clip.height, options),
                                      most_texels(clip.width, options), options.pooling);
  if (!matrix.is_masked()) pooled.hidden.clear();
  return item_of(matrix, {range.row, range.col, drawn_cells(std::move(pooled))}, window, clip,
                 scale, options);
}

MatrixItem matrix_item(const Matrix& matrix, const PooledPart& part, const CellWindow& window,
                       const Rect& clip, const ColorScale& scale, const PlotOptions& options) {
  return item_of(matrix, cells_of(matrix, part, window, clip, options), window, clip, scale,
                 options);
}

ShownTexels shown_texels(const MatrixItem& m) {
  const Rect& all = m.rect;
  return {shown_along(all.y, all.height, m.clip.y, m.clip.height, m.cells->rows),
          shown_along(all.x, all.width, m.clip.x, m.clip.width, m.cells->cols)};
}

}  // namespace attn
