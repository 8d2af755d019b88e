// Recurrent encoder–decoders being put together: their row of all_embedding_kinds(). Internal to
// core/document.
#pragma once

#include <cstddef>

#include "document/draft/draft.h"

namespace attn {

bool unify_recurrent(Draft& draft);
std::size_t recurrent_input_width(const Draft& draft, StageRole role);
bool set_recurrent(Draft& draft, Embeddings embeddings);

}  // namespace attn
