// Steps of completing a document from the fields of its text. Internal to core/document.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/joined.h"
#include "base/progress.h"
#include "document/json/document_text.h"
#include "document/problem.h"
#include "document/reading.h"

namespace attn {

// The incomplete reading of a text, whose `reading` names only its form so far. Steps return false
// if the following ones cannot be done.
struct Draft : Reading {
  DocumentText text;
  std::vector<std::string> generated;  // names of generated projections
  bool derived_padding = false;        // a padding mask follows from token lists
  std::uint64_t memory_limit_bytes = 0;
  Progress* progress = nullptr;       // of generating; may be null
  std::uint64_t generated_bytes = 0;  // accepted by fits_memory

  bool refuse(const std::string& pointer, const std::string& message, const std::string& found,
              const std::string& expected, const std::string& hint = "") {
    errors.push_back(refusal_at(pointer, message, found, expected, hint));
    return false;
  }
};

// Completes a text: its form, inferred and generated values. Errors have JSON pointers, but no line
// and column yet.
Reading completed(DocumentText text, std::uint64_t memory_limit_bytes,
                  Progress* progress = nullptr);

// Bytes of a float tensor; saturates.
std::uint64_t float_bytes(Shape shape);

// Refuses bytes that exceed the limit together with all generated ones.
bool fits_memory(Draft& draft, std::initializer_list<std::uint64_t> parts,
                 const std::string& pointer, const std::string& what);

// Sets the model from embeddings and the tensors for them; missing ones are generated from the
// seed. `tokens_only`: the embeddings too.
bool set_embedding_model(Draft& draft, bool tokens_only);

// The mask of this attention in the text, or an empty one.
MaskText given_mask(const DocumentText& text, const HeadAddress& at);

// Adds notes that norms and dropout have no effect without blocks, and dropout never; preserves
// them.
void note_idle_norms(Draft& draft);

// Makes padding masks from key_lengths and query_lengths. Precondition: the input is sound.
bool set_lengths(Draft& draft);

// Generates missing matrices of the scoring function and learned positions. Precondition: the input
// is sound.
bool generate_rules(Draft& draft);

// Roles of the embeddings that w_q, w_k and w_v multiply.
using InputRoles = std::array<StageRole, 3>;

// Converts projections to matrices of depth 2, packed and stored as (inputs, outputs), one each for
// queries, keys and values. If the text does not give the order of their axes, an order is chosen
// that fits the embeddings, with a note. `place`: their pointer in the text.
bool unify_projections(Draft& draft, ProjectionsText& projections, const std::string& place,
                       const InputRoles& roles);

// Completion of a single layer, of blocks and of recurrent encoder–decoders. Normalises the form of
// given matrices, generates embeddings of the model's width if they are not given, sets the model
// from the text, and generates the rest.
bool unify_layer(Draft& draft);
std::size_t layer_input_width(const Draft& draft, StageRole role);
bool set_layer(Draft& draft, Embeddings embeddings);
bool unify_blocks(Draft& draft);
std::size_t blocks_input_width(const Draft& draft, StageRole role);
bool set_blocks(Draft& draft, Embeddings embeddings);
bool unify_recurrent(Draft& draft);
std::size_t recurrent_input_width(const Draft& draft, StageRole role);
bool set_recurrent(Draft& draft, Embeddings embeddings);

// Width of a projection's inputs: rows of the given matrix, else the requested width, else the
// default.
std::size_t input_width(const Draft& draft, const std::optional<ProjectionsText>& projections,
                        StageRole role);

// Adds number and widths of heads to a shape of embeddings, derived from it and given matrices.
bool plan_heads(Draft& draft, const ProjectionsText& projections, const std::string& place,
                AttentionShape& shape);

// Generates required but missing tensors of the list, if they fit into memory.
bool generate_matrices(Draft& draft, const TensorList& list);

// Keys of the text that determine the widths of generated matrices.
std::string generated_width_pointer(const Draft& draft);

}  // namespace attn
