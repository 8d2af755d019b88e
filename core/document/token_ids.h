// Which tokens of a document are the same, for measures that look for repeated ones.
#pragma once

#include "document/document.h"
#include "engine/measures.h"

namespace attn {

// Equal texts have equal numbers, that of one of the tokens. Empty for cross-attention, where a key
// does not come before or after a query, and without tokens.
TokenIds token_ids(const Document& document, const HeadAddress& at);

}  // namespace attn
