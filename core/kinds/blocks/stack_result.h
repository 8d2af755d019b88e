// A result of several transformer blocks that keeps every stage of each. Internal to its kind:
// callers see AttentionResult.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "engine/compute.h"
#include "engine/layers_result.h"

namespace attn {

// One block. Stages around its attentions are (samples, n, columns); inputs of attentions are
// stored in their problems.
struct StackLayer {
  std::array<std::vector<float>, kStageCount> stages;
  std::array<std::vector<CellSummary>, kStageCount> summaries;  // by sample
};

// Filled by compute(), or when it is read, then immutable.
class StackResult final : public LayersResult {
 public:
  // Precondition: the problem has blocks.
  explicit StackResult(AttentionProblem problem)
      : LayersResult(with_layer_masks(std::move(problem))), layers_(shape().layers) {
    for (auto& layer : layers_) layer = std::make_shared<StackLayer>();
  }

  void read(Stage stage, const HeadAddress& head, const CellRange& range,
            float* out) const override;
  bool pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range, Progress* progress,
                   PooledCells& out) const override;
  std::optional<std::uint64_t> non_finite_count(Stage stage, const HeadAddress& at) const override;
  std::optional<Range> range(Stage stage, const HeadAddress& head) const override;

  // Computes all layers through one, but for those that are there; those of another result of equal
  // shape, which may be null, are reused. False if cancelled. Throws std::bad_alloc. Thread-safe.
  bool compute_through(std::size_t layer, unsigned threads, Progress* progress,
                       const StackResult* before);
  std::size_t layers_ready() const override { return ready_; }

  // Allocates a layer's stages around the attentions. Throws std::bad_alloc.
  void allocate(std::size_t index);
  // Takes a layer of another result, which is no longer written.
  void share(std::size_t index, const StackResult& from) { layers_[index] = from.layers_[index]; }

  StackLayer& layer(std::size_t index) { return *layers_[index]; }
  const StackLayer& layer(std::size_t index) const { return *layers_[index]; }
  // Matrix of a stage around the attention, borrowed. FinalNorm belongs to the last layer.
  MatrixView matrix(Stage stage, std::size_t layer, std::size_t sample) const;
  MutableMatrix mutable_matrix(Stage stage, std::size_t layer, std::size_t sample);

 private:
  std::size_t layer_of(Stage stage, std::size_t layer) const;
  // Computes layers that compute() left out, before they are read.
  void need(std::size_t layer) const;

  std::mutex mutex_;
  std::atomic<std::size_t> ready_ = 0;  // layers that are computed
  std::vector<std::shared_ptr<StackLayer>> layers_;
};

// Computes all stages, block after block. Null when cancelled. Throws std::bad_alloc.
std::shared_ptr<AttentionResult> compute_stack(const AttentionProblem& problem,
                                               const ComputeOptions& run);

}  // namespace attn
