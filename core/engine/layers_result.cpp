// Layers with given queries, keys and values, each computed as a problem of its own.
#include "engine/layers_result.h"

#include <limits>

#include "engine/layer/changes.h"

namespace attn {
namespace {

HeadAddress in_one_layer(const HeadAddress& head) { return {0, head.sample, head.head}; }

AttentionProblem layer_problem(const AttentionProblem& problem, const HeadAddress& at) {
  AttentionProblem one = problem;
  one.shape = shape_of(problem, at);
  one.shape.layers = 1;
  one.cross = joins_two_sequences(problem, at);
  one.mask = mask_of_layer(mask_of(problem, at), at.layer);
  one.self_mask = one.encoder_mask = {};
  one.q = problem.q.part(at.layer);
  one.k = problem.k.part(at.layer);
  one.v = problem.v.part(at.layer);
  one.weights = given_weights(problem, at).part(at.layer);
  one.self_weights = one.encoder_weights = {};
  one.what_if = of_one_layer(problem.what_if, at);
  // The limit is that of all layers together.
  one.most_materialised_map_bytes =
      materialises_maps(problem) ? std::numeric_limits<std::uint64_t>::max() : 0;
  return one;
}

}  // namespace

LayersResult::LayersResult(AttentionProblem problem) : problem_(std::move(problem)) {
  for (const AttentionInfo& info : attentions_of(problem_)) {
    stages_[info.attention] = stages_of(problem_, info.at());
    layers_[info.attention].resize(problem_.shape.layers);
  }
}

void LayersResult::read(Stage stage, const HeadAddress& head, const CellRange& range,
                        float* out) const {
  layers(head)[head.layer]->read(stage, in_one_layer(head), range, out);
}

bool LayersResult::pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range,
                               Progress* progress, PooledCells& out) const {
  return layers(head)[head.layer]->pool_maxima(stage, in_one_layer(head), range, progress, out);
}

std::optional<std::uint64_t> LayersResult::non_finite_count(Stage stage,
                                                            const HeadAddress& at) const {
  std::uint64_t count = 0;
  for (const auto& layer : layers(at)) {
    if (layer == nullptr) continue;
    const std::optional<std::uint64_t> of_layer = layer->non_finite_count(stage, {});
    if (!of_layer) return std::nullopt;
    count += *of_layer;
  }
  return count;
}

std::optional<AttentionResult::Range> LayersResult::range(Stage stage,
                                                          const HeadAddress& head) const {
  return layers(head)[head.layer]->range(stage, in_one_layer(head));
}

std::shared_ptr<AttentionResult> compute_layers(const AttentionProblem& problem, unsigned threads,
                                                Progress* progress, const AttentionResult* before) {
  const auto made = std::make_shared<LayersResult>(problem);
  const auto* layered = dynamic_cast<const LayersResult*>(before);
  const std::size_t count = problem.shape.layers;
  const std::span<const AttentionInfo> attentions = attentions_of(problem);
  for (std::size_t i = 0; i < count * attentions.size(); ++i) {
    const std::size_t layer = i % count;
    const HeadAddress at = attentions[i / count].at().moved_to(layer, 0, 0);
    const ProgressPart part(progress, i, count * attentions.size());
    const bool known = layered != nullptr && has(attentions_of(layered->problem()), at) &&
                       layer < layered->layers(at).size();
    const std::shared_ptr<const LayerResult> then = known ? layered->layers(at)[layer] : nullptr;
    const auto now = std::make_shared<LayerResult>(layer_problem(problem, at));
    const bool is_same = then != nullptr && is_same_problem(then->problem(), now->problem());
    made->layers(at)[layer] = is_same ? then : now;
    if (is_same) continue;
    now->allocate();
    if (!compute_stages(*now, threads, progress, then.get())) return nullptr;
  }
  return made;
}

}  // namespace attn
