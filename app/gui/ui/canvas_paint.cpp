// Painting of figures with ImGui's draw lists, aligned to whole pixels.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "gui/ui/canvas.h"

namespace attn::gui {
namespace {

// --- Filled polygons that need not be convex, triangulated by ear clipping

// Twice the signed area; positive when a, b, c turn clockwise on screen (y grows downwards).
float turn(ImVec2 a, ImVec2 b, ImVec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

float area(std::span<const ImVec2> corners) {
  float sum = 0.0F;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    sum += turn(corners[0], corners[i], corners[i + 1]);
  }
  return sum;
}

bool inside(ImVec2 p, ImVec2 a, ImVec2 b, ImVec2 c) {
  return turn(a, b, p) > 0.0F && turn(b, c, p) > 0.0F && turn(c, a, p) > 0.0F;
}

// Convex and simple: corners that all turn one way may still wind around twice.
bool is_convex(std::span<const ImVec2> corners) {
  const std::size_t n = corners.size();
  int x_reversals = 0;
  float last_dx = 0.0F;
  for (std::size_t i = 0; i < n; ++i) {
    const ImVec2 a = corners[i], b = corners[(i + 1) % n], c = corners[(i + 2) % n];
    if (turn(a, b, c) < 0.0F) return false;
    const float dx = b.x - a.x;
    if (dx != 0.0F && last_dx != 0.0F && (dx < 0.0F) != (last_dx < 0.0F)) ++x_reversals;
    if (dx != 0.0F) last_dx = dx;
  }
  return x_reversals <= 2;
}

bool is_ear(std::span<const ImVec2> corners, const std::vector<std::size_t>& left, std::size_t i) {
  const std::size_t n = left.size();
  const std::size_t before = left[(i + n - 1) % n], here = left[i], after = left[(i + 1) % n];
  if (turn(corners[before], corners[here], corners[after]) < 0.0F) return false;
  return std::none_of(left.begin(), left.end(), [&](std::size_t other) {
    return other != before && other != here && other != after &&
           inside(corners[other], corners[before], corners[here], corners[after]);
  });
}

// Clockwise copy of the polygon, as required by ImGui and the ear test.
std::vector<ImVec2> clockwise(std::span<const ImVec2> corners) {
  std::vector<ImVec2> out(corners.begin(), corners.end());
  if (area(corners) < 0.0F) std::reverse(out.begin(), out.end());
  return out;
}

// Triangles of corner indices; incomplete for a polygon that crosses itself.
std::vector<std::array<std::size_t, 3>> ears_of(std::span<const ImVec2> corners) {
  std::vector<std::array<std::size_t, 3>> triangles;
  std::vector<std::size_t> left(corners.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (left.size() >= 3) {
    std::size_t i = 0;
    while (i < left.size() && !is_ear(corners, left, i)) ++i;
    if (i == left.size()) break;
    const std::size_t n = left.size();
    triangles.push_back({left[(i + n - 1) % n], left[i], left[(i + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return triangles;
}

void fill_polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 color) {
  if (corners.size() < 3) return;
  const std::vector<ImVec2> points = clockwise(corners);
  const int count = static_cast<int>(points.size());
  if (is_convex(points)) {
    list.AddConvexPolyFilled(points.data(), count, color);
    return;
  }
  // Anti-aliasing of each triangle would leave seams between them.
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  for (const auto& [a, b, c] : ears_of(points)) {
    list.AddTriangleFilled(points[a], points[b], points[c], color);
  }
  list.Flags = flags;
  if ((color >> IM_COL32_A_SHIFT) == 0xFF) {
    list.AddPolyline(points.data(), count, color, ImDrawFlags_Closed, 1.0F);
  }
}

struct Painter {
  Ui& ui;
  ImDrawList& list;
  const Placement& at;

  ImVec2 pixel(Point p) const {
    return ImVec2(at.origin.x + static_cast<float>(p.x) * at.scale,
                  at.origin.y + static_cast<float>(p.y) * at.scale);
  }
  float length(double units) const { return static_cast<float>(units) * at.scale; }
  // Keeps hairlines visible on screens of low density.
  float stroke(double units) const { return std::max(1.0F, length(units)); }

  void operator()(const RectItem& item) const;
  void operator()(const LineItem& item) const;
  void operator()(const PathItem& item) const;
  void operator()(const TextItem& item) const { ui.labels.draw(list, item, at); }
  void operator()(const MatrixItem& item) const;
};

ImVec2 rounded(ImVec2 p) { return ImVec2(std::round(p.x), std::round(p.y)); }

// Centre of a straight line in pixels: lines of odd width lie on half pixels.
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
  float start = -std::fmod(length(item.dash_phase), period);
  for (std::size_t i = 0; start < total; ++i) {
    const float end = std::min(total, start + length(item.dash[i % item.dash.size()]));
    const float shown = std::max(start, 0.0F);
    if (i % 2 == 0 && end > shown) stroke_segment(list, point(shown), point(end), color, width);
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
