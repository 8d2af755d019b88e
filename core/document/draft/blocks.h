// Blocks being put together: their row of all_embedding_kinds(). Internal to core/document.
#pragma once

#include <cstddef>

#include "document/draft/draft.h"

namespace attn {

bool unify_blocks(Draft& draft);
std::size_t blocks_input_width(const Draft& draft, StageRole role);
bool set_blocks(Draft& draft, Embeddings embeddings);

}  // namespace attn
