// A result of several transformer blocks that keeps every stage of each. Internal to the engine:
// callers see AttentionResult.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "engine/layer/layer_result.h"

namespace attn {

// One block. Stages around its attentions are (samples, n, columns); what an attention reads is
// kept by its problem instead.
struct StackLayer {
  std::shared_ptr<LayerResult> attention;  // to the rows themselves
  std::shared_ptr<LayerResult> cross;      // to the keys, in a decoder
  std::array<std::vector<float>, kStageCount> stages;
  std::array<std::vector<CellSummary>, kStageCount> summaries;  // by sample
};

// Made and filled by compute(), immutable afterwards.
class StackResult final : public AttentionResult {
 public:
  // Precondition: the problem is whole and has blocks.
  explicit StackResult(AttentionProblem problem);

  const AttentionResult& attended(std::size_t part) const override;
  const AttentionProblem& problem() const override { return problem_; }
  const std::vector<Stage>& stages() const override { return stages_; }
  void read(Stage stage, const HeadAddress& head, const CellRange& range,
            float* out) const override;
  bool pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range, Progress* progress,
                   PooledCells& out) const override;
  std::optional<std::uint64_t> non_finite_count(Stage stage) const override;
  std::optional<Range> range(Stage stage, const HeadAddress& head) const override;
  const std::vector<ResultNote>& notes() const override { return notes_; }

  // Memory for what is around the attentions. Throws std::bad_alloc.
  bool allocate();

  StackLayer& layer(std::size_t index) { return (*layers_)[index]; }
  const StackLayer& layer(std::size_t index) const { return (*layers_)[index]; }
  // The matrix of a stage around the attention, borrowed. FinalNorm belongs to the last layer.
  MatrixView matrix(Stage stage, std::size_t layer, std::size_t sample) const;
  MutableMatrix mutable_matrix(Stage stage, std::size_t layer, std::size_t sample);

  void set_notes(std::vector<ResultNote> notes) { notes_ = std::move(notes); }

  // The self-attention of a decoder, sharing the layers; null without one.
  StackResult* self() { return self_.get(); }

 private:
  using Layers = std::vector<StackLayer>;
  StackResult(AttentionProblem problem, std::shared_ptr<Layers> layers);
  std::size_t layer_of(Stage stage, std::size_t layer) const;
  const LayerResult& attention(std::size_t layer) const;

  AttentionProblem problem_;
  std::vector<Stage> stages_;
  std::shared_ptr<Layers> layers_;
  std::unique_ptr<StackResult> self_;
  std::vector<ResultNote> notes_;
};

// The stage that a block's attention to its own rows reads: the block's input, or the norm in front
// of it; and the one that a decoder's attention to the keys reads.
Stage attention_input(const Stack& stack);
Stage cross_input(const Stack& stack);

// Fills all stages block after block. False when cancelled. Throws std::bad_alloc.
bool compute_stages(StackResult& result, unsigned threads, Progress* progress,
                    const StackResult* before = nullptr);

}  // namespace attn
