// Kinds of model that start from embeddings: how each is read, assembled and written, one row each.
// Internal to core/document.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/json_writer.h"
#include "document/draft/draft.h"
#include "document/json/values.h"

namespace attn {

struct EmbeddingKind {
  // Keys of a document; the first one chooses the kind, and two kinds must not be chosen at once.
  std::span<const Row<DocumentFields>> keys;
  std::string_view key() const { return keys.front().key; }
  bool (*is_given)(const DocumentFields&);

  // Normalises the form of given matrices, for the functions below.
  bool (*unify)(Draft&);
  // Columns that generated embeddings of queries, keys or values need.
  std::size_t (*input_width)(const Draft&, StageRole);
  // Sets the model from the text, and generates the rest.
  bool (*set)(Draft&, Embeddings);

  // Members of a model of the kind beside its tensors: in the object of tensors at `place`, and
  // after all of them. No effect for other models.
  void (*write_inside)(ObjectWriter&, const Model&, std::string_view place);
  void (*write_after)(ObjectWriter&, const Model&);
};

// In document order. The first is the default.
std::span<const EmbeddingKind> all_embedding_kinds();
// Kind chosen by the text.
const EmbeddingKind& chosen_kind(const DocumentFields& fields);

}  // namespace attn
