// Gestures on cells become commands.
#include "gui/panels/pane/cell_events.h"

#include <algorithm>
#include <cstdlib>

#include "attention/mask.h"
#include "engine/matrix/matrix_id.h"
#include "gui/panels/pane/cell_keys.h"
#include "gui/panels/pane/rectangle_events.h"
#include "gui/panels/pane/zoom.h"

namespace attn::gui {
namespace {

// The encoding of positions has other rows and columns than what else is drawn beside it.
bool shares_window(const MatrixItem& matrix) {
  return !std::holds_alternative<made::PositionEncoding>(matrix.origin->making);
}

// What is pointed at is the state's as long as the pointer is in this pane.
void follow_hover(const PaneScope& scope, const CanvasEvents& events) {
  if (!events.hovered && scope.hovering != scope.pane.id) return;
  // A menu over the cell is about it.
  if (!events.hovered && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  scope.hovering = events.hovered ? scope.pane.id : 0;
  std::optional<CellHit> cell;
  if (const auto* hit = std::get_if<CellHit>(&events.under_pointer)) cell = *hit;
  if (cell != scope.state.hover) scope.ui.send(command::Hover{cell});
}

// With Ctrl finer, with Shift faster.
double notches(const CanvasEvents& events) {
  constexpr double kFiner = 0.25, kFaster = 4.0;
  return events.wheel * (events.ctrl ? kFiner : events.shift ? kFaster : 1.0);
}

// Two fingers or the wheel move the part in view, for those who have set it so; Shift makes of a
// wheel that goes up and down one that goes sideways.
bool pan_with_wheel(const PaneScope& scope, const CanvasEvents& events) {
  constexpr double kShare = 0.1;
  if (!scope.state.preferences.wheel_pans || events.ctrl) return false;
  const double down = events.shift ? 0.0 : -events.wheel;
  const double right = events.wheel_right - (events.shift ? events.wheel : 0.0);
  if (down != 0.0 || right != 0.0) {
    scope.ui.send(
        command::Pan{kShare * down, kShare * right, gesture_of(scope.view.gesture, scope.ui)});
  }
  return true;
}

void zoom_with_wheel(const PaneScope& scope, const MatrixItem& matrix, const CanvasEvents& events) {
  if (pan_with_wheel(scope, events) || events.wheel == 0.0) return;
  const double by = scope.state.preferences.wheel_pans ? events.wheel : notches(events);
  if (const auto next = zoomed(scope.options().window, matrix, events.pointer, by)) {
    scope.ui.send(command::SetWindow{*next, gesture_of(scope.view.gesture, scope.ui)});
  } else {
    scope.ui.send(command::FitWindow{gesture_of(scope.view.gesture, scope.ui)});
  }
}

void restore_pins(Ui& ui, const std::vector<CellHit>& pins) {
  ui.send(command::Unpin{});
  for (const CellHit& pin : pins) ui.send(command::Pin{pin, true});
}

// A drag of the middle button has no press that we hear of.
void pan_with_drag(const PaneScope& scope, const MatrixItem& matrix, const CanvasEvents& events) {
  PaneView& view = scope.view;
  if (events.pressed) view.drag_gesture = scope.ui.new_gesture();
  const bool drags = events.dragging || events.middle_dragging;
  if (!drags || !shares_window(matrix)) return;
  const std::uint64_t gesture =
      events.dragging ? view.drag_gesture : gesture_of(view.gesture, scope.ui);
  scope.ui.send(
      command::SetWindow{panned(scope.options().window, matrix, events.drag_delta), gesture});
}

void inspect(const PaneScope& scope, const MatrixItem& matrix, const CanvasEvents& events) {
  pan_with_drag(scope, matrix, events);
  if (events.double_clicked) {
    scope.ui.send(command::FitWindow{});
    restore_pins(scope.ui, scope.view.pins_before_click);
    scope.view.second_click = true;
  }
  const bool second_click = scope.view.second_click;
  if (events.released) scope.view.second_click = false;
  if (!events.clicked || second_click) return;
  scope.view.pins_before_click = scope.state.pins;
  if (const auto* cell = std::get_if<CellHit>(&*events.clicked)) {
    scope.ui.send(command::Pin{*cell, events.shift});
  }
}

HiddenRules rules_at(const PaneScope& scope, const HeadAddress& head, std::size_t q,
                     std::size_t k) {
  const Mask mask = with_slopes(mask_of(scope.state.document, scope.options().attention),
                                shape_of(scope.state.document).heads);
  return hidden_by(mask, head, q, k);
}

// Paints one cell, or says why painting cannot show it.
void paint_cell(const PaneScope& scope, const PaintStroke& paint, std::size_t q, std::size_t k) {
  const HiddenRules rules = rules_at(scope, paint.head, q, k);
  const bool hidden_by_hand = (rules & kHiddenByHand) != 0;
  if (paint.visible == hidden_by_hand) {
    scope.ui.send(command::PaintCell{paint.head, q, k, paint.visible, paint.gesture});
  }
  const auto others = static_cast<HiddenRules>(rules & ~kHiddenByHand);
  if (paint.visible && others != kVisible) {
    scope.ui.send(
        command::Notify{Notice::Level::Warning,
                        "This cell is " + hidden_sentence(others) +
                            "; change that rule to show it, painting only overrides cells "
                            "hidden by hand",
                        ""});
  }
}

// Every cell between the last one and (row, col), so that a fast gesture has no gaps.
void paint_line(const PaneScope& scope, PaintStroke& paint, std::size_t row, std::size_t col) {
  const auto from_row = static_cast<std::int64_t>(paint.row);
  const auto from_col = static_cast<std::int64_t>(paint.col);
  const std::int64_t down = static_cast<std::int64_t>(row) - from_row;
  const std::int64_t across = static_cast<std::int64_t>(col) - from_col;
  const std::int64_t steps = std::max(std::abs(down), std::abs(across));
  for (std::int64_t step = 1; step <= steps; ++step) {
    paint_cell(scope, paint, static_cast<std::size_t>(from_row + down * step / steps),
               static_cast<std::size_t>(from_col + across * step / steps));
  }
  paint.row = row;
  paint.col = col;
}

void start_stroke(const PaneScope& scope, const CellHit& cell) {
  if (!is_token_by_token(cell.matrix)) {
    scope.ui.send(
        command::Notify{Notice::Level::Info,
                        "Masks belong to stages of queries and keys; choose scores or weights "
                        "to paint",
                        ""});
    return;
  }
  const HeadAddress& head = cell.matrix.head;
  const HiddenRules rules = rules_at(scope, head, cell.row, cell.col);
  scope.view.paint =
      PaintStroke{scope.ui.new_gesture(), rules != kVisible, head, cell.row, cell.col};
  paint_cell(scope, *scope.view.paint, cell.row, cell.col);
}

void paint_mask(const PaneScope& scope, const CanvasEvents& events) {
  if (events.pressed) {
    if (const auto* cell = std::get_if<CellHit>(&*events.pressed)) {
      start_stroke(scope, *cell);
    }
  }
  if (events.dragging && scope.view.paint) {
    if (const auto* cell = std::get_if<CellHit>(&events.under_pointer)) {
      paint_line(scope, *scope.view.paint, cell->row, cell->col);
    }
  }
  if (events.released) scope.view.paint.reset();
}

// The only one of the figure that has cells to point at.
const MatrixItem* only_matrix(const Figure& figure) {
  const MatrixItem* only = nullptr;
  for (const FigureItem& item : figure.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    if (matrix == nullptr || !matrix->origin || matrix->cells->values.empty()) continue;
    if (only != nullptr) return nullptr;
    only = matrix;
  }
  return only;
}

const MatrixItem* first_matrix(const Figure& figure) {
  for (const FigureItem& item : figure.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    if (matrix != nullptr && matrix->origin && !matrix->cells->values.empty()) return matrix;
  }
  return nullptr;
}

// The one under the pointer, while it is dragged the one where the drag began; or the only one.
const MatrixItem* looked_at(const Figure& figure, PaneView& view, const CanvasEvents& events) {
  const auto* cell = std::get_if<CellHit>(&events.under_pointer);
  if (cell != nullptr && !events.dragging) view.dragged = cell->matrix;
  const bool found = cell != nullptr || events.dragging;
  return found && view.dragged ? item_of(figure, *view.dragged) : only_matrix(figure);
}

}  // namespace

void cell_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  follow_hover(scope, events);
  if (scope.plot.name != "heads") cell_keys(scope, first_matrix(figure));
  const MatrixItem* matrix = looked_at(figure, scope.view, events);
  if (matrix == nullptr) {
    rectangle_events(scope, figure, nullptr, events);
    return;
  }
  if (events.hovered && shares_window(*matrix)) zoom_with_wheel(scope, *matrix, events);
  const bool zooms = shares_window(*matrix) || scope.view.rectangle;
  if (zooms && rectangle_events(scope, figure, matrix, events)) return;
  if (scope.state.tool == Tool::PaintMask && !events.middle_dragging) {
    paint_mask(scope, events);
  } else {
    inspect(scope, *matrix, events);
  }
}

}  // namespace attn::gui
