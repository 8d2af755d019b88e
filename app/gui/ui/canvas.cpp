// Placing and painting of a figure, hit testing under the pointer, and probe records for tests and
// scripts.
#include "gui/ui/canvas.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

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
  if (ImGui::IsItemActivated()) events.pressed = events.under_pointer;
  if (ImGui::IsItemActive() && moved) {
    const ImVec2 delta = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, threshold);
    events.dragging = true;
    events.drag_delta = {delta.x / ui.scale, delta.y / ui.scale};
    ImGui::ResetMouseDragDelta(ImGuiMouseButton_Left);
  }
  events.released = ImGui::IsItemDeactivated();
  if (events.released && events.hovered && !moved) events.clicked = events.under_pointer;
}

void read_middle_button(const Ui& ui, CanvasEvents& events) {
  const bool dragged = ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0.0F);
  if (!events.hovered || !dragged || events.dragging) return;
  const ImVec2 delta = ImGui::GetMouseDragDelta(ImGuiMouseButton_Middle, 0.0F);
  events.middle_dragging = true;
  events.drag_delta = {delta.x / ui.scale, delta.y / ui.scale};
  ImGui::ResetMouseDragDelta(ImGuiMouseButton_Middle);
}

constexpr std::size_t kMostCells = 64;

struct Seen {
  Rect box;
  std::string text;
};

Rect united(const Rect& a, const Rect& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x,
          std::max(a.y + a.height, b.y + b.height) - y};
}

Rect box_of(const RectItem& item) { return item.rect; }

Rect box_of(const PathItem& item) {
  if (item.points.empty()) return {};
  Rect box{item.points[0].x, item.points[0].y, 0.0, 0.0};
  for (const Point& p : item.points) box = united(box, {p.x, p.y, 0.0, 0.0});
  return box;
}

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

void note(std::map<std::string, Seen>& seen, const HitId& hit, const Rect& box,
          const std::string& text) {
  const std::string name = hit_name(hit);
  if (name.empty() || box.width <= 0.0 || box.height <= 0.0) return;
  const auto [entry, first] = seen.try_emplace(name, Seen{box, text});
  if (first) return;
  entry->second.box = united(entry->second.box, box);
  if (entry->second.text.empty()) entry->second.text = text;
}

void record(Probe& probe, std::string_view id, const std::string& name, const Rect& box,
            const Placement& at, std::string_view value) {
  const auto x = [&at](double u) { return at.origin.x + static_cast<float>(u) * at.scale; };
  const auto y = [&at](double u) { return at.origin.y + static_cast<float>(u) * at.scale; };
  probe.record_rect(std::string(id) + "/" + name, ImVec2(x(box.x), y(box.y)),
                    ImVec2(x(box.x + box.width), y(box.y + box.height)), value);
}

void record_cells(Probe& probe, std::string_view id, const MatrixItem& matrix,
                  const Placement& at) {
  if (matrix.row_count > kMostCells || matrix.col_count > kMostCells) return;
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

// The first matrix is recorded without its number too; one without origin is not part of the model.
void record_maps(Probe& probe, std::string_view id, const Figure& figure, const Placement& at) {
  std::size_t index = 0;
  for (const FigureItem& item : figure.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    if (matrix == nullptr || !matrix->origin) continue;
    if (index == 0) record_cells(probe, id, *matrix, at);
    record_cells(probe, std::string(id) + "/map/" + std::to_string(index++), *matrix, at);
  }
}

// Records "ID/cell/ROW,COL" for the first matrix and "ID/map/INDEX/cell/ROW,COL" for each of at
// most 64 × 64 cells, with the number as value; "ID/stage/NAME", "ID/head/INDEX",
// "ID/label/HEAD/NAME" and "ID/token/query/INDEX" (or key), with their text as value.
void record_hits(Probe& probe, std::string_view id, const Figure& figure, const Placement& at) {
  std::map<std::string, Seen> seen;
  record_maps(probe, id, figure, at);
  for (const FigureItem& item : figure.items) {
    if (const auto* rect = std::get_if<RectItem>(&item)) {
      // A tensor may be drawn in several places; the topmost is recorded.
      if (tensor_of(rect->hit)) seen.erase(hit_name(rect->hit));
      note(seen, rect->hit, box_of(*rect), "");
    } else if (const auto* path = std::get_if<PathItem>(&item)) {
      note(seen, path->hit, box_of(*path), "");
    } else if (const auto* text = std::get_if<TextItem>(&item)) {
      note(seen, text->hit, box_of(*text), text->text);
    }
  }
  for (const auto& [name, what] : seen) record(probe, id, name, what.box, at, what.text);
}

}  // namespace

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
  if (!figures.empty() && events.hovered) {
    events.under_pointer = hit_test(*figures.front(), events.pointer);
  }
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
  list.PushClipRect(at.origin, ImVec2(origin.x + size_px.x, origin.y + size_px.y), true);
  if (!figures.empty()) paint(ui, list, *figures.front(), at);
  if (ui.probe != nullptr && !figures.empty()) record_hits(*ui.probe, id, *figures.front(), at);
  list.PopClipRect();
  // Overlays may extend beyond the figure's edges and are clipped by the window alone.
  for (const Figure* over : figures.subspan(std::min<std::size_t>(1, figures.size()))) {
    paint(ui, list, *over, at);
  }
  return events;
}

}  // namespace attn::gui
