// Labels, their ticks, and the areas that the pointer finds them by.
#include "plot/parts/axis_labels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "figure/text.h"
#include "plot/parts/items.h"

namespace attn {
namespace {

// Indices of the labels drawn: multiples of the stride whose cell's middle is in view.
std::vector<std::size_t> shown_labels(const LabelPlace& place, std::size_t stride,
                                      std::size_t count) {
  std::vector<std::size_t> shown;
  const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(place.start - 0.5)));
  for (std::size_t i = (first + stride - 1) / stride * stride; i < count; i += stride) {
    if (static_cast<double>(i) + 0.5 > place.start + place.length) break;
    shown.push_back(i);
  }
  return shown;
}

HitId label_hit(const MatrixAxis& axis, std::size_t index) {
  if (!axis.tokens) return {};
  return TokenHit{axis.side, axis.sample, index};
}

// Says which cell a label stands for when its neighbours have none.
void add_tick(Figure& figure, Point cell, Point label, const FigureTheme& theme) {
  figure.items.push_back(LineItem{cell, label, theme.muted, 0.75, {}});
}

double tick_length(const LabelPlace& place) { return 0.7 * place.gap; }

// The turned rectangle about a label that starts at `foot` and runs `length` units.
PathItem label_area(Point foot, double degrees, double length, double half_height, HitId hit) {
  const double angle = degrees * std::numbers::pi / 180.0;
  const Point along{std::cos(angle), -std::sin(angle)};
  const Point across{std::sin(angle) * half_height, std::cos(angle) * half_height};
  const Point tip{foot.x + along.x * length, foot.y + along.y * length};
  PathItem area;
  area.points = {{foot.x - across.x, foot.y - across.y},
                 {tip.x - across.x, tip.y - across.y},
                 {tip.x + across.x, tip.y + across.y},
                 {foot.x + across.x, foot.y + across.y}};
  area.closed = true;
  area.hit = std::move(hit);
  return area;
}

}  // namespace

Color axis_color(const MatrixAxis& axis, const FigureTheme& theme, Color of_features) {
  if (!axis.tokens) return of_features;
  return axis.side == Side::Query ? theme.query : theme.key;
}

void add_row_labels(Figure& figure, const Document& document, const MatrixAxis& axis,
                    const LabelPlace& place, double aside, const FigureTheme& theme,
                    const TextMetrics& metrics) {
  const Rect& clip = place.clip;
  const double cell = clip.height / place.length;
  const std::size_t stride = label_stride(kLabelPitch * place.font.size, cell);
  const double right = clip.x - place.gap - aside;
  for (const std::size_t i : shown_labels(place, stride, axis.count)) {
    const double y = clip.y + (static_cast<double>(i) + 0.5 - place.start) * cell;
    TextItem item = text_item(
        {right, y},
        cut_in_middle(metrics, axis_label(document, axis, i), place.font, place.longest + 1e-6),
        place.font, place.color, HAlign::Right, VAlign::Middle);
    item.hit = label_hit(axis, i);
    if (stride > 1) add_tick(figure, {clip.x, y}, {clip.x - tick_length(place), y}, theme);
    RectItem area;
    const double height = std::min(std::max(cell, kLabelPitch * place.font.size), clip.height);
    area.rect = {right - place.longest, y - height / 2.0, place.longest, height};
    area.hit = item.hit;
    figure.items.push_back(area);
    figure.items.push_back(std::move(item));
  }
}

void add_column_labels(Figure& figure, const Document& document, const MatrixAxis& axis,
                       const LabelPlace& place, const ColumnStyle& style, const FigureTheme& theme,
                       const TextMetrics& metrics) {
  const Rect& clip = place.clip;
  const double cell = clip.width / place.length;
  const double foot = clip.y - place.gap;
  for (const std::size_t i : shown_labels(place, style.stride, axis.count)) {
    const double x = clip.x + (static_cast<double>(i) + 0.5 - place.start) * cell;
    if (style.stride > 1) add_tick(figure, {x, clip.y}, {x, clip.y - tick_length(place)}, theme);
    const bool flat = style.degrees == 0.0;
    const double rise = flat                    ? 0.2 * place.font.size
                        : style.degrees == 45.0 ? 0.35 * place.font.size
                                                : 0.0;
    TextItem item = text_item(
        {x, foot - rise},
        cut_in_middle(metrics, axis_label(document, axis, i), place.font, style.longest + 1e-6),
        place.font, place.color, flat ? HAlign::Center : HAlign::Left,
        flat ? VAlign::Baseline : VAlign::Middle);
    item.hit = label_hit(axis, i);
    item.degrees = style.degrees;
    if (flat) {
      RectItem area;
      const double width = std::max(cell, style.longest);
      area.rect = {x - width / 2.0, foot - style.height, width, style.height};
      area.hit = item.hit;
      figure.items.push_back(area);
    } else {
      figure.items.push_back(
          label_area({x, foot}, style.degrees, style.longest, 0.6 * place.font.size, item.hit));
    }
    figure.items.push_back(std::move(item));
  }
}

}  // namespace attn
