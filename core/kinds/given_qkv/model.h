// Kind of model: given queries, keys and values.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "attention/problem.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/kind_info.h"
#include "kinds/parts/tensor_info.h"

namespace attn {

inline constexpr std::array kQkvOuterAxes{Extent::Layers, Extent::Samples, Extent::Heads};

// Q, K and V of equal rank: (n, d) behind some of the outer axes. Widths of q and k may differ if
// the scoring function allows it. The axes are stored so that writing restores the nesting that was
// read. k and v may have fewer heads than q.
struct GivenQkv {
  static const KindInfo kInfo;
  static const KindInfo& info() { return kInfo; }
  Tensor q, k, v;
  // Outer axes in the order of kQkvOuterAxes; empty for the usual ones of the rank, its last ones.
  std::vector<Extent> axes = {};
  std::vector<Extent> outer_axes(std::size_t rank) const;
  // Sets the outer axes that all tensors have.
  void name_axes(std::vector<Extent> outer);
  // Extents along layers, samples, heads, rows and columns of a given tensor; 1 for axes that it
  // lacks.
  Shape full_shape(const Tensor& tensor) const;
  AttentionShape shape() const;
  TensorList tensors(const AttentionShape& shape, std::optional<std::size_t> block = {}) const;
  void check(Findings& findings, const Surroundings& around) const;
  void put_into(AttentionProblem& problem) const;
  friend bool operator==(const GivenQkv&, const GivenQkv&) = default;
};

}  // namespace attn
