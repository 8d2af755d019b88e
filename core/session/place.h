// Places as text ("12", "12, 7", "head 3", "layer 2 head 1", "key 4"), and the search for tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/command.h"
#include "session/state.h"

namespace attn {

// Parses a place in the shown document; numbers count from 1. One number is a row, two are row and
// column; the words row, query, column, key, head, layer and sample, or their first letters, name
// the number behind them. Errors: Usage, with the valid range.
Result<command::GoTo> parse_place(const AppState& state, std::string_view text);

// "Row 9 (“it”), column 2 (“animal”), head 2".
std::string place_text(const AppState& state, const command::GoTo& place);

// Tokens of the shown sample whose text, raw or displayed, contains `text` (case-insensitive):
// queries before keys, in order. Empty for an empty text.
std::vector<TokenHit> tokens_with(const AppState& state, std::string_view text);

}  // namespace attn
