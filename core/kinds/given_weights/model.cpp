// Given weights: extents, tensor and order of its axes.
#include "kinds/given_weights/model.h"

#include <algorithm>
#include <span>

#include "base/row_sample.h"

namespace attn {

const KindInfo GivenWeights::kInfo{
    .name = "weights",
    .label = "Finished weights",
    .sentence = "Attention weights exported from a model",
    .has_scores = false,
    .has_layers = true,
    .problems = &kWeightsProblems,
    .numbers = [](const AttentionShape& s) {
      return element_count({s.samples, s.layers, s.heads, s.n_q, s.n_k});
    }};

AttentionShape GivenWeights::shape() const {
  const auto extent = [&](Extent axis) -> std::size_t {
    const auto at = std::ranges::find(axes, axis);
    if (at == axes.end()) return 1;
    return weights.extent(static_cast<std::size_t>(at - axes.begin()));
  };
  return {.layers = extent(Extent::Layers),
          .samples = extent(Extent::Samples),
          .heads = extent(Extent::Heads),
          .kv_heads = extent(Extent::Heads),
          .n_q = extent(Extent::Queries),
          .n_k = extent(Extent::Keys)};
}

TensorList GivenWeights::tensors(const AttentionShape& shape,
                                 std::optional<std::size_t> /*block*/) const {
  TensorList list;
  const auto add = [&](const Tensor& tensor, const std::string& name, const char* label,
                       Extent rows, Extent columns) {
    TensorInfo info{&tensor, "/" + name, name, label, StageRole::Scores, TensorUse::Map};
    for (const Extent axis : axes) info.axes.push_back(axis_of(shape, axis));
    info.axes.end()[-2] = axis_of(shape, rows);
    info.axes.back() = axis_of(shape, columns);
    if (&tensor == &weights || !tensor.empty()) list.push_back(std::move(info));
  };
  add(weights, "attention", "A", Extent::Queries, Extent::Keys);
  add(self, "self_attention", "self A", Extent::Queries, Extent::Queries);
  add(encoder, "encoder_attention", "encoder A", Extent::Keys, Extent::Keys);
  return list;
}

bool attends_backwards_only(const Tensor& weights, Progress* progress) {
  const std::size_t n = weights.extent(weights.rank() - 1);
  if (weights.extent(weights.rank() - 2) != n || n < 2) return false;
  const auto weighs = [](float weight) { return weight != 0.0F; };
  const RowSample sample = sample_of_rows(weights);
  StepCount count(progress, sample.count);
  bool before = false;
  const auto looks_back = [&](std::size_t row, std::span<const float> of_row) {
    const std::size_t query = row % n;
    before = before || std::ranges::any_of(of_row.first(query), weighs);
    return count.add(1) && std::ranges::none_of(of_row.subspan(query + 1), weighs);
  };
  return visit_rows(weights, sample, looks_back) && before;
}

void GivenWeights::check(Findings& findings, const Surroundings& /*around*/) const {
  if (!rank_between(findings, weights, "/attention", 2, 5)) return;
  const std::size_t rank = weights.rank();
  findings.require(axes.size() == rank, "/axes", "every axis of attention needs its name",
                   counted(axes.size(), "name"), std::to_string(rank));
  const bool ordered = std::is_sorted(axes.begin(), axes.end()) &&
                       std::adjacent_find(axes.begin(), axes.end()) == axes.end();
  const bool ends =
      axes.size() >= 2 && axes[axes.size() - 2] == Extent::Queries && axes.back() == Extent::Keys;
  findings.require(ordered && ends, "/axes", "the axes are not in canonical order", "another order",
                   "layer, sample, head, query, key");
  if (!findings.none()) return;
  for (const TensorInfo& other : tensors(shape())) {
    if (other.tensor == &weights) continue;
    findings.require(
        other.tensor->shape() == other.shape(), other.path,
        other.name + " does not fit attention, whose shape is " + shape_text(weights.shape()),
        shape_text(other.tensor->shape()), shape_text(other.shape()));
  }
}

void GivenWeights::put_into(AttentionProblem& problem) const {
  const AttentionShape& s = problem.shape;
  problem.kind = &kWeightsProblems;
  const auto in_full = [&s](const Tensor& tensor, std::size_t rows, std::size_t columns) {
    return tensor.empty() ? tensor : tensor.reshaped({s.layers, s.samples, s.heads, rows, columns});
  };
  problem.weights = in_full(weights, s.n_q, s.n_k);
  problem.self_weights = in_full(self, s.n_q, s.n_q);
  problem.encoder_weights = in_full(encoder, s.n_k, s.n_k);
}

}  // namespace attn
