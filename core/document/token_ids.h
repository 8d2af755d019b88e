// Identity of tokens, for measures of repeated ones.
#pragma once

#include "document/document.h"
#include "engine/measures.h"

namespace attn {

// Equal texts have equal numbers. Empty for cross-attention, where keys do not precede or follow
// queries, and without tokens.
TokenIds token_ids(const Document& document, const HeadAddress& at);

}  // namespace attn
