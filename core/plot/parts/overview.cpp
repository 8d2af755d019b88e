// Draws the whole beside its part.
#include "plot/parts/overview.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/read/derivation.h"
#include "plot/colors/tints.h"
#include "plot/parts/items.h"
#include "plot/parts/matrix_item.h"

namespace attn {
namespace {

// In font sizes.
constexpr double kLeastSide = 8.0, kMostSide = 11.5;
constexpr double kMargin = 0.8, kEdge = 0.25;
constexpr double kShareOfClip = 0.25;  // of its shorter side
constexpr double kMostOfClip = 0.4;
constexpr double kThinnest = 0.15;     // of a long matrix, of its longer side
constexpr std::size_t kFewCells = 32;  // are large, and easily found again

CellWindow whole_window(const StageShape& extents) {
  return {0.0, 0.0, static_cast<double>(extents.rows), static_cast<double>(extents.cols)};
}

// A part is in view, of more than a few cells.
bool is_part(const Overview& o) {
  const StageShape extents = o.matrix.extents();
  const CellWindow whole = whole_window(extents);
  const bool has_many = std::max(extents.rows, extents.cols) >= kFewCells;
  return has_many && (o.window.rows < whole.rows || o.window.cols < whole.cols);
}

// In the upper right corner, which a causal mask leaves empty; width 0 where there is no room.
Rect place_of(const Overview& o) {
  const double font = o.options.font_size;
  const double shorter = std::min(o.clip.width, o.clip.height);
  const double side = std::clamp(kShareOfClip * shorter, kLeastSide * font, kMostSide * font);
  if (side > kMostOfClip * shorter) return {};
  const StageShape extents = o.matrix.extents();
  const double rows = static_cast<double>(extents.rows), cols = static_cast<double>(extents.cols);
  const double longer = std::max(rows, cols);
  const double width = side * std::max(cols / longer, kThinnest);
  const double height = side * std::max(rows / longer, kThinnest);
  return {o.clip.x + o.clip.width - width - kMargin * font, o.clip.y + kMargin * font, width,
          height};
}

// Of a matrix that somebody has: read once, and kept with the result.
PooledPartPtr read_now(const Overview& o) {
  const StageShape extents = o.matrix.extents();
  PooledMemo& memo = o.input.result.pooled_memo();
  const std::string key = "overview of " + text_of(o.matrix.id());
  if (auto known = std::dynamic_pointer_cast<const PooledPart>(memo.find(key))) return known;
  auto part = std::make_shared<PooledPart>();
  part->range = {0, 0, extents.rows, extents.cols};
  part->cells =
      pooled_by_rows(o.matrix, part->range, kOverviewSide, kOverviewSide, Pooling::Maximum);
  memo.keep(key, part);
  return part;
}

PooledPartPtr part_of(const Overview& o) {
  if (o.cells == nullptr) return read_now(o);
  if (o.input.derivations == nullptr) return nullptr;
  return pooled_part(*o.input.derivations, *o.cells, whole_window(o.matrix.extents()));
}

// The largest of each row as it is drawn, where colours are parts of it.
std::vector<float> tops_of(const MatrixCells& cells, const PlotOptions& options) {
  if (!has_parts_of_rows(options)) return {};
  std::vector<float> tops(cells.rows);
  for (std::size_t row = 0; row < cells.rows; ++row) {
    for (std::size_t col = 0; col < cells.cols; ++col) {
      const float value = cells.values[row * cells.cols + col];
      if (std::isfinite(value)) tops[row] = std::max(tops[row], value);
    }
  }
  return tops;
}

// A picture, whose cells are not to be pointed at.
MatrixItem item_of(const Overview& o, const PooledPart& part, const Rect& rect) {
  PlotOptions options = o.options;
  options.pixel_budget = kOverviewSide;
  MatrixItem item =
      matrix_item(o.matrix, part, whole_window(o.matrix.extents()), rect, o.scale, options);
  item.origin.reset();
  const std::vector<float> tops = tops_of(*item.cells, options);
  const RowTops rows{item.first_row, item.row_step, tops};
  return tinted(std::move(item), o.matrix, options, &rows);
}

void add_rect(Figure& figure, const Rect& rect, Color fill, Color stroke, double width) {
  RectItem item;
  item.rect = rect;
  item.fill = fill;
  item.stroke = stroke;
  item.stroke_width = width;
  figure.items.push_back(item);
}

// The part in view, large enough to be seen, and inside the picture.
Rect frame_of(const Overview& o, const Rect& rect) {
  constexpr double kLeast = 5.0;
  const CellWindow whole = whole_window(o.matrix.extents());
  Rect frame;
  frame.width = std::clamp(o.window.cols / whole.cols * rect.width, kLeast, rect.width);
  frame.height = std::clamp(o.window.rows / whole.rows * rect.height, kLeast, rect.height);
  const double x = (o.window.col + o.window.cols / 2.0) / whole.cols * rect.width;
  const double y = (o.window.row + o.window.rows / 2.0) / whole.rows * rect.height;
  frame.x = rect.x + std::clamp(x - frame.width / 2.0, 0.0, rect.width - frame.width);
  frame.y = rect.y + std::clamp(y - frame.height / 2.0, 0.0, rect.height - frame.height);
  return frame;
}

void add_frame(Figure& figure, const Rect& frame, const FigureTheme& theme) {
  constexpr Color kNone{0, 0, 0, 0};
  add_rect(figure, frame, kNone, with_alpha(theme.background, 220), 3.5);
  add_rect(figure, frame, kNone, theme.accent, 1.5);
}

}  // namespace

void add_overview(Figure& figure, const Overview& o) {
  if (!o.options.overview || !is_part(o)) return;
  const Rect rect = place_of(o);
  const PooledPartPtr part = rect.width > 0.0 ? part_of(o) : nullptr;
  if (part == nullptr) return;
  const FigureTheme& theme = figure_theme(o.options.theme);
  const double edge = kEdge * o.options.font_size;
  add_rect(figure,
           {rect.x - edge, rect.y - edge, rect.width + 2.0 * edge, rect.height + 2.0 * edge},
           with_alpha(theme.background, 215), theme.muted, 0.75);
  figure.items.push_back(item_of(o, *part, rect));
  add_frame(figure, frame_of(o, rect), theme);
  RectItem area;
  area.rect = rect;
  area.hit = OverviewHit{rect, o.matrix.extents().rows, o.matrix.extents().cols};
  figure.items.push_back(area);
}

}  // namespace attn
