// Projections of a document being put together: in one form, with the heads that they make up.
// Internal to core/document.
#pragma once

#include <cstddef>
#include <string>

#include "document/draft/draft.h"

namespace attn {

// Brings them to matrices of depth 2, packed and stored as (inputs, outputs), one each for queries,
// keys and values. `place`: where the text has them.
bool unify_projections(Draft& draft, ProjectionFields& projections, const std::string& place);

// A single layer being put together: its row of all_embedding_kinds().
bool unify_layer(Draft& draft);
std::size_t layer_input_width(const Draft& draft, StageRole role);
bool set_layer(Draft& draft, Embeddings embeddings);

// What a matrix of the projections that the text gives says of the width of its inputs: as many
// rows as it has, or as asked, or the default. `projections`: null where the text gives none.
std::size_t input_width(const Draft& draft, const ProjectionFields* projections, StageRole role);

// Heads and the widths of one.
struct HeadPlan {
  std::size_t heads = 1, kv_heads = 1, d_k = 1, d_v = 1;
};

// From the matrices that are given and the width of the embeddings.
bool plan_heads(Draft& draft, std::size_t d_model, const ProjectionFields& projections,
                const std::string& place, HeadPlan& plan);

// Adds the heads that are planned to a shape of embeddings.
void set_heads(AttentionShape& shape, const HeadPlan& plan);

// The matrices that are given.
Projections taken(ProjectionFields projections);

// Generates the tensors of the list that are needed and missing, if they fit.
bool generate_matrices(Draft& draft, const TensorList& list);

// What the user wrote that makes generated matrices as wide as they are.
std::string generated_width_pointer(const Draft& draft);

}  // namespace attn
