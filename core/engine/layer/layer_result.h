// Result of one layer. Materialises everything linear in the tokens; maps of queries by keys and
// what follows from them only if they are small (materialises_maps), otherwise computes cells when
// they are read. Internal to the engine: callers use AttentionResult.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/quotient_up.h"
#include "engine/kernels/row_kernels.h"
#include "engine/layer/caches.h"
#include "engine/layer/head_tiles.h"
#include "engine/read/result.h"

namespace attn {

struct HeadChanges;

// Filled by compute(), then immutable.
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

  // Allocates stored_stages(problem), uninitialised. Throws std::bad_alloc.
  void allocate();

  // Allocates a stage that is otherwise computed when read, uninitialised. Throws std::bad_alloc.
  void keep(Stage stage);
  // True if the stage is given or materialised.
  bool holds(Stage stage) const;

  // Whole matrix of a stage, borrowed. Precondition: it is held.
  MatrixView matrix(Stage stage, const HeadAddress& head) const;
  // For writing. Precondition: the stage is stored.
  MutableMatrix mutable_matrix(Stage stage, const HeadAddress& head);

  // Summary of one matrix; shared by the heads if the stage is not per head.
  CellSummary& summary(Stage stage, const HeadAddress& head);
  const CellSummary& summary(Stage stage, const HeadAddress& head) const;

  // Inputs for computing cells of one head, borrowed. Packs keys, and values for Outputs, on the
  // head's first request.
  enum class Wants { Maps, Outputs };
  HeadInputs inputs_of(const HeadAddress& head, Wants wants = Wants::Outputs) const;
  // Packed output projection for products in float; null if they are in double.
  const PackedPanels* packed_output_map() const;
  // Frees the packed matrices.
  void drop_packed() { packed_.clear(); }
  // Norms of some rows of a head; missing ones are computed.
  std::vector<RowSum> norms_of(const HeadAddress& head, const HeadRows& rows) const;
  bool knows_norms(const HeadAddress& head, const HeadRows& rows) const {
    std::vector<RowSum> norms(rows.count);
    return norms_.read(number_of(head), rows, norms).empty();
  }
  // Rows of one head's output, one after another, cached after the first read.
  void read_outputs(const HeadAddress& head, const HeadRows& rows, std::span<float> out) const;
  // Copies some columns if all are cached; false without computing otherwise.
  bool knows_outputs(const HeadAddress& head, const HeadRows& rows, const RowSpan& cols,
                     std::span<float> out) const {
    return outputs_.read(number_of(head), rows, cols, out).empty();
  }
  // Rows of one head's output, computed and not cached.
  void compute_output_rows(const HeadAddress& head, const HeadRows& rows,
                           const MutableMatrix& out) const;
  // Whole rows of weights that are not materialised, (rows, n_k).
  void compute_weight_rows(const HeadAddress& head, const HeadRows& rows, float* out) const;

  // Takes over from the result of a problem with other inputs (changes.h) what these do not affect:
  // packed keys and values, norms and pooled maps.
  void take_over(const LayerResult& before);

 private:
  std::size_t number_of(const HeadAddress& head) const;
  // Number of the keys' panels; the values' follow.
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
  std::vector<KeyReach> reach_;  // by sample
  mutable RowCache<RowSum> norms_;
  mutable RowCache<float> outputs_;
  mutable PackedCache packed_;
  mutable PoolCache pools_;
};

// Cells to compute, of a stage that the layer does not hold.
struct CellsOfStage {
  Stage stage;
  HeadAddress head;
  CellRange range;
};

// Row-major, on several threads if that pays. Precondition: the layer does not hold the stage.
void compute_cells(const LayerResult& layer, const CellsOfStage& cells, float* out);

// Rows per job: few enough that a batch stays in the cache and one head occupies several threads.
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

// Computation (layer_compute.cpp). Summaries indexed by stage.
using StageSummaries = std::array<CellSummary, kStageCount>;

// Fills rows [row, row + rows) of all stages from Scores to Output and returns their summaries.
// Thread-safe for different batches. Precondition: Query, Key, Value, their rotated forms and the
// summary of Value are complete.
StageSummaries attend_rows(LayerResult& result, const RowBatch& batch);

// Fills all allocated stages of `result` and their summaries, but no notes, for one attention of
// one layer. False if cancelled. `progress` may be null. The bits do not depend on `threads`.
// `before`, which may be null: a result from which unchanged parts are taken over.
bool compute_stages(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before = nullptr);

// Materialises Projected, a few rows at a time, for the next layer, if maps are not materialised.
// False if cancelled. Throws std::bad_alloc.
bool materialise_projected(LayerResult& result, unsigned threads, Progress* progress,
                           const LayerResult* before = nullptr);

}  // namespace attn
