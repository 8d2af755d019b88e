// Computation of a layer: rows of queries from scores to output, parallel over heads and rows.
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "engine/kernels/block_rows.h"
#include "engine/kernels/normalise.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/row_kernels.h"
#include "engine/layer/changes.h"
#include "engine/layer/layer_result.h"

namespace attn {
namespace {

template <class AnyMatrix>
AnyMatrix rows_of(const AnyMatrix& matrix, const RowBatch& batch) {
  return rows_of(matrix, batch.row, batch.rows);
}

// Parts of each stage of the attention that one batch computes, by stage.
using BatchStages = std::array<MutableMatrix, kStageCount>;

BatchStages stages_of_batch(LayerResult& result, const RowBatch& batch) {
  BatchStages stages;
  for (const Stage stage : result.stages()) {
    if (stage_info(stage).place != StagePlace::Attention) continue;
    stages[index_of(stage)] = rows_of(result.mutable_matrix(stage, batch.head), batch);
  }
  return stages;
}

std::span<float> row_of(const BatchStages& stages, Stage stage, std::size_t r) {
  const MutableMatrix& matrix = stages[index_of(stage)];
  return {matrix.row(r), matrix.cols};
}

// Stages of a row from Scaled to Weights.
void weigh_row(const AttentionProblem& problem, std::size_t head, const BatchStages& stages,
               std::size_t r, std::span<const float> bias, std::span<const HiddenRules> rules) {
  std::span<float> unmasked = row_of(stages, Stage::Scaled, r);
  scale_row(row_of(stages, Stage::Scores, r), scale_of(problem), unmasked);
  if (problem.scoring.softcap) {
    const std::span<float> softcapped = row_of(stages, Stage::Softcapped, r);
    softcap_row(unmasked, *problem.scoring.softcap, softcapped);
    unmasked = softcapped;
  }
  const std::span<float> masked = row_of(stages, Stage::Masked, r);
  mask_row(unmasked, bias, rules, masked);
  normalise_row(problem.scoring, head, masked, rules, row_of(stages, Stage::Weights, r));
}

// Puts a row of given weights in place of the head's own.
void give_row(std::span<const float> given, std::span<const HiddenRules> rules,
              std::span<float> weights) {
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = rules[k] == kVisible ? given[k] : 0.0F;
  }
}

// Hidden cells of Masked are -inf by definition and do not count as non-finite.
void summarize_row(const BatchStages& stages, std::size_t r, std::span<const HiddenRules> rules,
                   std::size_t visible, StageSummaries& summaries) {
  for (const Stage stage :
       {Stage::Scores, Stage::Scaled, Stage::Softcapped, Stage::Masked, Stage::Weights}) {
    if (stages[index_of(stage)].data == nullptr) continue;
    const std::span<float> row = row_of(stages, stage, r);
    summaries[index_of(stage)].merge(visible == row.size() ? summary_of(row)
                                                           : summary_of_visible(row, rules));
  }
  summaries[index_of(Stage::Masked)].non_finite -= rules.size() - visible;
}

// State of one run, and the lock for merging summaries.
struct LayerRun {
  LayerResult& result;
  const AttentionShape& shape;
  unsigned threads = 0;
  Progress* progress = nullptr;
  const LayerResult* before = nullptr;  // of a problem with other inputs
  std::mutex mutex;

  bool for_each(std::size_t count, const std::function<void(std::size_t)>& body) const {
    return parallel_for(count, threads, progress, body);
  }
  // Calls body(batch) for some rows at a time of every sample, or of `heads` in each.
  bool for_batches(std::size_t heads, std::size_t rows,
                   const std::function<void(const RowBatch&)>& body) const {
    return for_each(shape.samples * heads * batches_of(heads, rows),
                    [&](std::size_t job) { body(row_batch(job, heads, rows)); });
  }
  void merge(Stage stage, const HeadAddress& head, const CellSummary& summary) {
    const std::lock_guard lock(mutex);
    result.summary(stage, head).merge(summary);
  }
};

// Input of a projected stage: embeddings, with positions if added.
MatrixView rows_of_input(const LayerResult& result, const LinearStage& by, const HeadAddress& at) {
  return by.input ? result.matrix(*by.input, at) : matrix_at(*by.rows, at.sample);
}

// Queries start at position `offset` among the keys.
std::int64_t first_position(const LayerRun& run, Stage stage, std::size_t sample) {
  const bool of_queries = stage == Stage::QueryInput || stage == Stage::RotatedQuery;
  return of_queries ? run.result.problem().mask.offset_of(sample) : 0;
}

bool add_positions(LayerRun& run, Stage positioned, const Tensor& embeddings) {
  if (!run.result.has(positioned)) return true;
  const std::size_t rows = embeddings.extent(1);
  return run.for_batches(1, rows, [&](const RowBatch& batch) {
    const MutableMatrix out = rows_of(run.result.mutable_matrix(positioned, batch.head), batch);
    const std::int64_t first =
        first_position(run, positioned, batch.head.sample) + static_cast<std::int64_t>(batch.row);
    add_position_rows(rows_of(matrix_at(embeddings, batch.head.sample), batch),
                      run.result.problem().position, first, out);
    run.merge(positioned, batch.head, summary_of_matrix(view_of(out)));
  });
}

// Reuses the previous output of unchanged rows. False if they must be computed.
bool map_as_before(const LayerRun& run, const LinearStage& then, const EditedMap& edited,
                   const RowBatch& batch, const MatrixView& x, Stage stage,
                   const MutableMatrix& out) {
  const MatrixView x_before = rows_of(rows_of_input(*run.before, then, batch.head), batch);
  if (!are_same_rows(x, x_before)) return false;
  MatrixView out_before = rows_of(run.before->matrix(stage, batch.head), batch);
  out_before.cols = out_before.row_stride;  // concatenated heads
  return edited.map_same_rows(x, out_before, sums_of(run.result.problem()), out);
}

// Columns [first, first + width).
template <class AnyMatrix>
AnyMatrix columns_of(AnyMatrix matrix, std::size_t first, std::size_t width) {
  matrix.data += first;
  matrix.cols = width;
  return matrix;
}

// Makes the stage of heads with rows of their own from these.
void project_own_rows(LayerRun& run, Stage stage, const LinearStage& by) {
  for (const auto& [at, input, rows] : run.result.problem().what_if.inputs) {
    if (input != stage) continue;
    for (std::size_t sample = 0; sample < run.shape.samples; ++sample) {
      const MutableMatrix out =
          run.result.mutable_matrix(stage, at.moved_to(at.layer, sample, at.head));
      std::vector<std::size_t> columns(out.cols);
      std::iota(columns.begin(), columns.end(), at.head * out.cols);
      map_rows(matrix_at(rows, sample), some_columns(*by.weights, columns),
               some_columns(*by.bias, columns), out, sums_of(run.result.problem()));
    }
  }
}

bool project(LayerRun& run, Stage stage) {
  const LinearStage by = *linear_stage(run.result.problem(), stage, {});
  std::optional<LinearStage> then;
  std::optional<EditedMap> edited;
  if (run.before != nullptr) {
    then = linear_stage(run.before->problem(), stage, {});
    edited.emplace(*then, by);
  }
  const AttentionProblem& problem = run.result.problem();
  const RowMap map_rows(*by.weights, *by.bias, sums_of(problem), problem.panels.get());
  if (!edited) map_rows.lay_out(run.threads);
  const std::size_t rows = run.result.stage_shape(stage).rows;
  const bool done = run.for_batches(1, rows, [&](const RowBatch& batch) {
    MutableMatrix all = run.result.mutable_matrix(stage, batch.head);
    all.cols = all.row_stride;
    const MutableMatrix out = rows_of(all, batch);
    const MatrixView x = rows_of(rows_of_input(run.result, by, batch.head), batch);
    if (edited && map_as_before(run, *then, *edited, batch, x, stage, out)) return;
    map_rows(x, out);
  });
  if (done) project_own_rows(run, stage, by);
  return done;
}

// Rows of all heads of a projected stage, side by side.
template <class AnyMatrix>
AnyMatrix rows_of_heads(AnyMatrix of_head, const RowBatch& batch) {
  of_head.cols = of_head.row_stride;
  return rows_of(of_head, batch);
}

// Norms the rows of each head, or of all heads together if the weight is as wide.
bool norm_heads(LayerRun& run, Stage from, Stage to, Tensor Projections::*weight) {
  if (!run.result.has(to)) return true;
  const AttentionProblem& problem = run.result.problem();
  const NormRules rules{NormKind::Rms, problem.stack.eps, problem.stack.weight_offset};
  const Norm norm{problem.projections.*weight, {}};
  const std::size_t width = norm.weight.size();
  const bool may_copy =
      run.before != nullptr && run.before->problem().projections.*weight == norm.weight;
  return run.for_batches(1, run.result.stage_shape(to).rows, [&](const RowBatch& batch) {
    const auto rows_in = [&](const LayerResult& result, Stage stage) {
      return rows_of_heads(result.matrix(stage, batch.head), batch);
    };
    const MatrixView x = rows_in(run.result, from);
    const MutableMatrix out = rows_of_heads(run.result.mutable_matrix(to, batch.head), batch);
    if (may_copy && are_same_rows(x, rows_in(*run.before, from))) {
      return copy_rows(rows_in(*run.before, to), out);
    }
    for (std::size_t first = 0; first < x.cols; first += width) {
      norm_rows(columns_of(x, first, width), rules, norm, columns_of(out, first, width));
    }
  });
}

// Rotates every head of `from` by the positions of its rows; shared keys once.
bool rotate(LayerRun& run, Stage from, Stage to) {
  if (!run.result.has(to)) return true;
  const std::size_t heads = to == Stage::RotatedKey ? run.shape.kv_heads : run.shape.heads;
  const StageShape shape = run.result.stage_shape(to);
  return run.for_batches(1, shape.rows, [&](const RowBatch& batch) {
    const std::int64_t first =
        first_position(run, to, batch.head.sample) + static_cast<std::int64_t>(batch.row);
    std::optional<RowRotation> rotation;  // of all heads, once one has changed
    for (std::size_t head = 0; head < run.shape.heads; head += run.shape.heads / heads) {
      const HeadAddress at = batch.head.moved_to(batch.head.layer, batch.head.sample, head);
      const auto rows_in = [&](const LayerResult& result, Stage stage) {
        return rows_of(result.matrix(stage, at), batch);
      };
      const MutableMatrix out = rows_of(run.result.mutable_matrix(to, at), batch);
      const MatrixView x = rows_in(run.result, from);
      if (run.before != nullptr && are_same_rows(x, rows_in(*run.before, from))) {
        copy_rows(rows_in(*run.before, to), out);
        continue;
      }
      if (!rotation) rotation.emplace(run.result.problem().position, shape.cols, first, batch.rows);
      (*rotation)(x, out);
    }
  });
}

bool attend(LayerRun& run) {
  const ProgressPart part(run.progress, 0.0F, 0.9F);
  return run.for_batches(run.shape.heads, run.shape.n_q, [&](const RowBatch& batch) {
    const StageSummaries summaries = attend_rows(run.result, batch);
    for (const Stage stage : run.result.stages()) {
      if (stage_info(stage).place != StagePlace::Attention) continue;
      run.merge(stage, batch.head, summaries[index_of(stage)]);
    }
  });
}

// Joins the heads' outputs and applies the output projection.
bool finish_output(LayerRun& run) {
  const ProgressPart part(run.progress, 0.9F, 0.1F);
  if (!run.result.has(Stage::Concat)) return true;
  const AttentionProblem& problem = run.result.problem();
  const Projections& by = problem.projections;
  const RowMap map_rows(by.w_o, by.b_o, sums_of(problem), problem.panels.get());
  map_rows.lay_out(run.threads);
  const std::size_t rows = run.shape.n_q;
  return run.for_batches(1, rows, [&](const RowBatch& batch) {
    const MatrixView concat = rows_of(run.result.matrix(Stage::Concat, batch.head), batch);
    run.merge(Stage::Concat, batch.head, summary_of_matrix(concat));
    if (by.w_o.empty()) return;
    const MutableMatrix out =
        rows_of(run.result.mutable_matrix(Stage::Projected, batch.head), batch);
    std::vector<float> changed;
    map_rows(run.result.read_by_projection(concat, batch.head.sample, batch.row, changed), out);
    run.merge(Stage::Projected, batch.head, summary_of_matrix(view_of(out)));
  });
}

bool summarize_given_weights(LayerRun& run) {
  const AttentionShape& s = run.shape;
  if (run.result.is_given_late(Stage::Weights)) return true;
  return run.for_each(s.layers * s.samples * s.heads, [&](std::size_t job) {
    const HeadAddress head{job / (s.samples * s.heads), job / s.heads % s.samples, job % s.heads};
    run.merge(Stage::Weights, head, run.result.summary_of_given(head));
  });
}

// Computes all stages before the scores. Their share of time is too small and varied to report.
bool prepare(LayerRun& run) {
  const ProgressPart part(run.progress, 0.0F, 0.0F);
  const AttentionProblem& problem = run.result.problem();
  const bool is_projected =
      !makes_projections(problem) ||
      (add_positions(run, Stage::QueryInput, problem.query_embeddings) &&
       add_positions(run, Stage::KeyInput, problem.key_embeddings) &&
       add_positions(run, Stage::ValueInput, problem.value_embeddings) &&
       project(run, Stage::Query) && project(run, Stage::Key) && project(run, Stage::Value));
  if (!is_projected || !norm_heads(run, Stage::Query, Stage::NormedQuery, &Projections::q_norm) ||
      !norm_heads(run, Stage::Key, Stage::NormedKey, &Projections::k_norm) ||
      !rotate(run, unrotated_query_stage(problem), Stage::RotatedQuery) ||
      !rotate(run, unrotated_key_stage(problem), Stage::RotatedKey)) {
    return false;
  }
  std::vector<Stage> inputs;
  std::ranges::copy_if(run.result.stages(), std::back_inserter(inputs), [](Stage stage) {
    return stage_info(stage).place == StagePlace::Projections;
  });
  const std::size_t heads = run.shape.heads;
  return run.for_each(inputs.size() * run.shape.samples * heads, [&](std::size_t job) {
    const Stage stage = inputs[job % inputs.size()];
    const std::size_t number = job / inputs.size();
    const HeadAddress head{0, number / heads, number % heads};
    const bool same = run.before != nullptr && is_as_before(*run.before, run.result, stage, head);
    run.merge(stage, head,
              same ? run.before->summary(stage, head)
                   : summary_of_matrix(run.result.matrix(stage, head)));
  });
}

}  // namespace

StageSummaries attend_rows(LayerResult& result, const RowBatch& batch) {
  const AttentionProblem& problem = result.problem();
  const BatchStages stages = stages_of_batch(result, batch);
  const HeadInputs head = result.inputs_of(batch.head);
  const CellRange all{batch.row, 0, batch.rows, problem.shape.n_k};
  score_cells(head, all, stages[index_of(Stage::Scores)]);

  const Tensor* pattern = pattern_of(problem.what_if, batch.head);
  StageSummaries summaries;
  std::vector<HiddenRules> rules(problem.shape.n_k);
  std::vector<float> bias(has_bias(problem.mask) ? problem.shape.n_k : 0);
  for (std::size_t r = 0; r < batch.rows; ++r) {
    const std::size_t q = batch.row + r;
    const std::size_t visible = hidden_row(problem.mask, batch.head, q, rules);
    if (!bias.empty()) bias_row(problem.mask, batch.head, q, bias);
    weigh_row(problem, batch.head.head, stages, r, bias, rules);
    if (pattern != nullptr) {
      give_row(matrix_at(*pattern, 0).row(q), rules, row_of(stages, Stage::Weights, r));
    }
    summarize_row(stages, r, rules, visible, summaries);
  }
  if (!result.has(Stage::Output)) return summaries;
  multiply_values(head, all, view_of(stages[index_of(Stage::Weights)]),
                  stages[index_of(Stage::Output)]);
  for (std::size_t r = 0; r < batch.rows; ++r) {
    summaries[index_of(Stage::Output)].merge(summary_of(row_of(stages, Stage::Output, r)));
  }
  return summaries;
}

bool materialise_projected(LayerResult& result, unsigned threads, Progress* progress,
                           const LayerResult* before) {
  result.keep(Stage::Projected);
  LayerRun run{result, result.shape(), threads, progress, nullptr, {}};
  const UnreachedRows unreached(before, result);
  const bool done = run.for_batches(1, run.shape.n_q, [&](const RowBatch& batch) {
    const MutableMatrix out = rows_of(result.mutable_matrix(Stage::Projected, batch.head), batch);
    if (unreached.contain(batch.head.sample, {batch.row, batch.row + batch.rows})) {
      copy_rows(rows_of(before->matrix(Stage::Projected, batch.head), batch), out);
    } else {
      result.compute_cells(Stage::Projected, batch.head, {batch.row, 0, batch.rows, out.cols},
                           out.data);
    }
    run.merge(Stage::Projected, batch.head, summary_of_matrix(view_of(out)));
  });
  result.drop_projection();
  return done;
}

bool compute_stages(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before) {
  if (before != nullptr && !is_same_but_for_inputs(before->problem(), result.problem())) {
    before = nullptr;
  }
  LayerRun run{result, result.shape(), threads, progress, before, {}};
  if (!has_scores(result.problem())) return summarize_given_weights(run);
  const bool is_prepared = before != nullptr && result.share_heads(*before);
  if (!is_prepared && !prepare(run)) return false;
  if (!materialises_maps(result.problem())) {
    if (before != nullptr) result.take_over(*before);
    return true;
  }
  const bool done = (is_prepared || attend(run)) && finish_output(run);
  result.drop_packed();
  return done;
}

}  // namespace attn
