// A document being put together from what its text says. Internal to core/document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "document/document.h"
#include "document/inconsistencies.h"
#include "document/json/fields.h"

namespace attn {

// What is being put together. Steps return false when what follows would make no sense.
struct Draft {
  DocumentFields fields;
  Document document;
  std::string form_text;
  std::vector<std::string> generated;  // names of the projections that the text does not give
  std::vector<std::string> notes;
  bool derived_padding = false;  // a padding mask comes from token lists, not from the text
  bool assumed_causal = false;   // finished weights look so, and the text does not say
  std::vector<Error> errors;
  std::uint64_t memory_limit_bytes = 0;
  Progress* progress = nullptr;       // of what is generated; may be null
  std::uint64_t generated_bytes = 0;  // that fits_memory has let through

  bool refuse(const std::string& pointer, const std::string& message, const std::string& found,
              const std::string& expected, const std::string& hint = "") {
    errors.push_back(refusal_at(pointer, message, found, expected, hint));
    return false;
  }
};

// "w_q, w_k".
std::string joined(const std::vector<std::string>& names);

// Bytes of a float tensor; saturates.
std::uint64_t float_bytes(Shape shape);

// Refuses what would take more than the limit, together with all that was generated before it.
bool fits_memory(Draft& draft, std::initializer_list<std::uint64_t> parts,
                 const std::string& pointer, const std::string& what);

// Sets the model from embeddings and what works on them; what the text leaves out is generated from
// the seed. `tokens_only`: the embeddings too.
bool set_embedding_model(Draft& draft, bool tokens_only);

// True if the text has a mask of this attention.
bool is_mask_given(const DocumentFields& fields, const HeadAddress& at);
// That mask; an empty one if there is none.
MaskFields given_mask(const DocumentFields& fields, const HeadAddress& at);

// The last two axes exchanged.
Tensor transposed(const Tensor& tensor);

// Says that norms and dropout have no effect where there are no blocks, and keeps them; and that
// dropout has none anywhere.
void note_idle_norms(Draft& draft);

// Makes padding masks of key_lengths and query_lengths. Precondition: the input is sound.
bool set_lengths(Draft& draft);

// Generates the matrices of the scoring function and the learned positions that the text leaves
// out. Likewise.
bool generate_rules(Draft& draft);

// Brings them to matrices of depth 2, packed and stored as (inputs, outputs), one each for queries,
// keys and values. `place`: where the text has them.
bool unify_projections(Draft& draft, ProjectionFields& projections, const std::string& place);

// A single layer, blocks and recurrent encoder–decoders being put together: their rows of
// all_embedding_kinds().
bool unify_layer(Draft& draft);
std::size_t layer_input_width(const Draft& draft, StageRole role);
bool set_layer(Draft& draft, Embeddings embeddings);
bool unify_blocks(Draft& draft);
std::size_t blocks_input_width(const Draft& draft, StageRole role);
bool set_blocks(Draft& draft, Embeddings embeddings);
bool unify_recurrent(Draft& draft);
std::size_t recurrent_input_width(const Draft& draft, StageRole role);
bool set_recurrent(Draft& draft, Embeddings embeddings);

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
