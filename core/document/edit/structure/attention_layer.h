// One layer of attention as a kind that structures can be changed to and from. Internal to
// core/document.
#pragma once

#include "document/edit/structure/rebuilding.h"

namespace attn {

extern const KindStructure kLayerStructure;
inline constexpr const KindStructure* kLayerStructures[] = {&kLayerStructure};

// What the stages of a layer are told by: those that project embeddings begin with it.
void outline_layer(AttentionProblem& problem);

// How many numbers the embeddings of a model have, and its four projections.
std::uint64_t numbers_of_embeddings(const AttentionShape& shape);
std::uint64_t numbers_of_projections(const AttentionShape& shape);

}  // namespace attn
