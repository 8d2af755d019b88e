// Looks through the tokens.
#include "session/find.h"

#include "figure/letters.h"

namespace attn {
namespace {

void add_found(std::vector<TokenHit>& found, const AppState& state, Side side,
               const std::string& wanted) {
  const std::size_t sample = focused_view(state).options.at.sample;
  const TokenList& tokens = tokens_of(state.document, side, sample);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool has = folded(tokens[i]).find(wanted) != std::string::npos ||
                     folded(tokens.spoken(i)).find(wanted) != std::string::npos;
    if (has) found.push_back({side, sample, i});
  }
}

}  // namespace

std::vector<TokenHit> tokens_with(const AppState& state, std::string_view text) {
  std::vector<TokenHit> found;
  const std::string wanted = folded(text);
  if (wanted.empty()) return found;
  add_found(found, state, Side::Query, wanted);
  if (state.document.cross) add_found(found, state, Side::Key, wanted);
  return found;
}

}  // namespace attn
