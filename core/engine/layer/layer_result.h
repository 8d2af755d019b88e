// Result of one layer. Materialises everything linear in the tokens; maps of queries by keys and
// what follows from them only if they are small (materialises_maps), otherwise computes cells when
// they are read. Internal to the engine: callers use AttentionResult.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
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
  // Whole matrix of a stage, to be written. Precondition: the stage is stored.
  MutableMatrix mutable_matrix(Stage stage, const HeadAddress& head);

  // Summary of one matrix; shared by the heads if the stage is not per head.
  CellSummary& summary(Stage stage, const HeadAddress& head);
  const CellSummary& summary(Stage stage, const HeadAddress& head) const;

  // True for given weights that are too many to be read before a reader requests them; their
  // summaries are made by range().
  bool is_given_late(Stage stage) const;
  CellSummary summary_of_given(const HeadAddress& head) const;

  // Inputs for computing cells of one head, borrowed. Packs keys, and values for Outputs, on the
  // head's first request.
  enum class Purpose { Maps, Outputs };
  HeadInputs inputs_of(const HeadAddress& head, Purpose purpose = Purpose::Outputs) const;
  // Frees the packed matrices.
  void drop_packed() { packed_.clear(); }
  // Frees the packed output projection.
  void drop_projection() { packed_.drop(panels_of_projection()); }
  // Norms of some rows of a head; missing ones are computed.
  std::vector<RowSum> norms_of(const HeadAddress& head, const CellRange& rows) const;
  // Computes cells of a stage that the layer does not hold, row-major, on several threads if that
  // is faster.
  void compute_cells(Stage stage, const HeadAddress& head, const CellRange& range,
                     float* out) const;

  // Rows from `first` on that the output projection reads: the joined outputs of the heads with
  // replaced ones and gates; borrowed from `concat`, or from `changed`.
  MatrixView read_by_projection(const MatrixView& concat, std::size_t sample, std::size_t first,
                                std::vector<float>& changed) const;

  // Takes all stages of the heads from the result of a problem that differs in gates or
  // replaced outputs alone; false,
  // without effect, for others.
  bool share_heads(const LayerResult& before);
  // Reuses from the result of a problem with other inputs (changes.h) what these do not affect:
  // packed keys and values, norms and pooled maps.
  void take_over(const LayerResult& before);

 private:
  std::size_t number_of(const HeadAddress& head) const;
  // Number of the keys' panels; the values' follow.
  std::size_t panels_of(const HeadAddress& head) const;
  std::size_t panels_of_projection() const { return 2 * shape().samples * shape().kv_heads; }
  // Some columns of a map, and of rows of the other stages, which are computed whole.
  void compute_map(Stage stage, const HeadAddress& head, const CellRange& range, float* out) const;
  void compute_rows(Stage stage, const HeadAddress& head, const CellRange& range, float* out) const;
  // Rows of one head's output, of the concatenated outputs of all heads, and of their projection;
  // uncached.
  void compute_outputs_of(const HeadAddress& head, const CellRange& rows,
                          const MutableMatrix& out) const;
  void compute_concat(std::size_t sample, const CellRange& rows, const MutableMatrix& out) const;
  void compute_projected(std::size_t sample, const CellRange& rows, const MutableMatrix& out) const;
  std::uint64_t multiply_adds(Stage stage, const HeadAddress& head, const CellRange& range) const;
  void take_over_panels(const HeadAddress& head, const LayerResult& before,
                        const HeadChanges& changes);
  void take_over_outputs(const HeadAddress& head, const LayerResult& before,
                         const HeadChanges& changes);
  void take_over_head(const HeadAddress& head, const LayerResult& before,
                      const HeadChanges& changes);

  AttentionProblem problem_;
  std::vector<Stage> stages_;
  std::array<std::shared_ptr<float[]>, kStageCount> stored_;
  mutable std::array<std::vector<CellSummary>, kStageCount> summaries_;
  mutable std::vector<std::once_flag> late_;  // by matrix
  std::vector<KeyReach> reach_;               // by sample
  mutable RowCache<RowSum> norms_;
  mutable RowCache<float> outputs_;
  mutable PackedCache packed_;
  mutable PoolCache pools_;
};

// Rows per job: few enough that a batch stays in the cache and one head occupies several threads,
// and half as many where one short matrix would occupy one thread alone.
inline std::size_t batch_rows(std::size_t heads, std::size_t rows) {
  return heads == 1 && rows <= 128 ? 32 : 64;
}

struct RowBatch {
  HeadAddress head;
  std::size_t row = 0;
  std::size_t rows = 0;
};

// Batches of the rows of one head.
inline std::size_t batches_of(std::size_t heads, std::size_t rows) {
  return quotient_up(rows, batch_rows(heads, rows));
}

// Batch number `job` of (samples, heads, batches of rows).
inline RowBatch row_batch(std::size_t job, std::size_t heads, std::size_t rows) {
  const std::size_t batches = batches_of(heads, rows), most = batch_rows(heads, rows);
  const std::size_t row = job % batches * most, matrix = job / batches;
  return {{0, matrix / heads, matrix % heads}, row, std::min(most, rows - row)};
}

// Computation (layer_compute.cpp). Summaries indexed by stage.
using StageSummaries = std::array<CellSummary, kStageCount>;

// Fills rows [row, row + rows) of all stages from Scores to Output and returns their summaries.
// Thread-safe for different batches. Precondition: Query, Key, Value, their rotated forms and the
// summary of Value are complete.
StageSummaries attend_rows(LayerResult& result, const RowBatch& batch);

// Fills all allocated stages of `result` and their summaries, but no notes, for one attention of
// one layer. False if cancelled. `progress` may be null. The bits do not depend on `threads`.
// `before`, which may be null: a result whose unchanged parts are reused.
bool compute_stages(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before = nullptr);

// Materialises Projected, a few rows at a time, for the next layer, if maps are not materialised.
// False if cancelled. Throws std::bad_alloc.
bool materialise_projected(LayerResult& result, unsigned threads, Progress* progress,
                           const LayerResult* before = nullptr);

}  // namespace attn
