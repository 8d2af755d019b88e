// Gestures on the colour bar become options.
#include "gui/panels/pane/range_events.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "plot/colors/range_handle.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

// With no more digits than the length of a bar can tell apart: a thousandth of its span.
std::string end_text(const RangeHit& held, double value) {
  const double span = static_cast<double>(held.high) - static_cast<double>(held.low);
  const double size = std::max(held.log ? std::abs(value) : span, 1e-30);
  const double unit = std::pow(10.0, std::floor(std::log10(size)) - 3.0);
  return shortest_text(static_cast<float>(std::round(value / unit) * unit));
}

void set_end(const PaneScope& scope, const char* field, const std::optional<double>& end) {
  if (end) scope.set(field, end_text(scope.view.range_drag->end, *end));
}

void drag(const PaneScope& scope, const CanvasEvents& events) {
  RangeDrag& held = *scope.view.range_drag;
  held.up -= events.drag_delta.y;
  const ColorEnds ends = dragged_ends(held.end, held.up);
  set_end(scope, "range_low", ends.low);
  set_end(scope, "range_high", ends.high);
}

// Back to what the numbers say.
void reset(const PaneScope& scope) {
  scope.view.range_drag.reset();
  scope.set("range_low", "");
  scope.set("range_high", "");
}

void point_at(const PaneScope& scope, const RangeHit& end) {
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  tooltip(scope.ui, end.is_high
                        ? "Drag to set the highest colour; double-click for the usual range"
                        : "Drag to set the lowest colour; double-click for the usual range");
}

}  // namespace

bool range_events(const PaneScope& scope, const CanvasEvents& events) {
  std::optional<RangeDrag>& held = scope.view.range_drag;
  const auto* end = std::get_if<RangeHit>(&events.under_pointer);
  if (end != nullptr || held) point_at(scope, held ? held->end : *end);
  if (end != nullptr && events.double_clicked) {
    reset(scope);
    return true;
  }
  if (end != nullptr && events.pressed) held = RangeDrag{*end};
  if (!held) return false;
  if (events.dragging) drag(scope, events);
  if (events.released) held.reset();
  return true;
}

}  // namespace attn::gui
