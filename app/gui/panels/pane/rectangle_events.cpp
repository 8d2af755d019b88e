// A rectangle has its corners where cells are, so that it keeps to them whatever moves.
#include "gui/panels/pane/rectangle_events.h"

#include <algorithm>
#include <cmath>

#include "gui/panels/pane/zoom.h"
#include "gui/platform/imgui_compat.h"
#include "plot/kit/marks.h"

namespace attn::gui {
namespace {

constexpr double kLeastRectangle = 4.0;  // units; less is a slip of the hand

// Within what is drawn of the matrix.
Point kept_in(const Rect& clip, Point p) {
  return {std::clamp(p.x, clip.x, clip.x + clip.width),
          std::clamp(p.y, clip.y, clip.y + clip.height)};
}

void begin_rectangle(const PaneScope& scope, const MatrixItem& matrix, const CanvasEvents& events) {
  const Point at = kept_in(matrix.clip, events.pointer);
  scope.view.rectangle = ZoomRectangle{*matrix.origin, at, at};
}

bool is_large(const ZoomRectangle& held) {
  const double width = std::abs(held.to.x - held.from.x),
               height = std::abs(held.to.y - held.from.y);
  return width >= kLeastRectangle && height >= kLeastRectangle;
}

void zoom_to(const PaneScope& scope, const MatrixItem& matrix, const ZoomRectangle& held) {
  scope.ui.send(command::SetWindow{cells_within(matrix, held.from, held.to)});
}

}  // namespace

bool rectangle_events(const PaneScope& scope, const Figure& figure, const MatrixItem* matrix,
                      const CanvasEvents& events) {
  std::optional<ZoomRectangle>& held = scope.view.rectangle;
  const bool on_cells = std::holds_alternative<CellHit>(events.under_pointer);
  if (events.pressed && events.ctrl && on_cells && matrix != nullptr)
    begin_rectangle(scope, *matrix, events);
  if (!held) return false;
  // The button went up where nobody saw it.
  if (!events.pressed && !events.released && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    held.reset();
    return false;
  }
  const MatrixItem* of = item_of(figure, held->matrix);
  const bool stopped = is_covered(scope.state) || key_pressed(keys::kEscape, false);
  if (of == nullptr || stopped) held->given_up = true;
  if (!held->given_up) held->to = kept_in(of->clip, events.pointer);
  const ZoomRectangle now = *held;
  if (events.released) {
    held.reset();
    if (!now.given_up && is_large(now)) zoom_to(scope, *of, now);
  }
  return !events.clicked;
}

Figure drawn_rectangle(const PaneScope& scope, const Figure& figure) {
  Figure marks = overlay_of(figure);
  const std::optional<ZoomRectangle>& held = scope.view.rectangle;
  if (!held || held->given_up || !is_large(*held)) return marks;
  const Color accent = scope.ui.colors().accent;
  RectItem rectangle;
  rectangle.rect = {std::min(held->from.x, held->to.x), std::min(held->from.y, held->to.y),
                    std::abs(held->to.x - held->from.x), std::abs(held->to.y - held->from.y)};
  rectangle.fill = {accent.r, accent.g, accent.b, 48};
  rectangle.stroke = accent;
  rectangle.stroke_width = 1.5;
  marks.items.emplace_back(rectangle);
  return marks;
}

}  // namespace attn::gui
