// Walks the tokens that were found.
#include "session/find.h"

#include <algorithm>

#include "session/reduce/handlers.h"

namespace attn {
namespace {

// Where the marked token stands among those found: the place of the first that is not before it.
std::size_t place_of(const std::vector<TokenHit>& found, const TokenHit& marked) {
  const auto is_before = [](const TokenHit& a, const TokenHit& b) {
    return a.side != b.side ? a.side == Side::Query : a.index < b.index;
  };
  return static_cast<std::size_t>(std::ranges::lower_bound(found, marked, is_before) -
                                  found.begin());
}

// Round and round.
std::size_t next_place(const std::vector<TokenHit>& found, const std::optional<TokenHit>& marked,
                       int by) {
  if (!marked) return by < 0 ? found.size() - 1 : 0;
  const std::size_t at = place_of(found, *marked);
  const bool is_found = at < found.size() && found[at] == *marked;
  if (by < 0) return (at + found.size() - 1) % found.size();
  return (at + (is_found && by > 0 ? 1 : 0)) % found.size();
}

}  // namespace

void apply(Step& step, const command::ShowFind& c) { step.state.find.is_open = c.open; }

void apply(Step& step, const command::Find& c) {
  AppState& state = step.state;
  state.find.text = c.text;
  const std::vector<TokenHit> found = tokens_with(state, c.text);
  if (found.empty()) return;
  apply(step, command::MarkToken{found[next_place(found, state.marked_token, c.by)]});
}

}  // namespace attn
