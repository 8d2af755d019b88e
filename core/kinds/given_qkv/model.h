// Kind of model: given queries, keys and values.
#pragma once

#include "attention/problem.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/kind_info.h"
#include "kinds/parts/tensor_info.h"

namespace attn {

// All three of equal rank: 2 (n, d), 3 (heads, n, d) or 4 (samples, heads, n, d). Widths of q and k
// may differ if the scoring function allows it. The rank is stored so that writing restores the
// nesting that was read. k and v may have fewer heads than q.
struct GivenQkv {
  static const KindInfo kInfo;
  static const KindInfo& info() { return kInfo; }
  Tensor q, k, v;
  friend bool operator==(const GivenQkv&, const GivenQkv&) = default;
};

// Functions that model.h requires of every kind.
AttentionShape shape_of(const GivenQkv& model);
TensorList tensors_of(const GivenQkv& model, const AttentionShape& shape);
void check(Findings& findings, const GivenQkv& model, const Surroundings& around);
void put_into(AttentionProblem& problem, const GivenQkv& model);

}  // namespace attn
