// Kind of model: embeddings projected in one layer of attention.
#pragma once

#include <cstddef>

#include "attention/block.h"
#include "attention/problem.h"
#include "kinds/parts/embeddings.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/kind_info.h"

namespace attn {

struct AttentionLayer {
  static const KindInfo kInfo;
  static const KindInfo& info() { return kInfo; }
  Embeddings embeddings;
  std::size_t heads = 1;
  Projections projections;
  friend bool operator==(const AttentionLayer&, const AttentionLayer&) = default;
};

// Functions that model.h requires of every kind.
AttentionShape shape_of(const AttentionLayer& model);
TensorList tensors_of(const AttentionLayer& model, const AttentionShape& shape);
void check(Findings& findings, const AttentionLayer& model, const Surroundings& around);
void put_into(AttentionProblem& problem, const AttentionLayer& model);

}  // namespace attn
