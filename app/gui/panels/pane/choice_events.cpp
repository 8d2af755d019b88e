// Clicks on tokens, links and heads, and keys that move between heads, as commands.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "document/document.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/pane/pane.h"
#include "gui/platform/imgui_compat.h"
#include "plot/maps/heads.h"
#include "session/command.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

// Visible tokens of one side.
struct ShownTokens {
  std::size_t first = 0, end = 0;
  Point pitch;  // from one to the next, units; 0 in the other direction
  double length() const { return std::max(pitch.x, pitch.y); }
};

ShownTokens shown_tokens(const Figure& figure, Side side) {
  ShownTokens shown;
  Rect last;
  for (const FigureItem& item : figure.items) {
    const auto* rect = std::get_if<RectItem>(&item);
    const auto* token = rect != nullptr ? std::get_if<TokenHit>(&rect->hit) : nullptr;
    if (token == nullptr || token->side != side) continue;
    if (shown.end == 0) {
      shown.first = token->index;
    } else {
      shown.pitch = {rect->rect.x - last.x, rect->rect.y - last.y};
    }
    shown.end = token->index + 1;
    last = rect->rect;
  }
  return shown;
}

// Scrolls by `by` tokens (negative: backwards) within the range. Returns the number scrolled.
std::int64_t scroll(const PaneScope& scope, Side side, std::int64_t by, std::uint64_t gesture) {
  const ViewOptions& options = scope.options();
  const AttentionShape shape = shape_of(scope.state.document, options.at);
  const bool queries = side == Side::Query;
  const std::size_t from = queries ? options.first_query : options.first_key;
  const std::size_t count = queries ? shape.n_q : shape.n_k;
  const auto last =
      static_cast<std::int64_t>(std::max(count - std::min(options.tokens_shown, count), from));
  const auto first = static_cast<std::int64_t>(from);
  const std::int64_t next = std::clamp<std::int64_t>(first + by, 0, last);
  if (next != first) {
    scope.ui.send(command::SetOption{queries ? "first_query" : "first_key", std::to_string(next),
                                     scope.pane.id, gesture});
  }
  return next - first;
}

std::vector<Side> sides_of(const std::optional<Side>& side) {
  return side ? std::vector<Side>{*side} : std::vector<Side>{Side::Query, Side::Key};
}

std::optional<Side> side_of(const HitId& hit) {
  const auto* token = std::get_if<TokenHit>(&hit);
  return token != nullptr ? std::optional(token->side) : std::nullopt;
}

// Scrolls the tokens of the dragged side, or of both for a drag between them, by whole tokens; the
// remainder accumulates.
void drag_tokens(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  TokenDrag& drag = scope.view.token_drag;
  for (const Side side : sides_of(drag.side)) {
    const ShownTokens shown = shown_tokens(figure, side);
    if (shown.length() <= 0.0) continue;
    const double moved = shown.pitch.x > 0.0 ? events.drag_delta.x : events.drag_delta.y;
    double& rest = side == Side::Query ? drag.queries : drag.keys;
    rest -= moved / shown.length();
    const auto whole = static_cast<std::int64_t>(std::trunc(rest));
    rest -= static_cast<double>(whole);
    if (scroll(scope, side, whole, scope.view.drag_gesture) != whole) rest = 0.0;
  }
}

// A page taller than the pane scrolls first.
void scroll_with_wheel(const PaneScope& scope, const CanvasEvents& events) {
  constexpr double kTokensPerNotch = 5.0;
  const bool at_end = events.wheel > 0.0 ? ImGui::GetScrollY() <= 0.0F
                                         : ImGui::GetScrollY() >= ImGui::GetScrollMaxY();
  if (events.wheel == 0.0 || !at_end) return;
  const auto by = static_cast<std::int64_t>(std::lround(-kTokensPerNotch * events.wheel));
  const std::uint64_t gesture = gesture_of(scope.view.gesture, scope.ui);
  for (const Side side : sides_of(side_of(events.under_pointer))) scroll(scope, side, by, gesture);
}

void token_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  if (events.pressed) {
    scope.view.token_drag = {side_of(*events.pressed)};
    scope.view.drag_gesture = scope.ui.new_gesture();
  }
  if (events.dragging) drag_tokens(scope, figure, events);
  scroll_with_wheel(scope, events);
  const auto* token = events.clicked ? std::get_if<TokenHit>(&*events.clicked) : nullptr;
  if (token == nullptr) return;
  const std::string text = text_of(*token);
  scope.set("token", scope.options().token == text ? std::string() : text);
}

// The token of a label in the document's lists: within one sequence all are queries.
std::optional<TokenHit> listed_token(const PaneScope& scope, const HitId& hit) {
  const auto* token = std::get_if<TokenHit>(&hit);
  if (token == nullptr) return std::nullopt;
  return TokenHit{listed_side(scope.state.document, scope.options().at, token->side), token->sample,
                  token->index};
}

constexpr std::pair<int, HeadStep> kWalkKeys[] = {{keys::kLeft, HeadStep::Left},
                                                  {keys::kRight, HeadStep::Right},
                                                  {keys::kUp, HeadStep::Up},
                                                  {keys::kDown, HeadStep::Down}};

void walk(const PaneScope& scope, const Figure& figure) {
  for (const auto& [key, step] : kWalkKeys) {
    if (!key_pressed(key)) continue;
    const auto next = head_beside(figure, scope.options().at, step);
    if (!next) return;
    scope.ui.send(command::SelectHead{*next});
    scope.view.walked_to = *next;
  }
}

// Scrolls as little as shows the thumbnail with some padding.
void scroll_to(const PaneScope& scope, const Rect& thumbnail) {
  const Ui& ui = scope.ui;
  const float origin = ImGui::GetItemRectMin().y - ImGui::GetWindowPos().y + ImGui::GetScrollY();
  const auto y = [&](double units) { return origin + ui.px(static_cast<float>(units)); };
  const double padding = 0.5 * thumbnail.height;
  const float top = y(thumbnail.y - padding), bottom = y(thumbnail.y + thumbnail.height + padding);
  const float space = ImGui::GetWindowHeight();
  if (bottom > ImGui::GetScrollY() + space) ImGui::SetScrollY(bottom - space);
  if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
}

PaneId opening_pane(const PaneScope& scope) {
  for (const Pane* pane : panes_of(scope.state.layout)) {
    if (pane->view.plot == kUsualPlot && pane->linked) return pane->id;
  }
  return scope.pane.id;
}

}  // namespace

std::optional<TokenHit> pointed_token(const PlotEntry& plot, const CanvasEvents& events) {
  const auto* token = std::get_if<TokenHit>(&events.under_pointer);
  if (token == nullptr || !uses(plot, Option::Token)) return std::nullopt;
  return *token;
}

void label_events(const PaneScope& scope, const CanvasEvents& events) {
  const std::optional<TokenHit> token = listed_token(scope, events.under_pointer);
  if (token && scope.state.token_hover != token) scope.ui.send(command::HoverToken{token});
  if (!token && scope.view.points_at_token) scope.ui.send(command::HoverToken{});
  scope.view.points_at_token = token.has_value();
  const auto clicked = events.clicked ? listed_token(scope, *events.clicked) : std::nullopt;
  if (!clicked || uses(scope.plot, Option::Token)) return;
  const bool marked = scope.state.marked_token == clicked;
  scope.ui.send(command::MarkToken{marked ? std::nullopt : clicked});
}

void choice_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  if (uses(scope.plot, Option::Token)) token_events(scope, figure, events);
  if (!events.clicked) return;
  // cell_events pins cells of matrices.
  const auto* link = std::get_if<CellHit>(&*events.clicked);
  if (link != nullptr && find_matrix(figure) == nullptr) {
    scope.ui.send(command::Pin{*link, events.shift});
  }
}

void head_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  const auto* clicked = events.clicked ? std::get_if<HeadHit>(&*events.clicked) : nullptr;
  if (clicked != nullptr && events.shift) {
    scope.ui.send(command::CompareHead{scope.pane.id, clicked->head});
  } else if (clicked != nullptr) {
    open_weights(scope, clicked->head);
  }
  if (scope.plot.name != "heads") return;
  if (const auto head = std::exchange(scope.view.walked_to, std::nullopt)) {
    if (const auto place = place_of_head(figure, *head)) scroll_to(scope, *place);
  }
  if (!has_plain_keys(scope) || ImGui::GetIO().KeyShift) return;
  walk(scope, figure);
  const bool has_ring = !scope.ui.focus.focused().empty();  // Enter presses that control
  if (!has_ring && enter_pressed()) open_weights(scope, scope.options().at);
}

void open_stage(const PaneScope& scope, Stage stage) {
  const PaneId pane = opening_pane(scope);
  scope.ui.send(command::FocusPane{pane});
  scope.ui.send(command::SelectStage{stage});
  scope.ui.send(command::SelectPlot{std::string(kUsualPlot), pane});
}

void open_weights(const PaneScope& scope, const HeadAddress& head) {
  scope.ui.send(command::SelectHead{head});
  open_stage(scope, Stage::Weights);
}

}  // namespace attn::gui
