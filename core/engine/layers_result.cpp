// Layers with given queries, keys and values, each computed as a problem of its own.
#include "engine/layers_result.h"

#include <limits>

#include "engine/layer/changes.h"

namespace attn {
namespace {

HeadAddress in_one_layer(const HeadAddress& head) { return {0, head.sample, head.head}; }

// Shares the numbers.
Tensor part_of_layer(const Tensor& all, std::size_t layer) {
  if (all.empty()) return {};
  const Shape shape(all.shape().begin() + 1, all.shape().end());
  return {shape, all.data() + layer * element_count(shape), std::make_shared<const Tensor>(all)};
}

AttentionProblem layer_problem(const AttentionProblem& problem, std::size_t layer) {
  AttentionProblem one = problem;
  one.shape.layers = 1;
  one.q = part_of_layer(problem.q, layer);
  one.k = part_of_layer(problem.k, layer);
  one.v = part_of_layer(problem.v, layer);
  // The limit is that of all layers together.
  one.most_materialised_map_bytes =
      materialises_maps(problem) ? std::numeric_limits<std::uint64_t>::max() : 0;
  return one;
}

}  // namespace

void LayersResult::read(Stage stage, const HeadAddress& head, const CellRange& range,
                        float* out) const {
  layers_[head.layer]->read(stage, in_one_layer(head), range, out);
}

bool LayersResult::pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range,
                               Progress* progress, PooledCells& out) const {
  return layers_[head.layer]->pool_maxima(stage, in_one_layer(head), range, progress, out);
}

std::optional<std::uint64_t> LayersResult::non_finite_count(Stage stage,
                                                            const HeadAddress& at) const {
  std::uint64_t count = 0;
  for (const auto& layer : layers_) {
    const std::optional<std::uint64_t> of_layer = layer->non_finite_count(stage, at);
    if (!of_layer) return std::nullopt;
    count += *of_layer;
  }
  return count;
}

std::optional<AttentionResult::Range> LayersResult::range(Stage stage,
                                                          const HeadAddress& head) const {
  return layers_[head.layer]->range(stage, in_one_layer(head));
}

std::shared_ptr<AttentionResult> compute_layers(const AttentionProblem& problem, unsigned threads,
                                                Progress* progress, const AttentionResult* before) {
  const auto made = std::make_shared<LayersResult>(problem);
  const auto* layered = dynamic_cast<const LayersResult*>(before);
  const std::size_t count = problem.shape.layers;
  const float share = 1.0F / static_cast<float>(count);
  for (std::size_t layer = 0; layer < count; ++layer) {
    const ProgressPart part(progress, share * static_cast<float>(layer), share);
    const bool known = layered != nullptr && layer < layered->layers().size();
    const std::shared_ptr<const LayerResult> then = known ? layered->layers()[layer] : nullptr;
    const auto now = std::make_shared<LayerResult>(layer_problem(problem, layer));
    if (then != nullptr && is_same_problem(then->problem(), now->problem())) {
      made->layers().push_back(then);
      continue;
    }
    now->allocate();
    if (!compute_stages(*now, threads, progress, then.get())) return nullptr;
    made->layers().push_back(now);
  }
  return made;
}

}  // namespace attn
