#include "plot/marks.h"

#include <algorithm>

#include "plot/heatmap.h"
#include "plot/items.h"

namespace attn {
namespace {

// A pin belongs to one head; its cell (q, k) is there in all stages that have one.
bool shows(const MatrixItem& m, const CellHit& pin) {
  if (!m.origin || !same_axes(pin.matrix, *m.origin)) return false;
  const HeadAddress &shown = m.origin->head, &pinned = pin.matrix.head;
  const bool all_heads = !stage_info(m.origin->stage).per_head;
  return pinned.layer == shown.layer && pinned.sample == shown.sample &&
         (all_heads || pinned.head == shown.head);
}

// A frame about a cell, no smaller than can be seen, with a halo so that it shows on every colour.
Rect mark_rect(const Rect& cell, double smallest) {
  const double width = std::max(cell.width, smallest);
  const double height = std::max(cell.height, smallest);
  return {cell.x + (cell.width - width) / 2.0, cell.y + (cell.height - height) / 2.0, width,
          height};
}

void add_mark(Figure& figure, const Rect& rect, Color color, Color halo) {
  RectItem frame;
  frame.rect = rect;
  frame.stroke = halo;
  frame.stroke_width = 3.5;
  figure.items.push_back(frame);
  frame.stroke = color;
  frame.stroke_width = 1.8;
  figure.items.push_back(frame);
}

Point middle_of(const Rect& r) { return {r.x + r.width / 2.0, r.y + r.height / 2.0}; }

void add_badge(Figure& figure, const Rect& rect, std::size_t number, const PlotOptions& options) {
  const FigureTheme& theme = figure_theme(options.theme);
  const double font = options.font_size, side = 1.15 * font;
  RectItem badge;
  badge.rect = {std::min(rect.x + rect.width - side / 2.0, figure.width - side),
                std::max(rect.y - side / 2.0, 0.0), side, side};
  badge.fill = theme.accent;
  badge.stroke = theme.background;
  badge.stroke_width = 1.0;
  badge.radius = side / 2.0;
  figure.items.push_back(badge);
  TextItem text = text_item(middle_of(badge.rect), std::to_string(number),
                            {0.8 * font, true, false}, readable_on(theme.accent));
  text.halign = HAlign::Center;
  text.valign = VAlign::Middle;
  figure.items.push_back(text);
}

// Badges are the only discs of a heatmap.
bool is_badge(const RectItem& item) {
  return item.fill.a > 0 && item.radius > 0.0 && item.rect.width == 2.0 * item.radius &&
         item.rect.height == item.rect.width;
}

// Each badge with its number, as they stand in the heatmap.
void add_badges_of(const Figure& heatmap, Figure& figure) {
  for (std::size_t i = 0; i + 1 < heatmap.items.size(); ++i) {
    const auto* badge = std::get_if<RectItem>(&heatmap.items[i]);
    if (badge == nullptr || !is_badge(*badge)) continue;
    figure.items.push_back(*badge);
    figure.items.push_back(heatmap.items[i + 1]);
  }
}

}  // namespace

void add_pins(Figure& figure, const MatrixItem& m, const PlotOptions& options) {
  const FigureTheme& theme = figure_theme(options.theme);
  const double font = options.font_size;
  for (std::size_t i = 0; i < options.pins.size(); ++i) {
    const CellHit& pin = options.pins[i];
    if (!shows(m, pin)) continue;
    const Rect cell = cell_rect(m, pin.row, pin.col);
    if (cell.width <= 0.0) continue;
    const Rect rect = mark_rect(cell, 0.7 * font);
    add_mark(figure, rect, theme.accent, theme.background);
    add_badge(figure, rect, i + 1, options);
  }
}

Figure heatmap_hover(const Figure& heatmap, const CellHit& cell, ThemeKind kind) {
  const FigureTheme& theme = figure_theme(kind);
  Figure figure;
  figure.width = heatmap.width;
  figure.height = heatmap.height;
  figure.background = {0, 0, 0, 0};
  const MatrixItem* m = find_matrix(heatmap);
  if (m == nullptr) return figure;
  const Rect rect = cell_rect(*m, cell.row, cell.col);
  if (rect.width <= 0.0) return figure;
  const auto add_band = [&](const Rect& band) {
    RectItem item;
    item.rect = band;
    // Lines and no tint: the colours inside must still be those of the colour bar.
    item.stroke = with_alpha(theme.accent, 220);
    item.stroke_width = 1.2;
    figure.items.push_back(item);
  };
  add_band({m->clip.x, rect.y, m->clip.width, rect.height});
  add_band({rect.x, m->clip.y, rect.width, m->clip.height});
  for (const FigureItem& item : heatmap.items) {
    const auto* text = std::get_if<TextItem>(&item);
    const auto* token = text != nullptr ? std::get_if<TokenHit>(&text->hit) : nullptr;
    if (token == nullptr) continue;
    const bool is_row = text->anchor.x < m->clip.x && text->halign == HAlign::Right;
    if (token->index != (is_row ? cell.row : cell.col)) continue;
    TextItem strong = *text;
    strong.color = theme.accent;
    figure.items.push_back(strong);
  }
  add_mark(figure, mark_rect(rect, 5.0), theme.ink, theme.background);
  add_badges_of(heatmap, figure);
  return figure;
}

}  // namespace attn
