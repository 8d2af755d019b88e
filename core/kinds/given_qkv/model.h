// Kind of model: given queries, keys and values.
#pragma once

#include <optional>

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
  AttentionShape shape() const;
  TensorList tensors(const AttentionShape& shape, std::optional<std::size_t> block = {}) const;
  void check(Findings& findings, const Surroundings& around) const;
  void put_into(AttentionProblem& problem) const;
  friend bool operator==(const GivenQkv&, const GivenQkv&) = default;
};

}  // namespace attn
