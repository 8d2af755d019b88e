// Gestures in the overview become parts in view.
#include "gui/panels/pane/overview_events.h"

#include "gui/panels/pane/zoom.h"

namespace attn::gui {

bool overview_events(const PaneScope& scope, const CanvasEvents& events) {
  std::optional<OverviewHit>& held = scope.view.overview;
  const auto* hit = std::get_if<OverviewHit>(&events.under_pointer);
  if (hit != nullptr && events.pressed) {
    held = *hit;
    scope.view.drag_stroke = scope.ui.new_stroke();
  }
  if (!held) return false;
  const CellWindow next = brought_into_view(scope.options().window, *held, events.pointer);
  if (events.pressed || events.dragging) {
    scope.ui.send(command::SetWindow{next, scope.view.drag_stroke});
  }
  if (events.released) held.reset();
  return true;
}

}  // namespace attn::gui
