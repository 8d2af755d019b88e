// A result of several transformer blocks that keeps every stage of each. Internal to the engine:
// callers see AttentionResult.
#pragma once

#include <algorithm>
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
  // Precondition: the problem has blocks.
  explicit StackResult(AttentionProblem problem);

  const AttentionProblem& problem() const override { return problem_; }
  const std::vector<Stage>& stages(const HeadAddress& at = {}) const override {
    return of(at).stages;
  }
  void read(Stage stage, const HeadAddress& head, const CellRange& range,
            float* out) const override;
  bool pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range, Progress* progress,
                   PooledCells& out) const override;
  std::optional<std::uint64_t> non_finite_count(Stage stage, const HeadAddress& at) const override;
  std::optional<Range> range(Stage stage, const HeadAddress& head) const override;
  const std::vector<ResultNote>& notes(const HeadAddress& at) const override {
    return of(at).notes;
  }

  // Memory for what is around the attentions. Throws std::bad_alloc.
  bool allocate();

  StackLayer& layer(std::size_t index) { return layers_[index]; }
  const StackLayer& layer(std::size_t index) const { return layers_[index]; }
  // The matrix of a stage around the attention, borrowed. FinalNorm belongs to the last layer.
  MatrixView matrix(Stage stage, std::size_t layer, std::size_t sample) const;
  MutableMatrix mutable_matrix(Stage stage, std::size_t layer, std::size_t sample);

  void set_notes(const HeadAddress& at, std::vector<ResultNote> notes) {
    attentions_[at.attention].notes = std::move(notes);
  }

 private:
  struct OfAttention {
    std::vector<Stage> stages;
    std::vector<ResultNote> notes;
  };
  const OfAttention& of(const HeadAddress& at) const {
    return attentions_[std::min(at.attention, attentions_.size() - 1)];
  }
  std::size_t layer_of(Stage stage, std::size_t layer) const;
  const LayerResult& attention(const HeadAddress& at) const;

  AttentionProblem problem_;
  std::vector<OfAttention> attentions_;  // by HeadAddress::attention
  std::vector<StackLayer> layers_;
};

// The stage that a block's attention to its own rows reads: the block's input, or the norm in front
// of it; and the one that a decoder's attention to the keys reads.
Stage attention_input(const Stack& stack);
Stage cross_input(const Stack& stack);

// Fills all stages block after block. False when cancelled. Throws std::bad_alloc.
bool compute_stages(StackResult& result, unsigned threads, Progress* progress,
                    const StackResult* before = nullptr);

}  // namespace attn
