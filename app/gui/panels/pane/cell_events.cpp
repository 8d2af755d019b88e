// Gestures and keys on cells become commands. A rectangle has its corners where cells are, so that
// it keeps to them whatever moves.
#include "gui/panels/pane/cell_events.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "attention/mask.h"
#include "engine/matrix/matrix_id.h"
#include "gui/panels/pane/zoom.h"
#include "gui/platform/imgui_compat.h"
#include "plot/kit/marks.h"
#include "session/command.h"

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
    scope.ui.send(command::Unpin{});
    for (const CellHit& pin : scope.view.pins_before_click) scope.ui.send(command::Pin{pin, true});
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
  const Mask mask =
      with_slopes(mask_of(scope.state.document, head), shape_of(scope.state.document).heads);
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

constexpr std::int64_t kToTheEnd = std::int64_t{1} << 40U;
constexpr double kPanShare = 0.1;  // of what is in view

struct CellKey {
  int key;
  std::int64_t rows, cols;
};
constexpr CellKey kCellKeys[] = {{keys::kLeft, 0, -1},         {keys::kRight, 0, 1},
                                 {keys::kUp, -1, 0},           {keys::kDown, 1, 0},
                                 {keys::kHome, 0, -kToTheEnd}, {keys::kEnd, 0, kToTheEnd}};

void walk(const PaneScope& scope, const MatrixItem& matrix, const CellKey& key) {
  const bool pans = scope.state.pins.empty() && scope.options().window.rows > 0.0;
  const bool step = std::abs(key.rows) + std::abs(key.cols) == 1;
  if (!pans) {
    scope.ui.send(command::WalkPin{key.rows, key.cols, ImGui::GetIO().KeyShift, *matrix.origin});
  } else if (step) {
    scope.ui.send(command::Pan{kPanShare * static_cast<double>(key.rows),
                               kPanShare * static_cast<double>(key.cols),
                               gesture_of(scope.view.gesture, scope.ui)});
  }
}

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

// Arrows walk the first pin, with Shift a second one; Home and End go to the ends of its row. With
// no pin they move the part in view, and of a matrix that is seen whole pin its first cell.
// `matrix`: whose cells the plot shows; null: none.
void cell_keys(const PaneScope& scope, const MatrixItem* matrix) {
  if (matrix == nullptr || !matrix->origin || !has_plain_keys(scope)) return;
  for (const CellKey& key : kCellKeys) {
    if (key_pressed(key.key)) return walk(scope, *matrix, key);
  }
}

// From a press with Ctrl on cells until the button goes up: what else the pointer does is not meant
// then. A rectangle of less than 4 units, or Esc, zooms to nothing; a press without a drag is a
// click, which is left to others. `matrix`: under the pointer; null: none.
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
    if (!now.given_up && is_large(now))
      scope.ui.send(command::SetWindow{cells_within(*of, now.from, now.to)});
  }
  return !events.clicked;
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

bool has_plain_keys(const PaneScope& scope) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool popup =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  const bool plain = !io.KeyCtrl && !io.KeyAlt && !io.KeySuper;
  return scope.pane.id == scope.state.focus && plain && !popup && !is_covered(scope.state) &&
         !scope.ui.arrow_keys_taken();
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
