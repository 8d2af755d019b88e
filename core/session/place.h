// Places as a person names them ("12", "12, 7", "head 3", "layer 2 head 1", "key 4"), and tokens
// that are searched by their text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/command.h"
#include "session/state.h"

namespace attn {

// Of what is looked at; numbers count from 1, as sentences and titles do. One number is a row, two
// are row and column; the words row, query, column, key, head, layer and sample, or their first
// letters, name what follows. Usage says what cannot be read, or what there is instead.
Result<command::GoTo> parse_place(const AppState& state, std::string_view text);

// "Row 9 (“it”), column 2 (“animal”), head 2".
std::string place_text(const AppState& state, const command::GoTo& place);

// Those of the sample that is looked at whose text, as documents or as people read it, holds `text`
// without regard to case: queries before keys, each in order. None for an empty text.
std::vector<TokenHit> tokens_with(const AppState& state, std::string_view text);

}  // namespace attn
