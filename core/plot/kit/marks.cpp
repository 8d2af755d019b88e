// Drawing of marks, and the rules by which they belong to a matrix.
#include "plot/kit/marks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "plot/kit/page.h"

namespace attn {
namespace {

// Frame about a cell, at least `smallest` units wide and high.
Rect mark_rect(const Rect& cell, double smallest) {
  const double width = std::max(cell.width, smallest);
  const double height = std::max(cell.height, smallest);
  return {cell.x + (cell.width - width) / 2.0, cell.y + (cell.height - height) / 2.0, width,
          height};
}

void add_mark(Figure& figure, const Rect& rect, Color color, Color halo) {
  RectItem frame{.rect = rect, .stroke = halo, .stroke_width = 3.5};
  figure.add(frame);
  frame.stroke = color;
  frame.stroke_width = 1.8;
  figure.add(frame);
}

void add_badge(Figure& figure, const Rect& rect, std::size_t number, const PlotOptions& options) {
  const FigureTheme& theme = figure_theme(options.theme);
  const double font = options.font_size, side = 1.15 * font;
  RectItem badge{.rect = {std::min(rect.right() - side / 2.0, figure.width - side),
                          std::max(rect.y - side / 2.0, 0.0), side, side},
                 .fill = theme.accent,
                 .stroke = theme.background,
                 .stroke_width = 1.0,
                 .radius = side / 2.0};
  figure.add(badge);
  figure.add(
      text_in(badge.rect, std::to_string(number), {0.8 * font, true}, readable_on(theme.accent)));
}

const MatrixItem* matrix_at(const Figure& figure, std::size_t item) {
  return item < figure.items.size() ? std::get_if<MatrixItem>(&figure.items[item]) : nullptr;
}

// A row, a column or both.
struct Place {
  std::optional<std::size_t> row, col;
};

// Draws the labels of the place again in colour. The old letters are painted over in the background
// colour first: antialiased edges would let them shine through.
void add_strong_labels(Figure& marks, const Figure& figure, std::size_t matrix, const Place& place,
                       const FigureTheme& theme) {
  for (const FigurePart& part : figure.parts) {
    if (part.matrix != matrix || part.kind == FigurePart::Kind::Badge) continue;
    const bool rows = part.kind == FigurePart::Kind::RowLabels;
    for (std::size_t i = part.first; i < part.end; ++i) {
      const auto* text = std::get_if<TextItem>(&figure.items[i]);
      const auto* token = text != nullptr ? std::get_if<TokenHit>(&text->hit) : nullptr;
      if (token == nullptr || token->index != (rows ? place.row : place.col)) continue;
      for (const Color color : {theme.background, theme.background, theme.accent}) {
        TextItem strong = *text;
        strong.color = color;
        marks.add(std::move(strong));
      }
    }
  }
}

// The row and the column of the token in a matrix.
Place place_of(const MatrixId& matrix, const TokenHit& token, bool one_sequence) {
  if (matrix.head.sample != token.sample) return {};
  const auto on = [&](std::optional<Side> side) {
    const bool same = side && (one_sequence || *side == token.side);
    return same ? std::optional(token.index) : std::nullopt;
  };
  return {on(row_side(matrix)), on(column_side(matrix))};
}

// Frames about the visible parts of the row and the column, at least `thinnest` units wide. Lines
// without a tint: the colours inside must match the colour bar.
void add_bands(Figure& marks, const MatrixItem& m, const Place& place, double thinnest,
               RectItem band) {
  const auto add = [&](const Rect& rect) {
    band.rect = {rect.x, rect.y, std::max(rect.width, thinnest), std::max(rect.height, thinnest)};
    if (rect.width > 0.0) marks.add(band);
  };
  if (place.row) add(cell_rect(m, place.row, {}));
  if (place.col) add(cell_rect(m, {}, place.col));
}

void add_badges(Figure& marks, const Figure& figure) {
  for (const FigurePart& part : figure.parts) {
    if (part.kind != FigurePart::Kind::Badge) continue;
    for (std::size_t i = part.first; i < part.end; ++i) marks.add(figure.items[i]);
  }
}

}  // namespace

Figure overlay_of(const Figure& figure) {
  Figure over{.width = figure.width, .height = figure.height};
  over.background.a = 0;
  return over;
}

bool shows_pin(const MatrixItem& m, const CellHit& pin) {
  if (!m.origin || pin.matrix.making != m.origin->making) return false;
  if (!same_axes(pin.matrix, *m.origin)) return false;
  const HeadAddress &shown = m.origin->head, &pinned = pin.matrix.head;
  const bool all_heads = is_computed(pin.matrix) && !stage_info(m.origin->stage).per_head;
  return pinned.layer == shown.layer && pinned.sample == shown.sample &&
         (all_heads || pinned.head == shown.head);
}

void add_pins(Figure& figure, std::size_t matrix, const PlotOptions& options) {
  const FigureTheme& theme = figure_theme(options.theme);
  const MatrixItem m = std::get<MatrixItem>(figure.items[matrix]);
  for (std::size_t i = 0; i < options.pins.size(); ++i) {
    const CellHit& pin = options.pins[i];
    if (!shows_pin(m, pin)) continue;
    const Rect cell = cell_rect(m, pin.row, pin.col);
    if (cell.width <= 0.0) continue;
    const Rect rect = mark_rect(cell, 0.7 * options.font_size);
    add_mark(figure, rect, theme.accent, theme.background);
    add_part(figure, FigurePart::Kind::Badge, matrix,
             [&] { add_badge(figure, rect, i + 1, options); });
  }
}

bool is_link_of(const LineItem& line, const CellHit& cell) {
  const auto* link = std::get_if<CellHit>(&line.hit);
  return link != nullptr && link->row == cell.row && link->col == cell.col &&
         link->matrix.head == cell.matrix.head && same_axes(link->matrix, cell.matrix);
}

void add_marked(Figure& figure, LineItem link, const FigureTheme& theme) {
  link.color.a = 255;
  link.width = 2.0 * link.width + 1.0;
  LineItem halo = link;
  halo.color = theme.background;
  halo.width += 2.0;
  figure.add(std::move(halo));
  figure.add(std::move(link));
}

Figure token_marks(const Figure& figure, const TokenHit& token, bool one_sequence, ThemeKind kind) {
  constexpr double kThinnest = 3.0;
  const RectItem band{.stroke = with_alpha(figure_theme(kind).accent, 220), .stroke_width = 1.6};
  Figure marks = overlay_of(figure);
  for (std::size_t i = 0; i < figure.items.size(); ++i) {
    const MatrixItem* m = matrix_at(figure, i);
    if (m == nullptr || !m->origin) continue;
    const Place place = place_of(*m->origin, token, one_sequence);
    add_bands(marks, *m, place, kThinnest, band);
    add_strong_labels(marks, figure, i, place, figure_theme(kind));
  }
  return marks;
}

Figure hover_marks(const Figure& figure, const CellHit& cell, ThemeKind kind) {
  const FigureTheme& theme = figure_theme(kind);
  Figure marks = overlay_of(figure);
  const RectItem band{.stroke = with_alpha(theme.accent, 220), .stroke_width = 1.2};
  for (std::size_t i = 0; i < figure.items.size(); ++i) {
    const auto* line = std::get_if<LineItem>(&figure.items[i]);
    if (line != nullptr && is_link_of(*line, cell)) add_marked(marks, *line, theme);
    const MatrixItem* m = matrix_at(figure, i);
    if (m == nullptr || !m->origin || !same_axes(*m->origin, cell.matrix)) continue;
    const Rect rect = cell_rect(*m, cell.row, cell.col);
    if (rect.width <= 0.0) continue;
    if (m->origin == cell.matrix) {
      add_bands(marks, *m, {cell.row, cell.col}, 0.0, band);
      add_strong_labels(marks, figure, i, {cell.row, cell.col}, theme);
    }
    add_mark(marks, mark_rect(rect, 5.0), theme.ink, theme.background);
  }
  if (!marks.items.empty()) add_badges(marks, figure);
  return marks;
}

}  // namespace attn
