// The embeddings that a model starts from, of one sequence or of two.
#pragma once

#include <cstdint>
#include <string>

#include "attention/problem.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/tensor_info.h"

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

// How many numbers such embeddings have, and those of a second sequence.
std::uint64_t numbers_of_embeddings(const AttentionShape& shape);

void list_embeddings(TensorList& list, const Embeddings& embeddings, const AttentionShape& shape);

// What the embeddings of the queries are called in a document.
std::string query_name_of(const Surroundings& around, const Embeddings& embeddings);

// Whether embeddings and heads are sound enough to look at what works on them.
bool check_embeddings(Findings& findings, const Surroundings& around, const Embeddings& embeddings,
                      std::size_t heads);

// Gives its tensors, at full rank, to a problem of its shape.
void put_into(AttentionProblem& problem, const Embeddings& model);

}  // namespace attn
