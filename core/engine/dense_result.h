// A result that keeps every stage in memory. Internal to the engine: callers see AttentionResult.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/kernels/matmul.h"
#include "engine/kernels/row_kernels.h"
#include "engine/result.h"

namespace attn {

// Made and filled by compute(), immutable afterwards.
class DenseResult final : public AttentionResult {
 public:
  explicit DenseResult(AttentionProblem problem);

  const AttentionProblem& problem() const override { return problem_; }
  const std::vector<Stage>& stages() const override { return stages_; }
  void read(Stage stage, const HeadAddress& head, const CellRange& range,
            float* out) const override;
  std::uint64_t non_finite_count(Stage stage) const override;
  Range range(Stage stage, const HeadAddress& head) const override;
  const std::vector<ResultNote>& notes() const override { return notes_; }

  // Memory for stored_stages(problem), its values not set. False when there is not enough.
  bool allocate();

  // The whole matrix of a stage, borrowed.
  MatrixView matrix(Stage stage, const HeadAddress& head) const;
  // The same to write. Precondition: the stage is stored.
  MutableMatrix mutable_matrix(Stage stage, const HeadAddress& head);

  // What is known of one matrix: shared by the heads where the stage is not per head.
  CellSummary& summary(Stage stage, const HeadAddress& head);
  const CellSummary& summary(Stage stage, const HeadAddress& head) const;

  void set_notes(std::vector<ResultNote> notes) { notes_ = std::move(notes); }

 private:
  AttentionProblem problem_;
  std::vector<Stage> stages_;
  std::array<std::unique_ptr<float[]>, kStageCount> stored_;
  std::array<std::vector<CellSummary>, kStageCount> summaries_;
  std::vector<ResultNote> notes_;
};

}  // namespace attn
