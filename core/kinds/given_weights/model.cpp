// Given weights: extents, tensor and order of its axes.
#include "kinds/given_weights/model.h"

#include <algorithm>
#include <span>

namespace attn {

const KindInfo GivenWeights::kInfo{
    .name = "weights",
    .label = "Finished weights",
    .sentence = "Attention as it is given, of any model",
    .has_scores = false,
    .has_layers = true,
    .problems = &kWeightsProblems,
    .numbers = [](const AttentionShape& s) {
      return element_count({s.samples, s.layers, s.heads, s.n_q, s.n_k});
    }};

AttentionShape shape_of(const GivenWeights& model) {
  const auto extent = [&](Extent axis) -> std::size_t {
    const auto at = std::ranges::find(model.axes, axis);
    if (at == model.axes.end()) return 1;
    return model.weights.extent(static_cast<std::size_t>(at - model.axes.begin()));
  };
  AttentionShape shape;
  shape.layers = extent(Extent::Layers);
  shape.samples = extent(Extent::Samples);
  shape.heads = shape.kv_heads = extent(Extent::Heads);
  shape.n_q = extent(Extent::Queries);
  shape.n_k = extent(Extent::Keys);
  return shape;
}

TensorList tensors_of(const GivenWeights& model, const AttentionShape& shape) {
  TensorInfo info{&model.weights,    "/attention",  "attention", "A",
                  StageRole::Scores, TensorUse::Map};
  for (const Extent axis : model.axes) info.axes.push_back(axis_of(shape, axis));
  return {info};
}

bool attends_backwards_only(const GivenWeights& model, Progress* progress) {
  const AttentionShape shape = shape_of(model);
  const std::size_t n = shape.n_q;
  if (shape.n_k != n || n < 2) return false;
  const std::span<const float> cells = model.weights.values();
  const auto weighs = [](float weight) { return weight != 0.0F; };
  bool before = false;
  StepCount count(progress, cells.size() / n);
  for (std::size_t row = 0; row < cells.size() / n; ++row) {
    const std::span<const float> weights = cells.subspan(row * n, n);
    const std::size_t query = row % n;
    if (!count.add(1) || std::ranges::any_of(weights.subspan(query + 1), weighs)) return false;
    before = before || std::ranges::any_of(weights.first(query), weighs);
  }
  return before;
}

void check(Findings& findings, const GivenWeights& input, const Surroundings& /*around*/) {
  if (!rank_between(findings, input.weights, "/attention", 2, 5)) return;
  const std::size_t rank = input.weights.rank();
  const std::vector<Extent>& axes = input.axes;
  findings.require(axes.size() == rank, "/axes", "every axis of attention needs its name",
                   counted(axes.size(), "name"), std::to_string(rank));
  const bool ordered = std::is_sorted(axes.begin(), axes.end()) &&
                       std::adjacent_find(axes.begin(), axes.end()) == axes.end();
  const bool ends =
      axes.size() >= 2 && axes[axes.size() - 2] == Extent::Queries && axes.back() == Extent::Keys;
  findings.require(ordered && ends, "/axes", "the axes are not in canonical order", "another order",
                   "layer, sample, head, query, key");
}

void put_into(AttentionProblem& problem, const GivenWeights& model) {
  const AttentionShape& s = problem.shape;
  problem.kind = &kWeightsProblems;
  problem.weights = model.weights.reshaped({s.layers, s.samples, s.heads, s.n_q, s.n_k});
}

}  // namespace attn
