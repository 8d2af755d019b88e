// Viewport after a notch of the wheel or a drag.
#include "gui/panels/pane/zoom.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {
namespace {

constexpr double kFactorPerNotch = 1.25, kFewestCells = 2.0;

// Cells of the source per figure unit, down and across.
CellPoint cells_per_unit(const MatrixItem& matrix) {
  const double rows = static_cast<double>(matrix.cells->rows * matrix.row_step);
  const double cols = static_cast<double>(matrix.cells->cols * matrix.col_step);
  return {rows / matrix.rect.height, cols / matrix.rect.width};
}

double inside(double begin, double count, double total) {
  return std::clamp(begin, 0.0, std::max(0.0, total - count));
}

CellWindow whole_window(const MatrixItem& matrix) {
  return {0.0, 0.0, static_cast<double>(matrix.row_count), static_cast<double>(matrix.col_count)};
}

}  // namespace

std::vector<const MatrixItem*> model_matrices(const Figure& figure) {
  std::vector<const MatrixItem*> matrices;
  for (const FigureItem& item : figure.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    if (matrix != nullptr && matrix->origin && !matrix->cells->values.empty()) {
      matrices.push_back(matrix);
    }
  }
  return matrices;
}

const MatrixItem* item_of(const Figure& figure, const MatrixId& id) {
  for (const MatrixItem* matrix : model_matrices(figure)) {
    if (matrix->origin == id) return matrix;
  }
  return nullptr;
}

CellPoint cell_point(const MatrixItem& matrix, Point p) {
  const CellPoint per_unit = cells_per_unit(matrix);
  return {static_cast<double>(matrix.first_row) + (p.y - matrix.rect.y) * per_unit.row,
          static_cast<double>(matrix.first_col) + (p.x - matrix.rect.x) * per_unit.col};
}

std::optional<CellWindow> zoomed(const CellWindow& window, const MatrixItem& matrix, Point p,
                                 double notches) {
  const CellWindow whole = whole_window(matrix);
  const CellWindow from = window.rows > 0.0 ? window : whole;
  const CellPoint centre = cell_point(matrix, p);
  // One factor for both directions keeps the proportions of cells.
  const double most = std::max(whole.rows / from.rows, whole.cols / from.cols);
  const double least = std::min(1.0, std::max(kFewestCells / from.rows, kFewestCells / from.cols));
  const double factor = std::clamp(std::pow(kFactorPerNotch, -notches), least, most);
  CellWindow next;
  next.rows = std::min(whole.rows, from.rows * factor);
  next.cols = std::min(whole.cols, from.cols * factor);
  if (next.rows >= whole.rows && next.cols >= whole.cols) return std::nullopt;
  const double row_factor = next.rows / from.rows, col_factor = next.cols / from.cols;
  next.row = inside(centre.row - (centre.row - from.row) * row_factor, next.rows, whole.rows);
  next.col = inside(centre.col - (centre.col - from.col) * col_factor, next.cols, whole.cols);
  return next;
}

std::optional<CellWindow> in_whole_pixels(const CellWindow& window, const MatrixItem& matrix,
                                          double pixels_per_unit) {
  const Rect& rect = matrix.rect;
  const double now = pixels_per_unit / cells_per_unit(matrix).col;
  const double notches = std::log(std::max(1.0, std::round(now)) / now) / std::log(kFactorPerNotch);
  return zoomed(window, matrix, {rect.x + rect.width / 2.0, rect.y + rect.height / 2.0}, notches);
}

CellWindow cells_within(const MatrixItem& matrix, Point a, Point b) {
  const CellWindow whole = whole_window(matrix);
  const CellPoint first = cell_point(matrix, {std::min(a.x, b.x), std::min(a.y, b.y)});
  const CellPoint last = cell_point(matrix, {std::max(a.x, b.x), std::max(a.y, b.y)});
  CellWindow cells;
  cells.row = std::clamp(std::floor(first.row), 0.0, whole.rows - 1.0);
  cells.col = std::clamp(std::floor(first.col), 0.0, whole.cols - 1.0);
  cells.rows = std::clamp(std::ceil(last.row), cells.row + 1.0, whole.rows) - cells.row;
  cells.cols = std::clamp(std::ceil(last.col), cells.col + 1.0, whole.cols) - cells.col;
  return cells;
}

CellWindow brought_into_view(const CellWindow& window, const OverviewHit& overview, Point p) {
  const Rect& rect = overview.rect;
  const double rows = static_cast<double>(overview.rows), cols = static_cast<double>(overview.cols);
  CellWindow next = window;
  next.row = inside((p.y - rect.y) / rect.height * rows - next.rows / 2.0, next.rows, rows);
  next.col = inside((p.x - rect.x) / rect.width * cols - next.cols / 2.0, next.cols, cols);
  return next;
}

CellWindow panned(const CellWindow& window, const MatrixItem& matrix, Point delta) {
  const CellWindow whole = whole_window(matrix);
  CellWindow next = window.rows > 0.0 ? window : whole;
  const CellPoint per_unit = cells_per_unit(matrix);
  next.row = inside(next.row - delta.y * per_unit.row, next.rows, whole.rows);
  next.col = inside(next.col - delta.x * per_unit.col, next.cols, whole.cols);
  return next;
}

}  // namespace attn::gui
