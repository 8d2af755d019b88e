// Given queries, keys and values: extents, list of tensors and checks.
#include "kinds/given_qkv/model.h"

#include <algorithm>
#include <utility>

namespace attn {

const KindInfo GivenQkv::kInfo{
    .name = "qkv",
    .label = "Q, K and V",
    .sentence = "Q, K and V entered directly, per head",
    .has_layers = true,
    .problems = &kQkvProblems,
    .numbers = [](const AttentionShape& s) {
      return saturating_sum(
          {element_count({s.layers, s.samples, s.heads, s.n_q, query_columns(s)}),
           element_count({s.layers, s.samples, s.kv_heads, s.n_k, s.d_k + s.d_v})});
    }};

std::vector<Extent> GivenQkv::outer_axes(std::size_t rank) const {
  if (!axes.empty()) return axes;
  const std::size_t there = std::clamp<std::size_t>(rank, 2, 2 + kQkvOuterAxes.size()) - 2;
  return {kQkvOuterAxes.end() - static_cast<std::ptrdiff_t>(there), kQkvOuterAxes.end()};
}

void GivenQkv::name_axes(std::vector<Extent> outer) {
  axes.clear();
  if (outer != outer_axes(outer.size() + 2)) axes = std::move(outer);
}

Shape GivenQkv::full_shape(const Tensor& tensor) const {
  const std::vector<Extent> outer = outer_axes(tensor.rank());
  Shape shape;
  std::size_t axis = 0;
  for (const Extent extent : kQkvOuterAxes) {
    const bool there = std::ranges::count(outer, extent) > 0;
    shape.push_back(there ? tensor.extent(axis++) : 1);
  }
  shape.insert(shape.end(), tensor.shape().end() - 2, tensor.shape().end());
  return shape;
}

AttentionShape GivenQkv::shape() const {
  const Shape of_q = full_shape(q), of_k = full_shape(k);
  return {.layers = of_q[0],
          .samples = of_q[1],
          .heads = of_q[2],
          .kv_heads = of_k[2],
          .n_q = of_q[3],
          .n_k = of_k[3],
          .d_k = of_k[4],
          .d_v = v.empty() ? 0 : v.shape().back(),
          .d_q = of_q[4] == of_k[4] ? 0 : of_q[4]};
}

TensorList GivenQkv::tensors(const AttentionShape& shape,
                             std::optional<std::size_t> /*block*/) const {
  TensorList list;
  const auto add = [&](const Tensor& tensor, const char* name, const char* label, StageRole role,
                       std::vector<Extent> extents) {
    std::vector<Extent> outer = outer_axes(q.rank());
    if (role != StageRole::Query) std::ranges::replace(outer, Extent::Heads, Extent::KeyHeads);
    extents.insert(extents.begin(), outer.begin(), outer.end());
    TensorInfo info{&tensor, std::string("/") + name, name, label, role, TensorUse::Input};
    for (const Extent extent : extents) info.axes.push_back(axis_of(shape, extent));
    list.push_back(std::move(info));
  };
  add(q, "q", "Q", StageRole::Query, {Extent::Queries, Extent::QueryWidth});
  add(k, "k", "K", StageRole::Key, {Extent::Keys, Extent::KeyWidth});
  add(v, "v", "V", StageRole::Value, {Extent::Keys, Extent::ValueWidth});
  return list;
}

void GivenQkv::check(Findings& findings, const Surroundings& around) const {
  constexpr std::size_t kMostAxes = kQkvOuterAxes.size() + 2;
  const bool has_values = v.rank() > 0;
  rank_between(findings, q, "/q", 2, kMostAxes);
  rank_between(findings, k, "/k", 2, kMostAxes);
  if (has_values) rank_between(findings, v, "/v", 2, kMostAxes);
  if (!findings.none()) return;
  const std::size_t rank = q.rank();
  rank_between(findings, k, "/k", rank, rank, ", as q has");
  if (has_values) rank_between(findings, v, "/v", rank, rank, ", as q has");
  if (!findings.none()) return;
  const Shape of_q = full_shape(q), of_k = full_shape(k);
  const Shape of_v = has_values ? full_shape(v) : of_k;
  for (const auto& [axis, noun] : {std::pair(0U, "layer"), std::pair(1U, "sample")}) {
    same_count(findings, "/k", noun, of_k[axis], of_q[axis], "q");
    same_count(findings, "/v", noun, of_v[axis], of_q[axis], "q");
  }
  findings.require(of_q[2] % of_k[2] == 0, "/k",
                   "the key-value heads do not divide the query heads", counted(of_k[2], "head"),
                   "a divisor of " + counted(of_q[2], "query head"));
  same_count(findings, "/v", "head", of_v[2], of_k[2], "k");
  same_count(findings, "/v", "row", of_v[3], of_k[3], "k");
  if (scoring_info(around.function).needs_equal_widths) {
    same_count(findings, "/k", "column", of_k[4], of_q[4], "q");
  }
}

void GivenQkv::put_into(AttentionProblem& problem) const {
  problem.kind = &kQkvProblems;
  const auto in_full = [&](const Tensor& tensor) {
    if (tensor.empty()) return Tensor();
    Shape shape = full_shape(tensor);
    if (shape.front() == 1) shape.erase(shape.begin());
    return tensor.reshaped(shape);
  };
  problem.q = in_full(q);
  problem.k = in_full(k);
  problem.v = in_full(v);
}

}  // namespace attn
