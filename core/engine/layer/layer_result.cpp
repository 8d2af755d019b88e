// Storage of a layer's stages, one array each, and reading of ranges.
#include "engine/layer/layer_result.h"

#include <utility>

#include "base/mapped_file.h"
#include "base/row_sample.h"
#include "engine/kernels/block_rows.h"
#include "engine/kernels/panel_store.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/score.h"

namespace attn {
namespace {

// Concat is the output of all heads at full width.
Stage storage_of(Stage stage) { return stage == Stage::Concat ? Stage::Output : stage; }

std::size_t matrix_index(const AttentionShape& s, Stage stage, const HeadAddress& at) {
  if (!stage_info(stage).per_head) return at.sample;
  return (at.layer * s.samples + at.sample) * s.heads + at.head;
}

// Number of heads with caches, for maps that are not materialised.
std::size_t heads_to_cache(const AttentionProblem& problem) {
  return materialises_maps(problem) ? 0 : problem.shape.samples * problem.shape.heads;
}

// Number of heads with cached outputs; at least one.
std::size_t heads_of_outputs(const AttentionShape& s) {
  constexpr std::size_t kMostOutputBytes = std::size_t{32} << 20U;
  const std::size_t bytes = element_count({s.n_q, s.d_v, sizeof(float)});
  return std::max<std::size_t>(kMostOutputBytes / std::max<std::size_t>(bytes, 1), 1);
}

}  // namespace

LayerResult::LayerResult(AttentionProblem problem)
    : problem_(std::move(problem)),
      stages_(stages_of(problem_)),
      norms_(heads_to_cache(problem_), problem_.shape.n_q),
      outputs_(heads_to_cache(problem_), problem_.shape.n_q, problem_.shape.d_v,
               heads_of_outputs(problem_.shape)) {
  const AttentionShape& s = problem_.shape;
  for (std::size_t sample = 0; sample < s.samples; ++sample) {
    reach_.emplace_back(problem_.mask, sample, s.n_k);
  }
  if (is_given_late(Stage::Weights))
    late_ = std::vector<std::once_flag>(s.layers * s.samples * s.heads);
  for (const Stage stage : stages_) {
    const bool per_head = stage_info(stage).per_head;
    summaries_[index_of(stage)].resize(per_head ? s.layers * s.samples * s.heads : s.samples);
  }
}

void LayerResult::allocate() {
  for (const StoredStage& stored : stored_stages(problem_)) {
    stored_[index_of(stored.stage)].reset(new float[stored.elements]);
  }
}

void LayerResult::keep(Stage stage) {
  const StageShape shape = stage_shape(stage);
  const std::size_t elements = element_count(
      {problem_.shape.samples, heads_of(problem_.shape, stage), shape.rows, shape.cols});
  stored_[index_of(stage)].reset(new float[elements]);
}

bool LayerResult::holds(Stage stage) const {
  return given_tensor(problem_, stage) != nullptr ||
         stored_[index_of(storage_of(stage))] != nullptr;
}

MatrixView LayerResult::matrix(Stage stage, const HeadAddress& at) const {
  const AttentionShape& s = problem_.shape;
  const auto [rows, cols] = stage_shape(stage);
  const bool per_head = stage_info(stage).per_head;
  const std::size_t heads = heads_of(s, stage);
  const std::size_t head = per_head ? at.head / (s.heads / heads) : 0;
  const Tensor* given = given_tensor(problem_, stage);
  const float* data = given != nullptr ? given->data() : stored_[index_of(storage_of(stage))].get();
  if (per_head && (given != nullptr || stage_info(stage).token_by_token())) {
    const std::size_t matrix = (at.layer * s.samples + at.sample) * heads + head;
    return {data + matrix * rows * cols, rows, cols, cols};  // (layers, samples, heads, rows, cols)
  }
  const std::size_t stride = heads * cols;  // (samples, rows, heads · cols)
  return {data + at.sample * rows * stride + head * cols, rows, cols, stride};
}

MutableMatrix LayerResult::mutable_matrix(Stage stage, const HeadAddress& head) {
  const MatrixView stored = matrix(stage, head);
  return {const_cast<float*>(stored.data), stored.rows, stored.cols, stored.row_stride};
}

CellSummary& LayerResult::summary(Stage stage, const HeadAddress& head) {
  return const_cast<CellSummary&>(std::as_const(*this).summary(stage, head));
}

const CellSummary& LayerResult::summary(Stage stage, const HeadAddress& head) const {
  return summaries_[index_of(stage)][matrix_index(problem_.shape, stage, head)];
}

void LayerResult::read(Stage stage, const HeadAddress& head, const CellRange& range,
                       float* out) const {
  if (!holds(stage)) return compute_cells(stage, head, range, out);
  const MatrixView from = matrix(stage, head);
  copy_range(from, range, out);
  if (!is_given_late(stage)) return;
  const std::size_t rows = range.row_at(range.rows - 1) + 1 - range.row;
  give_back(from.row(range.row).data(), rows * from.row_stride * sizeof(float));
}

bool LayerResult::is_given_late(Stage stage) const {
  return stage == Stage::Weights && problem_.weights.size() > kMostReadInPassing;
}

CellSummary LayerResult::summary_of_given(const HeadAddress& head) const {
  const MatrixView weights = matrix(Stage::Weights, head);
  const std::size_t rows = rows_at_once(weights.cols, weights.rows);
  std::vector<HiddenRules> rules(weights.cols);
  CellSummary summary;
  for (std::size_t q = 0; q < weights.rows; ++q) {
    hidden_row(problem_.mask, head, q, rules);
    summary.merge(summary_of_visible(weights.row(q), rules));
    const bool ends = q % rows == rows - 1 || q + 1 == weights.rows;
    if (!ends || !is_given_late(Stage::Weights)) continue;
    const std::size_t first = q / rows * rows;
    give_back(weights.row(first).data(), (q + 1 - first) * weights.row_stride * sizeof(float));
  }
  return summary;
}

// Returns false when both directions have steps, as the nearest cells need not be at the corners.
bool LayerResult::pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range,
                              Progress* progress, PooledCells& out) const {
  if (stage != Stage::Weights || holds(stage)) return false;
  const HeadInputs inputs = inputs_of(head, Purpose::Maps);
  if (!goes_by_blocks(inputs) || (range.row_step > 1 && out.row_step > 1)) return false;
  const auto keep = [&](const CellRange& rows, std::span<const RowSum> norms) {
    norms_.keep(number_of(head), rows, norms);
  };
  const PoolCache::Question question{number_of(head), range, out.row_step, out.col_step};
  const std::vector<RowSpan> unknown = pools_.read(question, out);
  if (unknown.empty()) return true;
  if (pool_weights(inputs, range, unknown, keep, progress, out)) pools_.keep(question, out);
  return true;
}

std::optional<std::uint64_t> LayerResult::non_finite_count(Stage stage,
                                                           const HeadAddress& /*at*/) const {
  if (!holds(stage) || is_given_late(stage)) return std::nullopt;
  std::uint64_t count = 0;
  for (const CellSummary& summary : summaries_[index_of(stage)]) count += summary.non_finite;
  return count;
}

std::optional<AttentionResult::Range> LayerResult::range(Stage stage,
                                                         const HeadAddress& head) const {
  if (!holds(stage)) return std::nullopt;
  if (is_given_late(stage)) {
    const std::size_t map = matrix_index(problem_.shape, stage, head);
    std::call_once(late_[map], [&] { summaries_[index_of(stage)][map] = summary_of_given(head); });
  }
  const CellSummary& cells = summary(stage, head);
  if (cells.low > cells.high) return Range{};
  return Range{cells.low, cells.high};
}

HeadInputs LayerResult::inputs_of(const HeadAddress& head, Purpose purpose) const {
  HeadInputs inputs{problem_,
                    reach_[head.sample],
                    head,
                    matrix(query_stage(problem_), head),
                    matrix(key_stage(problem_), head),
                    matrix(Stage::Value, head),
                    has(Stage::Value) && summary(Stage::Value, head).non_finite == 0};
  inputs.sums = sums_of(problem_);
  if (inputs.sums == Sums::Double) return inputs;
  const std::size_t number = panels_of(head);
  if (scores_are_products(problem_.scoring.function)) {
    inputs.packed_keys =
        packed_.find(number, [&](PackedPanels& panels) { panels.pack_rows(inputs.keys); });
  }
  if (purpose == Purpose::Maps || !has(Stage::Value)) return inputs;
  inputs.packed_values =
      packed_.find(number + 1, [&](PackedPanels& panels) { panels.pack_columns(inputs.values); });
  return inputs;
}

std::size_t LayerResult::number_of(const HeadAddress& head) const {
  return head.sample * problem_.shape.heads + head.head;
}

std::size_t LayerResult::panels_of(const HeadAddress& head) const {
  const AttentionShape& s = problem_.shape;
  return 2 * (head.sample * s.kv_heads + head.head / (s.heads / s.kv_heads));
}

std::vector<RowSum> LayerResult::norms_of(const HeadAddress& head, const CellRange& rows) const {
  std::vector<RowSum> norms(rows.rows);
  for (const RowSpan& unknown : norms_.read(number_of(head), rows, norms)) {
    const CellRange missing = part_of(rows, unknown.begin, unknown.end - unknown.begin);
    const auto found = std::span(norms).subspan(unknown.begin, missing.rows);
    compute_norms(inputs_of(head, Purpose::Maps), missing, found);
    norms_.keep(number_of(head), missing, found);
  }
  return norms;
}

void LayerResult::compute_map(Stage stage, const HeadAddress& head, const CellRange& range,
                              float* out) const {
  const HeadInputs inputs = inputs_of(head, Purpose::Maps);
  if (stage != Stage::Weights) return compute_logits(inputs, stage, range, out);
  if (range.cols < problem_.shape.n_k) {
    return compute_weights(inputs, range, norms_of(head, range), out);
  }
  std::vector<RowSum> norms(range.rows);
  if (norms_.read(number_of(head), range, norms).empty()) {
    return compute_weights(inputs, range, norms, out);
  }
  compute_weights_and_norms(inputs, range, norms, out);
  norms_.keep(number_of(head), range, norms);
}

void LayerResult::compute_outputs_of(const HeadAddress& head, const CellRange& rows,
                                     const MutableMatrix& out) const {
  const HeadInputs inputs = inputs_of(head);
  const bool by_blocks = goes_by_blocks(inputs);
  compute_outputs(inputs, rows, by_blocks ? std::vector<RowSum>() : norms_of(head, rows), out);
}

void LayerResult::compute_concat(std::size_t sample, const CellRange& rows,
                                 const MutableMatrix& out) const {
  const AttentionShape& s = problem_.shape;
  for (std::size_t head = 0; head < s.heads; ++head) {
    compute_outputs_of({0, sample, head}, rows,
                       {out.data + head * s.d_v, out.rows, s.d_v, out.row_stride});
  }
}

MatrixView LayerResult::read_by_projection(const MatrixView& concat, std::size_t sample,
                                           std::size_t first, std::vector<float>& changed) const {
  const Interventions& what_if = problem_.what_if;
  if (what_if.gates.empty() && what_if.outputs.empty()) return concat;
  changed.resize(concat.rows * concat.cols);
  const MutableMatrix rows{changed.data(), concat.rows, concat.cols, concat.cols};
  copy_rows(concat, rows);
  for (const auto& [at, of_head] : what_if.outputs) {
    if (at.sample != sample) continue;
    put_head(rows_of(matrix_at(of_head, 0), first, concat.rows), at.head, rows);
  }
  const std::vector<float> gates = gates_of(what_if, {}, problem_.shape.heads);
  if (!gates.empty()) gate_rows(gates, rows);
  return view_of(rows);
}

void LayerResult::compute_projected(std::size_t sample, const CellRange& rows,
                                    const MutableMatrix& out) const {
  const AttentionShape& s = problem_.shape;
  const std::size_t width = s.heads * s.d_v;
  std::vector<float> concat(out.rows * width);
  compute_concat(sample, rows, {concat.data(), out.rows, width, width});
  const Projections& by = problem_.projections;
  std::vector<float> changed;
  const MatrixView x =
      read_by_projection({concat.data(), out.rows, width, width}, sample, rows.row, changed);
  if (sums_of(problem_) == Sums::Double) return map_rows(x, by.w_o, by.b_o, out);
  const auto pack = [&](PackedPanels& panels) { pack_map(by.w_o, panels); };
  map_rows(x, *packed_.find(panels_of_projection(), pack), by.b_o, out);
}

void LayerResult::compute_rows(Stage stage, const HeadAddress& head, const CellRange& range,
                               float* out) const {
  const std::size_t width = stage_shape(stage).cols;
  std::vector<float> whole(range.rows * width);
  const MutableMatrix made{whole.data(), range.rows, width, width};
  if (stage == Stage::Concat) {
    compute_concat(head.sample, range, made);
  } else if (stage == Stage::Projected) {
    compute_projected(head.sample, range, made);
  } else {
    const std::size_t number = number_of(head);
    for (const RowSpan& unknown : outputs_.read(number, range, whole)) {
      const CellRange missing = part_of(range, unknown.begin, unknown.end - unknown.begin);
      compute_outputs_of(head, missing, rows_of(made, unknown.begin, missing.rows));
      outputs_.keep(number, missing,
                    std::span(whole).subspan(unknown.begin * width, missing.rows * width));
    }
  }
  copy_range(view_of(made), {0, range.col, range.rows, range.cols}, out);
}

std::uint64_t LayerResult::multiply_adds(Stage stage, const HeadAddress& head,
                                         const CellRange& range) const {
  const AttentionShape& s = problem_.shape;
  const bool is_map = stage_info(stage).token_by_token();
  std::vector<RowSum> norms(stage == Stage::Weights ? range.rows : 0);
  const bool needs_norms =
      stage == Stage::Weights && !norms_.read(number_of(head), range, norms).empty();
  return element_count({range.rows, !is_map || needs_norms ? s.n_k : range.cols,
                        is_map ? s.d_k : (s.d_k + s.d_v) * s.heads});
}

void LayerResult::compute_cells(Stage stage, const HeadAddress& head, const CellRange& range,
                                float* out) const {
  const bool is_map = stage_info(stage).token_by_token();
  const bool was_read =
      stage == Stage::Output && outputs_
                                    .read(number_of(head), range, {out, range.rows * range.cols},
                                          RowSpan{range.col, range.col + range.cols})
                                    .empty();
  if (was_read) return;
  // Below this many multiply-adds a second thread costs more than it saves.
  constexpr std::uint64_t kReadWorthAThread = 4'000'000;
  const unsigned threads = multiply_adds(stage, head, range) < kReadWorthAThread ? 1 : 0;
  parallel_for(batches_of(1, range.rows), threads, nullptr, [&](std::size_t job) {
    const RowBatch batch = row_batch(job, 1, range.rows);
    const std::size_t first = batch.row;
    const CellRange part = part_of(range, first, batch.rows);
    float* to = out + first * range.cols;
    is_map ? compute_map(stage, head, part, to) : compute_rows(stage, head, part, to);
  });
}

}  // namespace attn
