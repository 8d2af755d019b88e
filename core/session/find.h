// Tokens that are searched by their text.
#pragma once

#include <string_view>
#include <vector>

#include "session/state.h"

namespace attn {

// Those of the sample that is looked at whose text, as documents or as people read it, holds `text`
// without regard to case: queries before keys, each in order. None for an empty text.
std::vector<TokenHit> tokens_with(const AppState& state, std::string_view text);

}  // namespace attn
