// Tokens and places: search, marks, scrolling and the history of viewports.
#include <algorithm>
#include <cmath>

#include "engine/matrix/matrix.h"
#include "session/place.h"
#include "session/reduce/handlers.h"
#include "view/layout.h"

namespace attn {
namespace {

// New start of one side of a viewport, centred on `index` unless it is visible.
double shown_from(double first, double extent, std::size_t index) {
  const auto at = static_cast<double>(index);
  const bool inside = at >= first && at + 1.0 <= first + extent;
  return inside ? first : at + 0.5 - extent / 2.0;
}

using Index = std::optional<std::size_t>;

// Plots of lines show a range of tokens per side.
void bring_into_part(std::size_t& first, std::size_t shown, const Index& index) {
  if (!index || (*index >= first && *index < first + shown)) return;
  first = *index > shown / 2 ? *index - shown / 2 : 0;
}

void bring_into_view(OpenDocument& open, const Index& row, const Index& col, const Index& query,
                     const Index& key) {
  ViewOptions& options = focused_view(open).options;
  bring_into_part(options.first_query, options.tokens_shown, query);
  bring_into_part(options.first_key, options.tokens_shown, key);
  CellWindow window = options.window;
  if (window.rows <= 0.0) return;  // the whole matrix is visible
  if (row) window.row = shown_from(window.row, window.rows, *row);
  if (col) window.col = shown_from(window.col, window.cols, *col);
  show_part(open, window);
}

// A document of one sequence lists its tokens once, under one side.
std::optional<TokenHit> canonical(const Document& document, std::optional<TokenHit> token) {
  if (token && !document.cross) token->side = Side::Query;
  return token;
}

// Side whose tokens label the rows or columns of the shown matrix, if any.
std::optional<Side> listed_in_view(const OpenDocument& open, std::optional<Side> side) {
  if (!side) return std::nullopt;
  return listed_side(open.document, focused_view(open).options.at, *side);
}

void bring_into_view(OpenDocument& open, const TokenHit& token) {
  const MatrixId shown = matrix_in_view(open);
  const auto on = [&](std::optional<Side> side) {
    const bool same = listed_in_view(open, side) == token.side;
    return same ? std::optional(token.index) : std::nullopt;
  };
  bring_into_view(open, on(row_side(shown)), on(column_side(shown)), on(Side::Query),
                  on(Side::Key));
}

std::size_t walked(std::size_t from, std::int64_t by, std::size_t count) {
  const auto last = static_cast<std::int64_t>(count) - 1;
  const std::int64_t reach = std::clamp(by, -last - 1, last + 1);
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(static_cast<std::int64_t>(from) + reach, 0, last));
}

// Viewport in cells; the whole matrix if there is none.
CellWindow window_in_view(const OpenDocument& open) {
  const CellWindow& window = focused_view(open).options.window;
  if (window.rows > 0.0) return window;
  const StageShape all = extents_in_view(open.document, focused_view(open));
  return {0.0, 0.0, static_cast<double>(all.rows), static_cast<double>(all.cols)};
}

// Cell of the pin after the move, which starts at the first visible cell.
CellHit walked_pin(const OpenDocument& open, const command::WalkPin& c) {
  if (open.pins.empty()) {
    const CellWindow& window = focused_view(open).options.window;
    return {c.matrix, static_cast<std::size_t>(std::ceil(window.row)),
            static_cast<std::size_t>(std::ceil(window.col))};
  }
  CellHit cell = open.pins[c.second ? open.pins.size() - 1 : 0];
  const StageShape extents = extents_of(shape_of(open.document, cell.matrix.head), cell.matrix);
  cell.row = walked(cell.row, c.rows, extents.rows);
  cell.col = walked(cell.col, c.cols, extents.cols);
  return cell;
}

// Index of the first match at or after the marked token.
std::size_t place_of(const std::vector<TokenHit>& found, const TokenHit& marked) {
  const auto is_before = [](const TokenHit& a, const TokenHit& b) {
    return a.side != b.side ? a.side == Side::Query : a.index < b.index;
  };
  return static_cast<std::size_t>(std::ranges::lower_bound(found, marked, is_before) -
                                  found.begin());
}

// Finds the next match, cyclically.
std::size_t next_place(const std::vector<TokenHit>& found, const std::optional<TokenHit>& marked,
                       int by) {
  if (!marked) return by < 0 ? found.size() - 1 : 0;
  const std::size_t at = place_of(found, *marked);
  const bool is_found = at < found.size() && found[at] == *marked;
  if (by < 0) return (at + found.size() - 1) % found.size();
  return (at + (is_found && by > 0 ? 1 : 0)) % found.size();
}

template <class Kind>
std::uint64_t gesture_if(const Command& command) {
  const Kind* kind = command.get_if<Kind>();
  return kind != nullptr ? kind->gesture : 0;
}

// A gesture of 0 is none.
std::uint64_t gesture_of(const Command& command) {
  return std::max({gesture_if<command::SetWindow>(command), gesture_if<command::Zoom>(command),
                   gesture_if<command::Pan>(command), gesture_if<command::SetOption>(command)});
}

void show_again(OpenDocument& open, const ShownPart& part) {
  if (const auto* window = std::get_if<CellWindow>(&part)) return show_part(open, *window);
  const auto& first = std::get<FirstTokens>(part);
  focused_view(open).options.first_query = first.query;
  focused_view(open).options.first_key = first.key;
}

}  // namespace

void apply(OpenDocument& open, const command::WalkPin& c) {
  const CellHit cell = walked_pin(open, c);
  const std::size_t place = c.second && !open.pins.empty() ? 1 : 0;
  open.pins.resize(std::max(open.pins.size(), place + 1));
  open.pins[place] = cell;
  if (place == 1 && open.pins[0] == cell) open.pins.pop_back();
  bring_into_view(open, cell.row, cell.col, cell.row, cell.col);
}

void apply(Step& step, const command::Zoom& c) {
  constexpr double kFewestCells = 2.0;
  if (!(c.factor > 0.0)) return;
  const CellWindow from = window_in_view(step);
  const double least = std::min(1.0, std::max(kFewestCells / std::max(from.rows, 1.0),
                                              kFewestCells / std::max(from.cols, 1.0)));
  const double factor = std::max(1.0 / c.factor, least);
  double row = from.row + from.rows / 2.0, col = from.col + from.cols / 2.0;
  if (!step.pins.empty()) {
    row = std::clamp(static_cast<double>(step.pins[0].row) + 0.5, from.row, from.row + from.rows);
    col = std::clamp(static_cast<double>(step.pins[0].col) + 0.5, from.col, from.col + from.cols);
  }
  dispatch(step,
           command::SetWindow{{row - (row - from.row) * factor, col - (col - from.col) * factor,
                               from.rows * factor, from.cols * factor},
                              c.gesture});
}

void apply(Step& step, const command::Pan& c) {
  CellWindow window = focused_view(step).options.window;
  if (window.rows <= 0.0) return;  // the whole matrix is visible
  window.row += c.down * window.rows;
  window.col += c.right * window.cols;
  dispatch(step, command::SetWindow{window, c.gesture});
}

void apply(OpenDocument& open, const command::HoverToken& c) {
  open.token_hover = canonical(open.document, c.value);
}

void apply(OpenDocument& open, const command::MarkToken& c) {
  open.marked_token = canonical(open.document, c.value);
  fit_to_document(open);
  if (open.marked_token) bring_into_view(open, *open.marked_token);
}

void apply(Step& step, const command::GoTo& c) {
  if (c.head) dispatch(step, command::SelectHead{*c.head});
  const MatrixId shown = matrix_in_view(step);
  const StageShape extents = extents_in_view(step.document, focused_view(step));
  if (c.row.value_or(0) >= extents.rows || c.col.value_or(0) >= extents.cols) return;
  if (c.row && c.col) {
    step.pins.assign(1, CellHit{shown, *c.row, *c.col});
  } else if (c.row || c.col) {
    const auto side = listed_in_view(step, c.row ? row_side(shown) : column_side(shown));
    const std::size_t index = c.row ? *c.row : *c.col;
    if (side) apply(step, command::MarkToken{TokenHit{*side, shown.head.sample, index}});
  }
  bring_into_view(step, c.row, c.col, c.row, c.col);
}

void apply(Step& step, const command::Find& c) {
  step.find_text = c.text;
  const std::vector<TokenHit> found = tokens_with(step, c.text);
  if (found.empty()) return;
  apply(step, command::MarkToken{found[next_place(found, step.marked_token, c.by)]});
}

std::vector<PaneParts> parts_shown(const OpenDocument& open) {
  std::vector<PaneParts> parts;
  for (const Pane* pane : panes_of(open.layout)) {
    const PartsOf of = parts_of(open.document, pane->view);
    parts.push_back({pane->id, part_of(pane->view.options, of), of});
  }
  return parts;
}

void remember_parts(OpenDocument& open, const std::vector<PaneParts>& before,
                    const Command& command) {
  std::erase_if(open.memories,
                [&](const auto& memory) { return !pane_of(open.layout, memory.first); });
  const bool steps = command.get_if<command::StepPart>() != nullptr;
  for (const PaneParts& left : before) {
    const Pane* pane = pane_of(open.layout, left.pane);
    if (pane == nullptr || part_of(pane->view.options, left.of) == left.part) continue;
    if (steps && left.pane == open.focus) continue;
    leave_part(open.memories[left.pane].trail, left.part, left.of, gesture_of(command));
  }
}

void apply(OpenDocument& open, const command::StepPart& c) {
  const PartsOf of = parts_of(open.document, focused_view(open));
  Trail& trail = open.memories[open.focus].trail;
  if (trail.of != of) return;
  if (c.by == 0 || (c.by < 0 ? trail.past : trail.future).empty()) return;
  show_again(open, stepped(trail, part_of(focused_view(open).options, of), c.by));
}

void apply(Step& step, const Command& c, command::Places list) { apply_one_of(step, c, list); }

}  // namespace attn
