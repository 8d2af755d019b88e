// The embeddings that a model starts from, of one sequence or of two.
#pragma once

#include "model/tensor_info.h"

namespace attn {

// Of rank 2 (n, d_model) or 3 (samples, n, d_model). For self-attention key is empty and the
// queries' serve; value empty: the keys' serve.
struct Embeddings {
  Tensor query, key, value;
  const Tensor& keys() const { return key.empty() ? query : key; }
  const Tensor& values() const { return value.empty() ? keys() : value; }
  friend bool operator==(const Embeddings&, const Embeddings&) = default;
};

// What they say of the shape: samples, lengths and widths.
AttentionShape shape_of(const Embeddings& embeddings);

void list_embeddings(TensorList& list, const Embeddings& embeddings, const AttentionShape& shape);

// Brought to rank 3, the absent ones replaced by those that serve for them.
Embeddings complete(const Embeddings& embeddings);

}  // namespace attn
