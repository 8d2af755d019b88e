// Clicks on tokens and links become commands.
#include "gui/panels/choice_events.h"

#include "session/command.h"
#include "view/token_choice.h"

namespace attn::gui {
namespace {

void choose_token(const PaneScope& scope, const TokenHit& token) {
  const std::string text = text_of(TokenChoice{token.side == Side::Key, token.index});
  const bool chosen = scope.options().token == text;
  scope.set("token", chosen ? std::string() : text);
}

}  // namespace

std::optional<TokenHit> pointed_token(const PlotEntry& plot, const CanvasEvents& events) {
  const auto* token = std::get_if<TokenHit>(&events.under_pointer);
  if (token == nullptr || !uses(plot, "token")) return std::nullopt;
  return *token;
}

void choice_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
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
