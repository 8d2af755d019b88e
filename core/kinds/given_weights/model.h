// Kind of model: given attention weights.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "attention/problem.h"
#include "base/progress.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/kind_info.h"
#include "kinds/parts/tensor_info.h"

namespace attn {

inline constexpr std::array kWeightAxes{Extent::Layers, Extent::Samples, Extent::Heads,
                                        Extent::Queries, Extent::Keys};

// Weights that are shown unchanged. `axes` name the axes of `weights`, in the order of kWeightAxes;
// always ending in Queries, Keys. With weights of a cross-attention, the self-attention weights of
// its decoder (`self`) and of its encoder may be given, with the same axes.
struct GivenWeights {
  static const KindInfo kInfo;
  static const KindInfo& info() { return kInfo; }
  Tensor weights;
  std::vector<Extent> axes;
  Tensor self = {}, encoder = {};
  AttentionShape shape() const;
  TensorList tensors(const AttentionShape& shape, std::optional<std::size_t> block = {}) const;
  void check(Findings& findings, const Surroundings& around) const;
  void put_into(AttentionProblem& problem) const;
  friend bool operator==(const GivenWeights&, const GivenWeights&) = default;
};

// True if in all maps, (…, queries, keys), or in a sample_of_rows() of large ones, no query attends
// to a later key, and some query to an earlier one, as in causal attention. False if `progress`
// (may be null) is cancelled.
bool attends_backwards_only(const Tensor& weights, Progress* progress = nullptr);

}  // namespace attn
