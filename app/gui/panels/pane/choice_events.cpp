// Clicks on tokens and links become commands.
#include "gui/panels/pane/choice_events.h"

#include <algorithm>

#include "session/command.h"
#include "view/token_choice.h"

namespace attn::gui {
namespace {

void choose_token(const PaneScope& scope, const TokenHit& token) {
  const std::string text = text_of(TokenChoice{token.side == Side::Key, token.index});
  const bool chosen = scope.options().token == text;
  scope.set("token", chosen ? std::string() : text);
}

// The tokens of one side that the figure shows.
struct ShownTokens {
  std::size_t first = 0, end = 0;
  Point pitch;  // from one to the next, units; 0 across them
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

// Dragging brings tokens beyond the view into it, on both sides at once.
void pan_links(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  const ShownTokens queries = shown_tokens(figure, Side::Query);
  const ShownTokens keys = shown_tokens(figure, Side::Key);
  if (queries.length() <= 0.0 || keys.length() <= 0.0) return;
  CellWindow window = scope.options().window;
  if (window.rows <= 0.0) {
    window = {static_cast<double>(queries.first), static_cast<double>(keys.first),
              static_cast<double>(queries.end - queries.first),
              static_cast<double>(keys.end - keys.first)};
  }
  const double moved = queries.pitch.x > 0.0 ? events.drag_delta.x : events.drag_delta.y;
  window.row -= moved / queries.length();
  window.col -= moved / keys.length();
  scope.ui.send(command::SetWindow{window});
}

}  // namespace

std::optional<TokenHit> pointed_token(const PlotEntry& plot, const CanvasEvents& events) {
  const auto* token = std::get_if<TokenHit>(&events.under_pointer);
  if (token == nullptr || !uses(plot, "token")) return std::nullopt;
  return *token;
}

void choice_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  if (events.dragging && uses(scope.plot, "token")) pan_links(scope, figure, events);
  if (!events.clicked) return;
  const auto* token = std::get_if<TokenHit>(&*events.clicked);
  if (token != nullptr && uses(scope.plot, "token")) choose_token(scope, *token);
  // Cells of matrices are pinned by who follows the pointer over them.
  const auto* link = std::get_if<CellHit>(&*events.clicked);
  if (link != nullptr && find_matrix(figure) == nullptr) {
    scope.ui.send(command::Pin{*link, events.shift});
  }
}

}  // namespace attn::gui
