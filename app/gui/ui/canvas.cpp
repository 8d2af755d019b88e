// Places a figure on the screen, paints it and finds what is under the pointer.
#include "gui/ui/canvas.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/number_text.h"
#include "gui/ui/canvas_hits.h"

namespace attn::gui {
namespace {

constexpr float kDragThreshold = 3.0F;  // units; below it a press is a click

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
    // A page that is taller than its room scrolls, except over cells.
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
  // What lies over the figure may go beyond its edges, and is cut by the window alone.
  for (const Figure* over : figures.subspan(std::min<std::size_t>(1, figures.size()))) {
    paint(ui, list, *over, at);
  }
  return events;
}

}  // namespace attn::gui
