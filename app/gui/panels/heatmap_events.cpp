#include "gui/panels/heatmap_events.h"

#include <algorithm>
#include <cstdlib>

#include "attention/mask.h"
#include "gui/panels/zoom.h"

namespace attn::gui {
namespace {

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
  if (events.dragging) {
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

HiddenRules rules_at(const AppState& state, std::size_t q, std::size_t k) {
  const Mask mask = with_slopes(shown_mask(state), shape_of(state.document).heads);
  return hidden_by(mask, focused_view(state).options.at, q, k);
}

// Paints one cell, or says why painting cannot show it.
void paint_cell(Ui& ui, const AppState& state, const PaintStroke& paint, std::size_t q,
                std::size_t k) {
  const HiddenRules rules = rules_at(state, q, k);
  const bool hidden_by_hand = (rules & kHiddenByHand) != 0;
  if (paint.visible == hidden_by_hand) {
    ui.send(command::PaintCell{focused_view(state).options.at, q, k, paint.visible, paint.stroke});
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
  if (!stage_info(cell.matrix.stage).token_by_token()) {
    ui.send(command::Notify{Notice::Level::Info,
                            "Masks belong to stages of queries and keys; choose scores or weights "
                            "to paint",
                            ""});
    return;
  }
  const HiddenRules rules = rules_at(state, cell.row, cell.col);
  view.paint = PaintStroke{ui.new_stroke(), rules != kVisible, cell.row, cell.col};
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

}  // namespace

void heatmap_events(Ui& ui, const AppState& state, PlotsView& view, const Figure& figure,
                    const CanvasEvents& events) {
  follow_hover(ui, state, events);
  const MatrixItem* matrix = find_matrix(figure);
  if (matrix == nullptr || !matrix->cells || matrix->cells->values.empty()) return;
  if (events.hovered) zoom_with_wheel(ui, state, *matrix, events);
  if (state.tool == Tool::PaintMask) {
    paint_mask(ui, state, view, events);
  } else {
    inspect(ui, state, view, *matrix, events);
  }
}

}  // namespace attn::gui
