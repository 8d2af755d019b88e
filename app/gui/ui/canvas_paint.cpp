// Paints the items of a figure with ImGui's draw lists, crisp at whole pixels.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gui/ui/canvas.h"
#include "gui/ui/polygon.h"

namespace attn::gui {
namespace {

struct Painter {
  Ui& ui;
  ImDrawList& list;
  const Placement& at;

  ImVec2 pixel(Point p) const {
    return ImVec2(at.origin.x + static_cast<float>(p.x) * at.scale,
                  at.origin.y + static_cast<float>(p.y) * at.scale);
  }
  float length(double units) const { return static_cast<float>(units) * at.scale; }
  // Hairlines stay visible on screens of low density.
  float stroke(double units) const { return std::max(1.0F, length(units)); }

  void operator()(const RectItem& item) const;
  void operator()(const LineItem& item) const;
  void operator()(const PathItem& item) const;
  void operator()(const TextItem& item) const { ui.labels.draw(list, item, at); }
  void operator()(const MatrixItem& item) const;
};

ImVec2 rounded(ImVec2 p) { return ImVec2(std::round(p.x), std::round(p.y)); }

// Centre of a straight line's pixels: odd widths lie on half pixels.
float crisp(float position, float width) {
  const bool odd = std::lround(width) % 2 != 0;
  return odd ? std::floor(position) + 0.5F : std::round(position);
}

void Painter::operator()(const RectItem& item) const {
  const ImVec2 min = rounded(pixel({item.rect.x, item.rect.y}));
  const ImVec2 max =
      rounded(pixel({item.rect.x + item.rect.width, item.rect.y + item.rect.height}));
  const float radius = length(item.radius);
  if (item.fill.a != 0 && max.x > min.x && max.y > min.y) {
    list.AddRectFilled(min, max, to_imgui(item.fill), radius);
  }
  if (item.stroke.a == 0 || item.stroke_width <= 0.0) return;
  const float width = stroke(item.stroke_width);
  list.PathRect(ImVec2(crisp(min.x, width), crisp(min.y, width)),
                ImVec2(crisp(max.x, width), crisp(max.y, width)), radius);
  list.PathStroke(to_imgui(item.stroke), ImDrawFlags_Closed, width);
}

void stroke_segment(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float width) {
  list.PathLineTo(from);
  list.PathLineTo(to);
  list.PathStroke(color, ImDrawFlags_None, width);
}

void Painter::operator()(const LineItem& item) const {
  ImVec2 from = pixel(item.from), to = pixel(item.to);
  const float width = stroke(item.width);
  if (item.from.x == item.to.x) from.x = to.x = crisp(from.x, width);
  if (item.from.y == item.to.y) from.y = to.y = crisp(from.y, width);
  const ImU32 color = to_imgui(item.color);
  const float total = std::hypot(to.x - from.x, to.y - from.y);
  float period = 0.0F;
  for (const double dash : item.dash) period += length(dash);
  constexpr float kMostPeriods = 4000.0F;
  if (period <= 0.0F || total <= 0.0F || total / period > kMostPeriods) {
    stroke_segment(list, from, to, color, width);
    return;
  }
  const ImVec2 along((to.x - from.x) / total, (to.y - from.y) / total);
  const auto point = [&](float t) { return ImVec2(from.x + along.x * t, from.y + along.y * t); };
  float start = 0.0F;
  for (std::size_t i = 0; start < total; ++i) {
    const float end = std::min(total, start + length(item.dash[i % item.dash.size()]));
    if (i % 2 == 0 && end > start) stroke_segment(list, point(start), point(end), color, width);
    start = end;
  }
}

void Painter::operator()(const PathItem& item) const {
  std::vector<ImVec2> points;
  points.reserve(item.points.size());
  for (const Point& p : item.points) points.push_back(pixel(p));
  if (item.fill.a != 0 && points.size() >= 3) fill_polygon(list, points, to_imgui(item.fill));
  if (item.stroke.a == 0 || item.stroke_width <= 0.0 || points.size() < 2) return;
  list.AddPolyline(points.data(), static_cast<int>(points.size()), to_imgui(item.stroke),
                   item.closed ? ImDrawFlags_Closed : ImDrawFlags_None, stroke(item.stroke_width));
}

void Painter::operator()(const MatrixItem& item) const {
  if (item.cells == nullptr || item.cells->rows == 0 || item.cells->cols == 0) return;
  const Rect& clip = item.clip;
  list.PushClipRect(rounded(pixel({clip.x, clip.y})),
                    rounded(pixel({clip.x + clip.width, clip.y + clip.height})), true);
  ui.graphics.draw_matrix(list, item, at);
  list.PopClipRect();
}

}  // namespace

void paint(Ui& ui, ImDrawList& list, const Figure& figure, const Placement& at) {
  const Painter painter{ui, list, at};
  if (figure.background.a != 0) {
    RectItem ground;
    ground.rect = {0.0, 0.0, figure.width, figure.height};
    ground.fill = figure.background;
    painter(ground);
  }
  for (const FigureItem& item : figure.items) std::visit(painter, item);
}

}  // namespace attn::gui
