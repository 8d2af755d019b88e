// The kind of model that begins with queries, keys and values.
#pragma once

#include "attention/problem.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/kind_info.h"
#include "kinds/parts/tensor_info.h"

namespace attn {

// The same rank 2 (n, d), 3 (heads, n, d) or 4 (samples, heads, n, d) of all three. q may be wider
// or narrower than k where the scoring function allows it. The rank is kept so that writing gives
// back the depth that was read. k and v may have fewer heads than q.
struct GivenQkv {
  static const KindInfo kInfo;
  static const KindInfo& info() { return kInfo; }
  Tensor q, k, v;
  friend bool operator==(const GivenQkv&, const GivenQkv&) = default;
};

// As model.h asks of every kind.
AttentionShape shape_of(const GivenQkv& model);
TensorList tensors_of(const GivenQkv& model, const AttentionShape& shape);
void check(Findings& findings, const GivenQkv& model, const Surroundings& around);
void put_into(AttentionProblem& problem, const GivenQkv& model);

}  // namespace attn
