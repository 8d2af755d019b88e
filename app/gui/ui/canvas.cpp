// Painting of figures with ImGui's draw lists, aligned to whole pixels; hit testing under the
// pointer, and probe records for tests and scripts.
#include "gui/ui/canvas.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "figure/text.h"
#include "plot/kit/names.h"

namespace attn::gui {
namespace {

constexpr float kDragThreshold = 3.0F;  // units; a shorter way is a click

void read_button(const Ui& ui, CanvasEvents& events) {
  const ImGuiIO& io = ImGui::GetIO();
  const float threshold = ui.px(kDragThreshold);
  const bool moved = io.MouseDragMaxDistanceSqr[0] >= threshold * threshold;
  events.pressed = ImGui::IsItemActivated();
  if (ImGui::IsItemActive() && moved) {
    const ImVec2 delta = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, threshold);
    events.dragging = true;
    events.drag_delta = {delta.x / ui.scale, delta.y / ui.scale};
    ImGui::ResetMouseDragDelta(ImGuiMouseButton_Left);
  }
  events.released = ImGui::IsItemDeactivated();
  events.clicked = events.released && events.hovered && !moved;
}

void read_middle_button(const Ui& ui, CanvasEvents& events) {
  const bool dragged = ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0.0F);
  if (!events.hovered || !dragged || events.dragging) return;
  const ImVec2 delta = ImGui::GetMouseDragDelta(ImGuiMouseButton_Middle, 0.0F);
  events.middle_dragging = true;
  events.drag_delta = {delta.x / ui.scale, delta.y / ui.scale};
  ImGui::ResetMouseDragDelta(ImGuiMouseButton_Middle);
}

constexpr std::size_t kMaxProbedCells = 64;

struct ProbedShape {
  Rect box;
  std::string text;
};

Rect box_of(const TextItem& item) {
  const TextExtent extent = pango_metrics().measure(item.text, item.font);
  const Point pen = pen_offset(item, extent);
  const double radians = item.degrees * std::numbers::pi / 180.0;
  const auto turned = [&](double x, double y) -> Rect {
    return {item.anchor.x + x * std::cos(radians) + y * std::sin(radians),
            item.anchor.y - x * std::sin(radians) + y * std::cos(radians), 0.0, 0.0};
  };
  const double top = pen.y - extent.ascent, bottom = pen.y + extent.descent;
  return united(united(turned(pen.x, top), turned(pen.x + extent.width, top)),
                united(turned(pen.x, bottom), turned(pen.x + extent.width, bottom)));
}

void note(std::map<std::string, ProbedShape>& seen, const HitId& hit, const Rect& box,
          const std::string& text) {
  const std::string name = hit_name(hit);
  if (name.empty() || box.width <= 0.0 || box.height <= 0.0) return;
  const auto [entry, first] = seen.try_emplace(name, ProbedShape{box, text});
  if (first) return;
  entry->second.box = united(entry->second.box, box);
  if (entry->second.text.empty()) entry->second.text = text;
}

void record(Probe& probe, std::string_view id, const std::string& name, const Rect& box,
            const Placement& at, std::string_view value) {
  probe.record_rect(std::string(id) + "/" + name, at.pixel({box.x, box.y}),
                    at.pixel({box.x + box.width, box.y + box.height}), value);
}

void record_cells(Probe& probe, std::string_view id, const MatrixItem& matrix,
                  const Placement& at) {
  if (matrix.row_count > kMaxProbedCells || matrix.col_count > kMaxProbedCells) return;
  for (std::size_t r = 0; r < matrix.row_count; ++r) {
    for (std::size_t c = 0; c < matrix.col_count; ++c) {
      const Rect box = cell_rect(matrix, r, c);
      if (box.width <= 0.0) continue;
      const std::size_t texel = (r - matrix.first_row) / matrix.row_step * matrix.cells->cols +
                                (c - matrix.first_col) / matrix.col_step;
      const bool hidden = !matrix.cells->hidden.empty() && matrix.cells->hidden[texel] != 0;
      record(probe, id, "cell/" + std::to_string(r) + "," + std::to_string(c), box, at,
             hidden ? "hidden" : shortest_text(matrix.cells->values[texel]));
    }
  }
}

// Records "ID/cell/ROW,COL" for the first matrix and "ID/map/INDEX/cell/ROW,COL" for each of at
// most 64 × 64 cells, with the number as value; "ID/stage/NAME", "ID/head/INDEX",
// "ID/label/HEAD/NAME" and "ID/token/query/INDEX" (or key), with their text as value.
void record_hits(Probe& probe, std::string_view id, const Figure& figure, const Placement& at) {
  std::map<std::string, ProbedShape> seen;
  std::size_t maps = 0;
  for (const FigureItem& item : figure.items) {
    if (const auto* rect = std::get_if<RectItem>(&item)) {
      // A tensor may be drawn in several places; the topmost is recorded.
      if (tensor_of(rect->hit)) seen.erase(hit_name(rect->hit));
      note(seen, rect->hit, rect->rect, "");
    } else if (const auto* path = std::get_if<PathItem>(&item)) {
      note(seen, path->hit, path_bounds(*path), "");
    } else if (const auto* text = std::get_if<TextItem>(&item)) {
      note(seen, text->hit, box_of(*text), text->text);
    } else if (const auto* matrix = std::get_if<MatrixItem>(&item); matrix && matrix->origin) {
      // One without origin is not part of the model.
      if (maps == 0) record_cells(probe, id, *matrix, at);
      record_cells(probe, std::string(id) + "/map/" + std::to_string(maps++), *matrix, at);
    }
  }
  for (const auto& [name, what] : seen) record(probe, id, name, what.box, at, what.text);
}

// Twice the signed area of a convex polygon; positive when its corners turn clockwise on screen.
float area(std::span<const ImVec2> corners) {
  float sum = 0.0F;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const ImVec2 a = corners[0], b = corners[i], c = corners[i + 1];
    sum += (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  }
  return sum;
}

ImVec2 rounded(ImVec2 p) { return ImVec2(std::round(p.x), std::round(p.y)); }

// Centre of a straight line in pixels: lines of odd width lie on half pixels.
float crisp(float position, float width) {
  const bool odd = std::lround(width) % 2 != 0;
  return odd ? std::floor(position) + 0.5F : std::round(position);
}

void stroke_segment(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float width) {
  list.PathLineTo(from);
  list.PathLineTo(to);
  list.PathStroke(color, ImDrawFlags_None, width);
}

struct Painter {
  Ui& ui;
  ImDrawList& list;
  const Placement& at;

  ImVec2 pixel(Point p) const { return at.pixel(p); }
  float length(double units) const { return static_cast<float>(units) * at.scale; }
  // Keeps hairlines visible on screens of low density.
  float stroke(double units) const { return std::max(1.0F, length(units)); }

  void operator()(const RectItem& item) const {
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
  void operator()(const LineItem& item) const {
    ImVec2 from = pixel(item.from), to = pixel(item.to);
    const float width = stroke(item.width);
    if (item.from.x == item.to.x) from.x = to.x = crisp(from.x, width);
    if (item.from.y == item.to.y) from.y = to.y = crisp(from.y, width);
    const ImU32 color = to_imgui(item.color);
    const float total = std::hypot(to.x - from.x, to.y - from.y);
    float period = 0.0F;
    for (const double dash : item.dash) period += length(dash);
    constexpr float kMaxPeriods = 4000.0F;
    if (period <= 0.0F || total <= 0.0F || total / period > kMaxPeriods) {
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
  void operator()(const PathItem& item) const {
    std::vector<ImVec2> points;
    points.reserve(item.points.size());
    for (const Point& p : item.points) points.push_back(pixel(p));
    if (area(points) < 0.0F) std::ranges::reverse(points);  // as ImGui fills smoothly
    const int count = static_cast<int>(points.size());
    if (item.fill.a != 0) list.AddConvexPolyFilled(points.data(), count, to_imgui(item.fill));
    if (item.stroke.a == 0 || item.stroke_width <= 0.0 || points.size() < 2) return;
    list.AddPolyline(points.data(), count, to_imgui(item.stroke),
                     item.closed ? ImDrawFlags_Closed : ImDrawFlags_None,
                     stroke(item.stroke_width));
  }
  void operator()(const TextItem& item) const { ui.labels.draw(list, item, at); }
  void operator()(const MatrixItem& item) const {
    if (item.cells == nullptr || item.cells->rows == 0 || item.cells->cols == 0) return;
    const Rect& clip = item.clip;
    list.PushClipRect(rounded(pixel({clip.x, clip.y})),
                      rounded(pixel({clip.x + clip.width, clip.y + clip.height})), true);
    ui.graphics.draw_matrix(list, item, at);
    list.PopClipRect();
  }
};

}  // namespace

Rect united(const Rect& a, const Rect& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x,
          std::max(a.y + a.height, b.y + b.height) - y};
}

Rect path_bounds(const PathItem& path) {
  if (path.points.empty()) return {};
  Rect box{path.points[0].x, path.points[0].y, 0.0, 0.0};
  for (const Point& p : path.points) box = united(box, {p.x, p.y, 0.0, 0.0});
  return box;
}

CanvasEvents canvas(Ui& ui, const char* id, std::span<const Figure* const> figures,
                    ImVec2 size_px) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const Placement at{ImVec2(std::floor(origin.x), std::floor(origin.y)), ui.scale};
  ImGui::InvisibleButton(id, ImVec2(std::fmax(1.0F, size_px.x), std::fmax(1.0F, size_px.y)));
  ui.mark(id);

  CanvasEvents events;
  const ImGuiIO& io = ImGui::GetIO();
  events.hovered = ImGui::IsItemHovered();
  events.pointer = {(io.MousePos.x - at.origin.x) / ui.scale,
                    (io.MousePos.y - at.origin.y) / ui.scale};
  events.shift = io.KeyShift;
  events.ctrl = io.KeyCtrl;
  if (events.hovered) events.under_pointer = hit_test(*figures.front(), events.pointer);
  read_button(ui, events);
  read_middle_button(ui, events);
  if (events.hovered) {
    // A page taller than the viewport scrolls, except over cells.
    const bool zooms = std::holds_alternative<CellHit>(events.under_pointer) &&
                       find_matrix(*figures.front()) != nullptr;
    if (zooms || ImGui::GetScrollMaxY() <= 0.0F) ImGui::SetItemUsingMouseWheel();
    events.wheel = io.MouseWheel;
    events.wheel_right = -io.MouseWheelH;
    events.double_clicked = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(at.origin, origin + size_px, true);
  paint(ui, list, *figures.front(), at);
  if (ui.probe != nullptr) record_hits(*ui.probe, id, *figures.front(), at);
  list.PopClipRect();
  // Only the window clips overlays, which may extend beyond the figure's edges.
  for (const Figure* over : figures.subspan(1)) paint(ui, list, *over, at);
  return events;
}

void paint(Ui& ui, ImDrawList& list, const Figure& figure, const Placement& at) {
  const Painter painter{ui, list, at};
  if (figure.background.a != 0) {
    painter(RectItem{.rect = {0.0, 0.0, figure.width, figure.height}, .fill = figure.background});
  }
  for (const FigureItem& item : figure.items) std::visit(painter, item);
}

}  // namespace attn::gui
