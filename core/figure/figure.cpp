// Hit testing of figures, the topmost shape first.
#include "figure/figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {
namespace {

// Applies the even-odd rule to the edges of the polygon.
bool inside_polygon(const std::vector<Point>& points, Point p) {
  bool inside = false;
  for (std::size_t i = 0, j = points.size() - 1; i < points.size(); j = i++) {
    const Point a = points[i], b = points[j];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    if (p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) inside = !inside;
  }
  return inside;
}

// Positions of the source cells along one axis.
struct CellSpan {
  double start = 0.0;  // of the first source cell, units
  double size = 0.0;   // of one source cell, units
  std::size_t first = 0;
  std::size_t end = 0;  // one past the last source cell drawn
};

CellSpan row_span(const MatrixItem& m) {
  const std::size_t cells = m.cells->rows * m.row_step;
  const std::size_t end = m.first_row + cells;
  return {m.rect.y, m.rect.height / static_cast<double>(cells), m.first_row,
          m.turn.upward ? end : std::min(m.row_count, end)};
}

// The row that is as far from the other end of the texels.
std::size_t mirrored(const MatrixItem& m, std::size_t row) {
  return 2 * m.first_row + m.cells->rows * m.row_step - 1 - row;
}

CellSpan col_span(const MatrixItem& m) {
  const std::size_t cells = m.cells->cols * m.col_step;
  return {m.rect.x, m.rect.width / static_cast<double>(cells), m.first_col,
          std::min(m.col_count, m.first_col + cells)};
}

// Narrows a side of the clip to the visible part of a source row or column; false when it has none.
bool clip_to(const CellSpan& span, std::size_t index, double& start, double& length) {
  if (index < span.first || index >= span.end) return false;
  const double at = span.start + static_cast<double>(index - span.first) * span.size;
  const double from = std::max(at, start);
  length = std::min(at + span.size, start + length) - from;
  start = from;
  return length > 0.0;
}

std::optional<std::size_t> cell_at(const CellSpan& span, double position) {
  const double cell = std::floor((position - span.start) / span.size);
  if (!(cell >= 0.0) || cell >= static_cast<double>(span.end - span.first)) return std::nullopt;
  return span.first + static_cast<std::size_t>(cell);
}

// Dots have an enlarged area, as lines have.
HitId hit(const RectItem& item, Point p) {
  const bool dot = item.radius > 0.0 && 2.0 * item.radius >= item.rect.width;
  const double reach = dot ? std::max(0.0, kDotReach - item.radius) : 0.0;
  return item.rect.grown(reach).contains(p) ? item.hit : HitId{};
}

// Distance between `p` and the nearest point of the line.
double distance(const LineItem& line, Point p) {
  const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
  const double along = (p.x - line.from.x) * dx + (p.y - line.from.y) * dy;
  const double part = std::clamp(along / std::max(dx * dx + dy * dy, 1e-12), 0.0, 1.0);
  return std::hypot(line.from.x + part * dx - p.x, line.from.y + part * dy - p.y);
}

HitId hit(const LineItem& item, Point p) {
  if (std::holds_alternative<std::monostate>(item.hit)) return {};
  return distance(item, p) <= std::max(item.width / 2.0, kLineReach) ? item.hit : HitId{};
}
HitId hit(const TextItem&, Point) { return {}; }

HitId hit(const PathItem& item, Point p) {
  return item.closed && !item.points.empty() && inside_polygon(item.points, p) ? item.hit : HitId{};
}

HitId hit(const MatrixItem& item, Point p) {
  const bool has_hits = item.origin || item.gathered;
  if (!has_hits || !has_cells(item) || !item.clip.contains(p)) return {};
  const auto row = cell_at(row_span(item), p.y);
  const auto col = cell_at(col_span(item), p.x);
  if (!row || !col) return {};
  if (item.gathered) return item.gathered->cell(*row, *col);
  const CellHit cell = source_cell(item, *row, *col);
  return (item.turn.transposed ? cell.col : cell.row) < item.row_count ? HitId(cell) : HitId();
}

}  // namespace

bool has_cells(const MatrixItem& m) {
  return m.cells != nullptr && m.cells->rows > 0 && m.cells->cols > 0;
}

CellHit source_cell(const MatrixItem& m, std::size_t row, std::size_t col) {
  if (m.turn.upward) row = mirrored(m, row);
  if (m.turn.transposed) std::swap(row, col);
  return {*m.origin, row, col};
}

HitId hit_of(const TensorHit& tensor) {
  return std::visit([](const auto& hit) { return HitId(hit); }, tensor);
}

std::optional<TensorHit> tensor_of(const HitId& hit) {
  if (const auto* stage = std::get_if<StageHit>(&hit)) return *stage;
  if (const auto* input = std::get_if<InputHit>(&hit)) return *input;
  return std::nullopt;
}

HitId hit_test(const Figure& figure, Point p) {
  for (auto item = figure.items.rbegin(); item != figure.items.rend(); ++item) {
    HitId id = std::visit([p](const auto& shape) { return hit(shape, p); }, *item);
    if (!std::holds_alternative<std::monostate>(id)) return id;
  }
  return {};
}

Rect cell_rect(const MatrixItem& matrix, std::optional<std::size_t> row,
               std::optional<std::size_t> col) {
  if (!has_cells(matrix)) return {};
  if (matrix.turn.transposed) std::swap(row, col);
  if (matrix.turn.upward && row) row = mirrored(matrix, *row);
  Rect cell = matrix.clip;
  const bool in_view = (!row || clip_to(row_span(matrix), *row, cell.y, cell.height)) &&
                       (!col || clip_to(col_span(matrix), *col, cell.x, cell.width));
  return in_view ? cell : Rect{};
}

const MatrixItem* find_matrix(const Figure& figure) {
  for (const FigureItem& item : figure.items) {
    if (const auto* matrix = std::get_if<MatrixItem>(&item)) return matrix;
  }
  return nullptr;
}

}  // namespace attn
