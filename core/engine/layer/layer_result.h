// A result of one layer. Keeps what is as long as the tokens; maps of queries by keys, and what
// comes of them, where they are small (keeps_maps), else computes their cells when they are read.
// Internal to the engine: callers see AttentionResult.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/quotient_up.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/row_kernels.h"
#include "engine/layer/caches.h"
#include "engine/layer/head_tiles.h"
#include "engine/read/result.h"

namespace attn {

struct HeadChanges;

// Made and filled by compute(), immutable afterwards.
class LayerResult final : public AttentionResult {
 public:
  explicit LayerResult(AttentionProblem problem);

  const AttentionProblem& problem() const override { return problem_; }
  const std::vector<Stage>& stages(const HeadAddress& /*at*/ = {}) const override {
    return stages_;
  }
  void read(Stage stage, const HeadAddress& head, const CellRange& range,
            float* out) const override;
  bool pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range, Progress* progress,
                   PooledCells& out) const override;
  std::optional<std::uint64_t> non_finite_count(Stage stage, const HeadAddress& at) const override;
  std::optional<Range> range(Stage stage, const HeadAddress& head) const override;
  const std::vector<ResultNote>& notes(const HeadAddress& /*at*/) const override { return notes_; }

  // Memory for stored_stages(problem), its values not set. False when there is not enough.
  bool allocate();

  // Memory for a stage that is computed when it is read, so that it is kept: its values are not
  // set. False as above.
  bool keep(Stage stage);
  // Given, or in memory.
  bool holds(Stage stage) const;

  // The whole matrix of a stage, borrowed. Precondition: it is held.
  MatrixView matrix(Stage stage, const HeadAddress& head) const;
  // To be written. Precondition: the stage is stored.
  MutableMatrix mutable_matrix(Stage stage, const HeadAddress& head);

  // What is known of one matrix: shared by the heads where the stage is not per head.
  CellSummary& summary(Stage stage, const HeadAddress& head);
  const CellSummary& summary(Stage stage, const HeadAddress& head) const;

  // What cells of one head are computed from, borrowed. Lays out keys, and values for who asks for
  // outputs, when a head is asked for the first time.
  enum class Wants { Maps, Outputs };
  HeadInputs inputs_of(const HeadAddress& head, Wants wants = Wants::Outputs) const;
  // The output projection laid out, for products in float; null where they are in double.
  const PackedPanels* packed_output_map() const;
  // Gives that memory back.
  void drop_packed() { packed_.clear(); }
  // Of some rows of a head; those that are not cached are computed.
  std::vector<RowNorm> norms_of(const HeadAddress& head, const HeadRows& rows) const;
  bool knows_norms(const HeadAddress& head, const HeadRows& rows) const {
    std::vector<RowNorm> norms(rows.count);
    return norms_.read(number_of(head), rows, norms).empty();
  }
  // Rows of one head's output, one after the other; those that were read before are known.
  void read_outputs(const HeadAddress& head, const HeadRows& rows, std::span<float> out) const;
  // Copies some of their columns when all were read before, without computing any.
  bool knows_outputs(const HeadAddress& head, const HeadRows& rows, const RowSpan& cols,
                     std::span<float> out) const {
    return outputs_.read(number_of(head), rows, cols, out).empty();
  }
  // Rows of one head's output, computed and not cached.
  void compute_output_rows(const HeadAddress& head, const HeadRows& rows,
                           const MutableMatrix& out) const;
  // Whole rows of weights that are not materialised, (rows, n_k).
  void compute_weight_rows(const HeadAddress& head, const HeadRows& rows, float* out) const;

  // Takes over from the result of a problem that differs in its inputs alone (changes.h) what these
  // do not reach: keys and values as they were laid out, norms, and maps that were made small.
  void take_over(const LayerResult& before);

  void set_notes(std::vector<ResultNote> notes) { notes_ = std::move(notes); }

 private:
  std::size_t number_of(const HeadAddress& head) const;
  // Of the panels of the keys; those of the values come next.
  std::size_t panels_of(const HeadAddress& head) const;
  void take_over_panels(const HeadAddress& head, const LayerResult& before,
                        const HeadChanges& changes);
  void take_over_outputs(const HeadAddress& head, const LayerResult& before,
                         const HeadChanges& changes);
  void take_over_head(const HeadAddress& head, const LayerResult& before,
                      const HeadChanges& changes);

  AttentionProblem problem_;
  std::vector<Stage> stages_;
  std::array<std::shared_ptr<float[]>, kStageCount> stored_;
  std::array<std::vector<CellSummary>, kStageCount> summaries_;
  std::vector<ResultNote> notes_;
  std::vector<KeyReach> reach_;  // by sample
  mutable RowCache<RowNorm> norms_;
  mutable RowCache<float> outputs_;
  mutable PackedCache packed_;
  mutable PoolCache pools_;
};

// Cells that the layer does not hold, computed when they are read.
struct CellsOfStage {
  Stage stage;
  HeadAddress head;
  CellRange range;
};

// Row-major, on several threads where that pays. Precondition: the layer does not hold the stage.
void compute_cells(const LayerResult& layer, const CellsOfStage& cells, float* out);

// Rows that one job computes: few enough that the batch's stages stay in the cache and that even
// one head keeps several threads busy.
inline constexpr std::size_t kBatchRows = 64;

struct RowBatch {
  HeadAddress head;
  std::size_t row = 0;
  std::size_t rows = 0;
};

inline std::size_t batches_of(std::size_t rows) { return quotient_up(rows, kBatchRows); }

// Batch number `job` of (samples, heads, batches of rows).
inline RowBatch row_batch(std::size_t job, std::size_t heads, std::size_t rows) {
  const std::size_t row = job % batches_of(rows) * kBatchRows;
  const std::size_t matrix = job / batches_of(rows);
  return {{0, matrix / heads, matrix % heads}, row, std::min(kBatchRows, rows - row)};
}

}  // namespace attn
