// Result of several layers with queries, keys and values of their own, such as those recorded from
// a model, or of several attentions with given weights: a result of one layer for each. Internal to
// the engine and to kinds of several layers: callers see AttentionResult.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "engine/layer/layer_result.h"

namespace attn {

// Filled by compute_layers(), then immutable.
class LayersResult : public AttentionResult {
 public:
  explicit LayersResult(AttentionProblem problem);

  const AttentionProblem& problem() const override { return problem_; }
  const std::vector<Stage>& stages(const HeadAddress& at = {}) const override {
    return stages_[among(attentions_of(problem_), at).attention];
  }
  void read(Stage stage, const HeadAddress& head, const CellRange& range,
            float* out) const override;
  bool pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range, Progress* progress,
                   PooledCells& out) const override;
  std::optional<std::uint64_t> non_finite_count(Stage stage, const HeadAddress& at) const override;
  std::optional<Range> range(Stage stage, const HeadAddress& head) const override;

  using Layers = std::vector<std::shared_ptr<const LayerResult>>;
  // Layers of an attention; null before they are made.
  Layers& layers(const HeadAddress& at = {}) { return layers_[at.attention]; }
  const Layers& layers(const HeadAddress& at = {}) const {
    return layers_[among(attentions_of(problem_), at).attention];
  }

 private:
  AttentionProblem problem_;
  std::array<std::vector<Stage>, kAttentions> stages_;  // by HeadAddress::attention
  std::array<Layers, kAttentions> layers_;              // null before they are made
};

// Computes all layers in sequence. `before`, which may be null, is a result whose equal layers, and
// equal parts of other layers, are reused; `progress` may be null. Null when cancelled. Throws
// std::bad_alloc.
std::shared_ptr<AttentionResult> compute_layers(const AttentionProblem& problem, unsigned threads,
                                                Progress* progress, const AttentionResult* before);

}  // namespace attn
