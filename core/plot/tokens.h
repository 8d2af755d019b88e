// Tokens as plots show them.
#pragma once

#include <string>

#include "document/document.h"

namespace attn {

// The token made visible; its index when the document has no such token.
std::string token_label(const Document& document, Side side, std::size_t sample, std::size_t index);

}  // namespace attn
