// Tokens and places that one asks for: marked, and brought into view.
#include <algorithm>
#include <cmath>

#include "engine/matrix/matrix.h"
#include "plot/all_plots.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// The extent of one side of a window, moved so that `index` is in the middle of it unless it is
// whole in view.
double shown_from(double first, double extent, std::size_t index) {
  const auto at = static_cast<double>(index);
  const bool inside = at >= first && at + 1.0 <= first + extent;
  return inside ? first : at + 0.5 - extent / 2.0;
}

void bring_cells_into_view(AppState& state, std::optional<std::size_t> row,
                           std::optional<std::size_t> col) {
  CellWindow window = focused_view(state).options.window;
  if (window.rows <= 0.0) return;  // all of it is in view
  if (row) window.row = shown_from(window.row, window.rows, *row);
  if (col) window.col = shown_from(window.col, window.cols, *col);
  show_part(state, window);
}

void bring_into_part(std::size_t& first, std::size_t shown, std::size_t index) {
  if (index >= first && index < first + shown) return;
  first = index > shown / 2 ? index - shown / 2 : 0;
}

// Plots of lines show a part of the tokens of each side.
void bring_tokens_into_view(AppState& state, std::optional<std::size_t> query,
                            std::optional<std::size_t> key) {
  ViewOptions& options = focused_view(state).options;
  if (query) bring_into_part(options.first_query, options.tokens_shown, *query);
  if (key) bring_into_part(options.first_key, options.tokens_shown, *key);
}

// A document of one sequence has one list of tokens, whose sides are one.
TokenHit canonical(const Document& document, TokenHit token) {
  if (!document.cross) token.side = Side::Query;
  return token;
}

// Whose tokens rows or columns of the matrix in view are, if anybody's.
std::optional<Side> listed_in_view(const AppState& state, std::optional<Side> side) {
  if (!side) return std::nullopt;
  return listed_side(state, focused_view(state).options.attention, *side);
}

void bring_into_view(AppState& state, const TokenHit& token) {
  const MatrixId shown = matrix_in_view(state);
  const auto on = [&](std::optional<Side> side) {
    const bool same = listed_in_view(state, side) == token.side;
    return same ? std::optional(token.index) : std::nullopt;
  };
  bring_cells_into_view(state, on(row_side(shown)), on(column_side(shown)));
  bring_tokens_into_view(state, on(Side::Query), on(Side::Key));
}

std::size_t walked(std::size_t from, std::int64_t by, std::size_t count) {
  const auto last = static_cast<std::int64_t>(count) - 1;
  const std::int64_t reach = std::clamp(by, -last - 1, last + 1);
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(static_cast<std::int64_t>(from) + reach, 0, last));
}

// The part in view, in cells; of a matrix that is seen whole all of it.
CellWindow window_in_view(const AppState& state) {
  const CellWindow& window = focused_view(state).options.window;
  if (window.rows > 0.0) return window;
  const StageShape all = extents_in_view(state.document, focused_view(state));
  return {0.0, 0.0, static_cast<double>(all.rows), static_cast<double>(all.cols)};
}

// Where walking begins.
CellHit first_in_view(const AppState& state, const MatrixId& matrix) {
  const CellWindow& window = focused_view(state).options.window;
  return {matrix, static_cast<std::size_t>(std::ceil(window.row)),
          static_cast<std::size_t>(std::ceil(window.col))};
}

// The cell of a pin after the walk; none is there yet: the walk begins.
CellHit walked_pin(const AppState& state, const command::WalkPin& c) {
  if (state.pins.empty()) return first_in_view(state, c.matrix);
  CellHit cell = state.pins[c.second ? state.pins.size() - 1 : 0];
  const StageShape extents =
      extents_of(shape_of(state.document, cell.matrix.attention), cell.matrix);
  cell.row = walked(cell.row, c.rows, extents.rows);
  cell.col = walked(cell.col, c.cols, extents.cols);
  return cell;
}

}  // namespace

void apply(Step& step, const command::WalkPin& c) {
  AppState& state = step.state;
  const CellHit cell = walked_pin(state, c);
  const std::size_t place = c.second && !state.pins.empty() ? 1 : 0;
  state.pins.resize(std::max(state.pins.size(), place + 1));
  state.pins[place] = cell;
  if (place == 1 && state.pins[0] == cell) state.pins.pop_back();
  bring_cells_into_view(state, cell.row, cell.col);
  bring_tokens_into_view(state, cell.row, cell.col);
  fit_to_document(state);
}

void apply(Step& step, const command::Zoom& c) {
  constexpr double kFewestCells = 2.0;
  AppState& state = step.state;
  if (!(c.factor > 0.0)) return;
  const CellWindow from = window_in_view(state);
  const double least = std::min(1.0, std::max(kFewestCells / std::max(from.rows, 1.0),
                                              kFewestCells / std::max(from.cols, 1.0)));
  const double factor = std::max(1.0 / c.factor, least);
  double row = from.row + from.rows / 2.0, col = from.col + from.cols / 2.0;
  if (!state.pins.empty()) {
    row = std::clamp(static_cast<double>(state.pins[0].row) + 0.5, from.row, from.row + from.rows);
    col = std::clamp(static_cast<double>(state.pins[0].col) + 0.5, from.col, from.col + from.cols);
  }
  apply(step, command::SetWindow{{row - (row - from.row) * factor, col - (col - from.col) * factor,
                                  from.rows * factor, from.cols * factor},
                                 c.stroke});
}

void apply(Step& step, const command::Pan& c) {
  CellWindow window = focused_view(step.state).options.window;
  if (window.rows <= 0.0) return;  // all of it is in view
  window.row += c.down * window.rows;
  window.col += c.right * window.cols;
  apply(step, command::SetWindow{window, c.stroke});
}

void apply(Step& step, const command::HoverToken& c) {
  step.state.token_hover = c.token;
  if (c.token) step.state.token_hover = canonical(step.state.document, *c.token);
  fit_to_document(step.state);
}

void apply(Step& step, const command::MarkToken& c) {
  AppState& state = step.state;
  state.marked_token = c.token;
  if (c.token) state.marked_token = canonical(state.document, *c.token);
  fit_to_document(state);
  if (!state.marked_token) return;
  bring_into_view(state, *state.marked_token);
  fit_to_document(state);
}

void apply(Step& step, const command::GoTo& c) {
  AppState& state = step.state;
  if (c.head) apply(step, command::SelectHead{*c.head});
  const MatrixId shown = matrix_in_view(state);
  const StageShape extents = extents_in_view(state.document, focused_view(state));
  if (c.row.value_or(0) >= extents.rows || c.col.value_or(0) >= extents.cols) return;
  if (c.row && c.col) {
    state.pins.assign(1, CellHit{shown, *c.row, *c.col});
  } else if (c.row || c.col) {
    const auto side = listed_in_view(state, c.row ? row_side(shown) : column_side(shown));
    const std::size_t index = c.row ? *c.row : *c.col;
    if (side) apply(step, command::MarkToken{TokenHit{*side, shown.head.sample, index}});
  }
  bring_cells_into_view(state, c.row, c.col);
  bring_tokens_into_view(state, c.row, c.col);
  fit_to_document(state);
}

}  // namespace attn
