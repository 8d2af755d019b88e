// Which tokens of two sequences are the same. Internal to core/document.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "document/token_list.h"

namespace attn {

// For each of `after` the place among `before` of the same text, in ascending order, or kNewPlace:
// as many as there can be, where telling that takes less than some million comparisons; in longer
// lists each finds the next one that is left of it.
std::vector<std::size_t> matched_tokens(const TokenList& before,
                                        const std::vector<std::string>& after);

}  // namespace attn
