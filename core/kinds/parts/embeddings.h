// Embeddings of a model, of one sequence or two.
#pragma once

#include <cstdint>
#include <string>

#include "attention/problem.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/tensor_info.h"

namespace attn {

// Of rank 2 (n, d_model) or 3 (samples, n, d_model). For self-attention key is empty: the queries';
// value empty: the keys'.
struct Embeddings {
  Tensor query, key, value;
  const Tensor& keys() const { return key.empty() ? query : key; }
  const Tensor& values() const { return value.empty() ? keys() : value; }
  friend bool operator==(const Embeddings&, const Embeddings&) = default;
};

// Samples, lengths and widths.
AttentionShape shape_of(const Embeddings& embeddings);

// How many numbers such embeddings have, and those of a second sequence.
std::uint64_t numbers_of_embeddings(const AttentionShape& shape);

void list_embeddings(TensorList& list, const Embeddings& embeddings, const AttentionShape& shape);

// Name of the queries' embeddings in a document.
std::string query_name_of(const Surroundings& around, const Embeddings& embeddings);

// True if embeddings and heads are valid, so that dependent checks make sense.
bool check_embeddings(Findings& findings, const Surroundings& around, const Embeddings& embeddings,
                      std::size_t heads);

// Sets the problem's tensors at full rank.
void put_into(AttentionProblem& problem, const Embeddings& model);

}  // namespace attn
