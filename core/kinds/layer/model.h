// Kind of model: embeddings projected in one layer of attention.
#pragma once

#include <cstddef>
#include <optional>

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
  AttentionShape shape() const;
  TensorList tensors(const AttentionShape& shape, std::optional<std::size_t> block = {}) const;
  void check(Findings& findings, const Surroundings& around) const;
  void put_into(AttentionProblem& problem) const;
  friend bool operator==(const AttentionLayer&, const AttentionLayer&) = default;
};

}  // namespace attn
