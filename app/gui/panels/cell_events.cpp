// Gestures on cells become commands.
#include "gui/panels/cell_events.h"

#include <algorithm>
#include <cstdlib>

#include "attention/mask.h"
#include "engine/matrix_id.h"
#include "gui/panels/zoom.h"

namespace attn::gui {
namespace {

// The encoding of positions has other rows and columns than what else is drawn beside it.
bool shares_window(const MatrixItem& matrix) {
  return !std::holds_alternative<made::PositionEncoding>(matrix.origin->making);
}

void follow_hover(Ui& ui, const AppState& state, const CanvasEvents& events) {
  std::optional<CellHit> cell;
  if (const auto* hit = std::get_if<CellHit>(&events.under_pointer)) cell = *hit;
  if (cell != state.hover) ui.send(command::Hover{cell});
}

void zoom_with_wheel(Ui& ui, const AppState& state, const MatrixItem& matrix,
                     const CanvasEvents& events) {
  if (events.wheel == 0.0) return;
  if (const auto next =
          zoomed(focused_view(state).options.window, matrix, events.pointer, events.wheel)) {
    ui.send(command::SetWindow{*next});
  } else {
    ui.send(command::FitWindow{});
  }
}

void restore_pins(Ui& ui, const std::vector<CellHit>& pins) {
  ui.send(command::Unpin{});
  for (const CellHit& pin : pins) ui.send(command::Pin{pin, true});
}

void inspect(Ui& ui, const AppState& state, PlotsView& view, const MatrixItem& matrix,
             const CanvasEvents& events) {
  if (events.dragging && shares_window(matrix)) {
    ui.send(
        command::SetWindow{panned(focused_view(state).options.window, matrix, events.drag_delta)});
  }
  if (events.double_clicked) {
    ui.send(command::FitWindow{});
    restore_pins(ui, view.pins_before_click);
    view.second_click = true;
  }
  const bool second_click = view.second_click;
  if (events.released) view.second_click = false;
  if (!events.clicked || second_click) return;
  view.pins_before_click = state.pins;
  if (const auto* cell = std::get_if<CellHit>(&*events.clicked)) {
    ui.send(command::Pin{*cell, events.shift});
  }
}

HiddenRules rules_at(const AppState& state, const HeadAddress& head, std::size_t q, std::size_t k) {
  const Mask mask = with_slopes(shown_mask(state), shape_of(state.document).heads);
  return hidden_by(mask, head, q, k);
}

// Paints one cell, or says why painting cannot show it.
void paint_cell(Ui& ui, const AppState& state, const PaintStroke& paint, std::size_t q,
                std::size_t k) {
  const HiddenRules rules = rules_at(state, paint.head, q, k);
  const bool hidden_by_hand = (rules & kHiddenByHand) != 0;
  if (paint.visible == hidden_by_hand) {
    ui.send(command::PaintCell{paint.head, q, k, paint.visible, paint.stroke});
  }
  const auto others = static_cast<HiddenRules>(rules & ~kHiddenByHand);
  if (paint.visible && others != kVisible) {
    ui.send(command::Notify{Notice::Level::Warning,
                            "This cell is " + hidden_sentence(others) +
                                "; change that rule to show it, painting only overrides cells "
                                "hidden by hand",
                            ""});
  }
}

// Every cell between the last one and (row, col), so that a fast stroke has no gaps.
void paint_line(Ui& ui, const AppState& state, PaintStroke& paint, std::size_t row,
                std::size_t col) {
  const auto from_row = static_cast<std::int64_t>(paint.row);
  const auto from_col = static_cast<std::int64_t>(paint.col);
  const std::int64_t down = static_cast<std::int64_t>(row) - from_row;
  const std::int64_t across = static_cast<std::int64_t>(col) - from_col;
  const std::int64_t steps = std::max(std::abs(down), std::abs(across));
  for (std::int64_t step = 1; step <= steps; ++step) {
    paint_cell(ui, state, paint, static_cast<std::size_t>(from_row + down * step / steps),
               static_cast<std::size_t>(from_col + across * step / steps));
  }
  paint.row = row;
  paint.col = col;
}

void start_stroke(Ui& ui, const AppState& state, PlotsView& view, const CellHit& cell) {
  if (!is_token_by_token(cell.matrix)) {
    ui.send(command::Notify{Notice::Level::Info,
                            "Masks belong to stages of queries and keys; choose scores or weights "
                            "to paint",
                            ""});
    return;
  }
  const HeadAddress& head = cell.matrix.head;
  const HiddenRules rules = rules_at(state, head, cell.row, cell.col);
  view.paint = PaintStroke{ui.new_stroke(), rules != kVisible, head, cell.row, cell.col};
  paint_cell(ui, state, *view.paint, cell.row, cell.col);
}

void paint_mask(Ui& ui, const AppState& state, PlotsView& view, const CanvasEvents& events) {
  if (events.pressed) {
    if (const auto* cell = std::get_if<CellHit>(&*events.pressed)) {
      start_stroke(ui, state, view, *cell);
    }
  }
  if (events.dragging && view.paint) {
    if (const auto* cell = std::get_if<CellHit>(&events.under_pointer)) {
      paint_line(ui, state, *view.paint, cell->row, cell->col);
    }
  }
  if (events.released) view.paint.reset();
}

const MatrixItem* item_of(const Figure& figure, const MatrixId& id) {
  for (const FigureItem& item : figure.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    if (matrix != nullptr && matrix->origin == id && !matrix->cells->values.empty()) return matrix;
  }
  return nullptr;
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

// The one under the pointer, while it is dragged the one where the drag began; or the only one.
const MatrixItem* looked_at(const Figure& figure, PlotsView& view, const CanvasEvents& events) {
  const auto* cell = std::get_if<CellHit>(&events.under_pointer);
  if (cell != nullptr && !events.dragging) view.dragged = cell->matrix;
  const bool found = cell != nullptr || events.dragging;
  return found && view.dragged ? item_of(figure, *view.dragged) : only_matrix(figure);
}

}  // namespace

void cell_events(Ui& ui, const AppState& state, PlotsView& view, const Figure& figure,
                 const CanvasEvents& events) {
  follow_hover(ui, state, events);
  const MatrixItem* matrix = looked_at(figure, view, events);
  if (matrix == nullptr) return;
  if (events.hovered && shares_window(*matrix)) zoom_with_wheel(ui, state, *matrix, events);
  if (state.tool == Tool::PaintMask) {
    paint_mask(ui, state, view, events);
  } else {
    inspect(ui, state, view, *matrix, events);
  }
}

}  // namespace attn::gui
