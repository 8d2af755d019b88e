// The kinds of model that start from embeddings: how each is read, put together and written. One
// row for each. Internal to core/document.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/json_writer.h"
#include "document/draft/draft.h"
#include "document/json/values.h"

namespace attn {

struct EmbeddingKind {
  // Keys of a document; the first one chooses the kind, and no two kinds may be chosen at once.
  std::span<const Row<DocumentFields>> keys;
  std::string_view key() const { return keys.front().key; }
  bool (*is_given)(const DocumentFields&);

  // Brings matrices that are given to one form; what follows needs it so.
  bool (*unify)(Draft&);
  // Columns that generated embeddings of queries, keys or values need.
  std::size_t (*input_width)(const Draft&, StageRole);
  // Sets the model from what the text gives, and generates the rest.
  bool (*set)(Draft&, Embeddings);

  // What a model of the kind says beside its tensors: in the object of tensors at `place`, and
  // after all of them. Another model says nothing.
  void (*write_inside)(ObjectWriter&, const Model&, std::string_view place);
  void (*write_after)(ObjectWriter&, const Model&);
};

// In the order of documents. The first one is that of a document that chooses none.
std::span<const EmbeddingKind> all_embedding_kinds();
// The one that the text chooses.
const EmbeddingKind& chosen_kind(const DocumentFields& fields);

}  // namespace attn
