// Computes one layer of attention, shared out over heads and rows.
#include "engine/layer/layer_compute.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <new>
#include <optional>

#include "engine/kernels/block_rows.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/positions.h"
#include "engine/layer/attend.h"
#include "engine/layer/changes.h"
#include "engine/layer/edited_map.h"
#include "engine/recurrent_compute.h"

namespace attn {
namespace {

using Source = AttentionProblem::Source;

// How jobs are run, and the lock under which they merge what they found out.
struct LayerRun {
  LayerResult& result;
  const AttentionShape& shape;
  unsigned threads = 0;
  Progress* progress = nullptr;
  const LayerResult* before = nullptr;  // of a problem that differs in its inputs alone
  std::mutex mutex;

  bool for_each(std::size_t count, const std::function<void(std::size_t)>& body) const {
    return parallel_for(count, threads, progress, body);
  }
  void merge(Stage stage, const HeadAddress& head, const CellSummary& summary) {
    const std::lock_guard lock(mutex);
    result.summary(stage, head).merge(summary);
  }
};

// What is projected: embeddings (samples, n, width), or their sum with the positions.
struct ProjectionInput {
  Tensor AttentionProblem::*embeddings;
  Stage positioned;

  const Tensor& of(const LayerResult& result) const { return result.problem().*embeddings; }
};

MatrixView matrix_of(const LayerResult& result, const ProjectionInput& input,
                     const HeadAddress& at) {
  return result.has(input.positioned) ? result.matrix(input.positioned, at)
                                      : matrix_at(input.of(result), at.sample);
}

// Queries stand `offset` further among the keys.
std::int64_t first_position(const LayerRun& run, Stage stage, std::size_t sample) {
  const bool of_queries = stage == Stage::QueryInput || stage == Stage::RotatedQuery;
  return of_queries ? run.result.problem().mask.offset_of(sample) : 0;
}

bool add_positions(LayerRun& run, const ProjectionInput& input) {
  if (!run.result.has(input.positioned)) return true;
  const std::size_t rows = input.of(run.result).extent(1);
  return run.for_each(run.shape.samples * batches_of(rows), [&](std::size_t job) {
    const RowBatch batch = row_batch(job, 1, rows);
    const MutableMatrix out =
        rows_of(run.result.mutable_matrix(input.positioned, batch.head), batch.row, batch.rows);
    const std::int64_t first = first_position(run, input.positioned, batch.head.sample) +
                               static_cast<std::int64_t>(batch.row);
    add_position_rows(
        rows_of(matrix_at(input.of(run.result), batch.head.sample), batch.row, batch.rows),
        run.result.problem().position, first, out);
    run.merge(input.positioned, batch.head, summary_of_matrix(view_of(out)));
  });
}

struct ProjectionBy {
  Tensor Projections::*w;
  Tensor Projections::*b;
  Stage stage;

  LinearMap of(const LayerResult& result) const {
    const Projections& all = result.problem().projections;
    return {all.*w, all.*b};
  }
};

// A projected stage at the full width of its heads, which lie side by side.
MatrixView whole_width(MatrixView head) {
  head.cols = head.row_stride;
  return head;
}

// What came out of the same rows before. False where they have to be computed.
bool map_as_before(const LayerRun& run, const ProjectionInput& input, const EditedMap& edited,
                   const RowBatch& batch, const MatrixView& x, Stage stage,
                   const MutableMatrix& out) {
  const MatrixView x_before =
      rows_of(matrix_of(*run.before, input, batch.head), batch.row, batch.rows);
  if (!are_same_rows(x, x_before)) return false;
  const MatrixView out_before =
      rows_of(whole_width(run.before->matrix(stage, batch.head)), batch.row, batch.rows);
  return edited.map_same_rows(x, out_before, sums_of(run.result.problem()), out);
}

// All heads of one projected stage at once.
bool project(LayerRun& run, const ProjectionInput& input, const ProjectionBy& by) {
  const LinearMap map = by.of(run.result);
  std::optional<EditedMap> edited;
  if (run.before != nullptr) edited.emplace(by.of(*run.before), map);
  const RowMap map_rows(map.w, map.b, sums_of(run.result.problem()));
  if (!edited) map_rows.lay_out();
  const std::size_t rows = input.of(run.result).extent(1);
  return run.for_each(run.shape.samples * batches_of(rows), [&](std::size_t job) {
    const RowBatch batch = row_batch(job, 1, rows);
    MutableMatrix all = run.result.mutable_matrix(by.stage, batch.head);
    all.cols = all.row_stride;
    const MutableMatrix out = rows_of(all, batch.row, batch.rows);
    const MatrixView x = rows_of(matrix_of(run.result, input, batch.head), batch.row, batch.rows);
    if (edited && map_as_before(run, input, *edited, batch, x, by.stage, out)) return;
    map_rows(x, out);
  });
}

bool project_inputs(LayerRun& run) {
  const ProjectionInput query{&AttentionProblem::query_embeddings, Stage::QueryInput};
  const ProjectionInput key{&AttentionProblem::key_embeddings, Stage::KeyInput};
  const ProjectionInput value{&AttentionProblem::value_embeddings, Stage::ValueInput};
  return add_positions(run, query) && add_positions(run, key) && add_positions(run, value) &&
         project(run, query, {&Projections::w_q, &Projections::b_q, Stage::Query}) &&
         project(run, key, {&Projections::w_k, &Projections::b_k, Stage::Key}) &&
         project(run, value, {&Projections::w_v, &Projections::b_v, Stage::Value});
}

// Turns every head of `from` by the positions of its rows; heads that share keys are turned once.
bool rotate(LayerRun& run, Stage from, Stage to) {
  if (!run.result.has(to)) return true;
  const std::size_t heads = to == Stage::RotatedKey ? run.shape.kv_heads : run.shape.heads;
  const std::size_t heads_per_matrix = run.shape.heads / heads;
  const std::size_t rows = run.result.stage_shape(to).rows;
  return run.for_each(run.shape.samples * heads * batches_of(rows), [&](std::size_t job) {
    RowBatch batch = row_batch(job, heads, rows);
    batch.head.head *= heads_per_matrix;
    const std::int64_t first =
        first_position(run, to, batch.head.sample) + static_cast<std::int64_t>(batch.row);
    const auto rows_in = [&](const LayerResult& result, Stage stage) {
      return rows_of(result.matrix(stage, batch.head), batch.row, batch.rows);
    };
    const MutableMatrix out =
        rows_of(run.result.mutable_matrix(to, batch.head), batch.row, batch.rows);
    const MatrixView x = rows_in(run.result, from);
    if (run.before != nullptr && are_same_rows(x, rows_in(*run.before, from))) {
      return copy_rows(rows_in(*run.before, to), out);
    }
    rotate_rows(x, run.result.problem().position, first, out);
  });
}

bool is_as_before(const LayerRun& run, Stage stage, const HeadAddress& head) {
  return run.before != nullptr && changed_rows(*run.before, run.result, stage, head).is_none();
}

struct InputStage {
  Stage stage;
  HeadAddress head;
};

// Those that have to be looked through; the summaries of the others are what they were.
std::vector<InputStage> inputs_to_summarize(LayerRun& run) {
  std::vector<InputStage> inputs;
  for (std::size_t number = 0; number < run.shape.samples * run.shape.heads; ++number) {
    const HeadAddress head{0, number / run.shape.heads, number % run.shape.heads};
    for (const Stage stage : run.result.stages()) {
      if (stage_info(stage).place != StagePlace::Projections) continue;
      if (is_as_before(run, stage, head)) {
        run.merge(stage, head, run.before->summary(stage, head));
      } else {
        inputs.push_back({stage, head});
      }
    }
  }
  return inputs;
}

bool summarize_inputs(LayerRun& run) {
  const std::vector<InputStage> inputs = inputs_to_summarize(run);
  return run.for_each(inputs.size(), [&](std::size_t job) {
    const auto& [stage, head] = inputs[job];
    run.merge(stage, head, summary_of_matrix(run.result.matrix(stage, head)));
  });
}

bool attend(LayerRun& run) {
  const std::size_t matrices = run.shape.samples * run.shape.heads;
  return run.for_each(matrices * batches_of(run.shape.n_q), [&](std::size_t job) {
    const RowBatch batch = row_batch(job, run.shape.heads, run.shape.n_q);
    const StageSummaries summaries = attend_rows(run.result, batch);
    for (const Stage stage : run.result.stages()) {
      if (stage_info(stage).place != StagePlace::Attention) continue;
      run.merge(stage, batch.head, summaries[static_cast<std::size_t>(stage)]);
    }
  });
}

// The heads' outputs side by side, and what the output projection makes of them.
bool finish_output(LayerRun& run) {
  const ProgressPart part(run.progress, 0.9F, 0.1F);
  if (!run.result.has(Stage::Concat)) return true;
  const Projections& by = run.result.problem().projections;
  const RowMap map_rows(by.w_o, by.b_o, sums_of(run.result.problem()));
  map_rows.lay_out();
  const std::size_t rows = run.shape.n_q;
  return run.for_each(run.shape.samples * batches_of(rows), [&](std::size_t job) {
    const RowBatch batch = row_batch(job, 1, rows);
    const MatrixView concat =
        rows_of(run.result.matrix(Stage::Concat, batch.head), batch.row, batch.rows);
    run.merge(Stage::Concat, batch.head, summary_of_matrix(concat));
    if (by.w_o.empty()) return;
    const MutableMatrix out =
        rows_of(run.result.mutable_matrix(Stage::Projected, batch.head), batch.row, batch.rows);
    map_rows(concat, out);
    run.merge(Stage::Projected, batch.head, summary_of_matrix(view_of(out)));
  });
}

bool summarize_given_weights(LayerRun& run) {
  const AttentionShape& s = run.shape;
  return run.for_each(s.layers * s.samples * s.heads, [&](std::size_t job) {
    const HeadAddress head{job / (s.samples * s.heads), job / s.heads % s.samples, job % s.heads};
    const MatrixView weights = run.result.matrix(Stage::Weights, head);
    std::vector<HiddenRules> rules(s.n_k);
    CellSummary summary;
    for (std::size_t q = 0; q < s.n_q; ++q) {
      hidden_row(run.result.problem().mask, head, q, rules);
      summary.merge(summary_of_visible(weights.row(q), rules));
    }
    run.merge(Stage::Weights, head, summary);
  });
}

// Everything before the scores. Too little of the whole, and of too many kinds, to be followed.
bool prepare(LayerRun& run) {
  const ProgressPart part(run.progress, 0.0F, 0.0F);
  const bool projects = run.result.problem().source == Source::Embeddings;
  return (!projects || project_inputs(run)) && rotate(run, Stage::Query, Stage::RotatedQuery) &&
         rotate(run, Stage::Key, Stage::RotatedKey) && summarize_inputs(run);
}

bool attend_all(LayerRun& run) {
  const ProgressPart part(run.progress, 0.0F, 0.9F);
  return attend(run);
}

}  // namespace

bool keep_projected(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before) {
  if (!result.keep(Stage::Projected)) throw std::bad_alloc();
  LayerRun run{result, result.shape(), threads, progress, nullptr, {}};
  const UnreachedRows unreached(before, result);
  return run.for_each(run.shape.samples * batches_of(run.shape.n_q), [&](std::size_t job) {
    const RowBatch batch = row_batch(job, 1, run.shape.n_q);
    const MutableMatrix out =
        rows_of(result.mutable_matrix(Stage::Projected, batch.head), batch.row, batch.rows);
    if (unreached.contain(batch.head.sample, {batch.row, batch.row + batch.rows})) {
      copy_rows(rows_of(before->matrix(Stage::Projected, batch.head), batch.row, batch.rows), out);
    } else {
      compute_cells(result, {Stage::Projected, batch.head, {batch.row, 0, batch.rows, out.cols}},
                    out.data);
    }
    run.merge(Stage::Projected, batch.head, summary_of_matrix(view_of(out)));
  });
}

bool compute_stages(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before) {
  if (before != nullptr && !is_same_but_for_inputs(before->problem(), result.problem())) {
    before = nullptr;
  }
  LayerRun run{result, result.shape(), threads, progress, before, {}};
  const Source source = result.problem().source;
  if (source == Source::Weights) return summarize_given_weights(run);
  if (source == Source::Recurrent) return compute_recurrent(result, threads, progress);
  if (!prepare(run)) return false;
  if (!keeps_maps(result.problem())) {
    if (before != nullptr) result.take_over(*before);
    return true;
  }
  const bool done = attend_all(run) && finish_output(run);
  result.drop_packed();
  return done;
}

}  // namespace attn
