// Token lists in documents: texts, or a count with the names of some. Internal to core/document.
#pragma once

#include "document/document.h"
#include "text/cursor.h"

namespace attn {

// One list for all samples, or one per sample.
bool read_token_lists(JsonCursor& cursor, TokenLists& lists);

}  // namespace attn
