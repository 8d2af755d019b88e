// Computation of transformer blocks in sequence, each as a layer of attention with its feed-forward
// layer, and the combined result.
#include "kinds/blocks/stack_result.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "engine/kernels/block_rows.h"
#include "engine/kernels/parallel.h"
#include "engine/layer/changes.h"
#include "kinds/blocks/model.h"

namespace attn {
namespace {

constexpr float kAttentionShare = 0.6F;  // rough share of all attentions in a block's time

// Norms of a part of a block: of its rows or of the sum, and of its output.
struct PartNorms {
  const Norm &norm, &out_norm;
};

PartNorms norms_of(const AttentionProblem& problem, const HeadAddress& at) {
  const TransformerBlock& block = problem.stack.blocks[at.layer];
  if (attends_across(problem, at)) return {block.cross->norm, block.cross->out_norm};
  return {block.attention_norm, block.attention_out_norm};
}

// Parameters of a run.
struct StackRun {
  StackResult& result;
  unsigned threads = 0;
  Progress* progress = nullptr;
  const StackResult* before = nullptr;  // of a stack of equal shape
};

// Some rows of one sample in one block.
class BlockRows {
 public:
  BlockRows(StackResult& result, std::size_t layer, std::size_t job)
      : result_(result), layer_(layer), job_(job), rows_(row_batch(job, 1, result.shape().n_q)) {}

  const AttentionProblem& problem() const { return result_.problem(); }
  const Stack& stack() const { return problem().stack; }

  MatrixView in(Stage stage) const {
    return rows_of(result_.matrix(stage, layer_, rows_.head.sample), rows_.row, rows_.rows);
  }
  MutableMatrix out(Stage stage) const {
    return rows_of(result_.mutable_matrix(stage, layer_, rows_.head.sample), rows_.row, rows_.rows);
  }
  // Output of an attention that is added to the rows.
  MatrixView added_by(std::size_t attention) const {
    const LayerResult& by = *result_.layers({.attention = attention})[layer_];
    return rows_of(by.matrix(Stage::Projected, {0, rows_.head.sample, 0}), rows_.row, rows_.rows);
  }
  const RowBatch& batch() const { return rows_; }
  std::size_t job() const { return job_; }
  void norm(const MatrixView& x, const Norm& norm, Stage to) const {
    norm_rows(x, stack(), norm, out(to));
  }

 private:
  StackResult& result_;
  std::size_t layer_, job_;
  RowBatch rows_;
};

// Adds the output of a part of the block to its rows, with the norms behind the part.
void finish_part(const BlockRows& rows, const BlockPart& part, const PartNorms& norms,
                 const MatrixView& output) {
  if (part.out_norm) rows.norm(output, norms.out_norm, *part.out_norm);
  add_rows(rows.in(part.rows), part.out_norm ? rows.in(*part.out_norm) : output,
           rows.out(part.sum));
  if (part.sum_norm) rows.norm(rows.in(part.sum), norms.norm, *part.sum_norm);
}

// Computes the rows after an attention, from its output to the input of the next part.
void finish_attention(const BlockRows& rows, const HeadAddress& at) {
  finish_part(rows, attention_part(rows.problem(), at), norms_of(rows.problem(), at),
              rows.added_by(at.attention));
}

// True if input and parameters of the feed-forward layer and its norms are unchanged.
bool is_block_as_before(const StackRun& run, std::size_t layer) {
  if (run.before == nullptr || is_decoder(run.result.problem())) return false;
  const Stack& then = run.before->problem().stack;
  const Stack& now = run.result.problem().stack;
  return static_cast<const NormRules&>(then) == now && then.order == now.order &&
         then.parallel == now.parallel && then.blocks[layer] == now.blocks[layer];
}

// True if all rows of the block have what they had, with the norm behind the last block. The rows
// of its attention were not computed anew then.
bool has_same_rows(const StackRun& run, std::size_t layer) {
  const Stack& then = run.before->problem().stack;
  const Stack& now = run.result.problem().stack;
  const bool is_last = layer + 1 == now.blocks.size();
  bool same = run.result.layers({})[layer] == run.before->layers({})[layer] &&
              (!is_last || then.final_norm == now.final_norm);
  for (std::size_t sample = 0; same && sample < run.result.shape().samples; ++sample) {
    same = are_same_rows(run.before->matrix(Stage::BlockInput, layer, sample),
                         run.result.matrix(Stage::BlockInput, layer, sample));
  }
  return same;
}

// Copies rows around the attention if their input is unchanged; else false.
bool copy_block(const StackRun& run, std::size_t layer, const RowBatch& batch) {
  const auto rows_in = [&](const MatrixView& matrix) {
    return rows_of(matrix, batch.row, batch.rows);
  };
  const auto same = [&](const MatrixView& then, const MatrixView& now) {
    return are_same_rows(rows_in(then), rows_in(now));
  };
  const StackResult& before = *run.before;
  const std::size_t sample = batch.head.sample;
  const HeadAddress at{0, sample, 0};
  if (!same(before.matrix(Stage::BlockInput, layer, sample),
            run.result.matrix(Stage::BlockInput, layer, sample)) ||
      !same(before.layers(at)[layer]->matrix(Stage::Projected, at),
            run.result.layers(at)[layer]->matrix(Stage::Projected, at))) {
    return false;
  }
  const Stage read = attention_part(run.result.problem(), at).input();
  for (const Stage stage : run.result.stages()) {
    if (!stage_info(stage).around_attention() || stage == Stage::FinalNorm ||
        stage == Stage::BlockInput || stage == read) {
      continue;
    }
    const MutableMatrix to = run.result.mutable_matrix(stage, layer, sample);
    copy_rows(rows_in(before.matrix(stage, layer, sample)), rows_of(to, batch.row, batch.rows));
  }
  return true;
}

void summarize(StackResult& result, std::size_t layer) {
  for (const Stage stage : result.stages()) {
    auto& summaries = result.layer(layer).summaries[index_of(stage)];
    for (std::size_t sample = 0; sample < summaries.size(); ++sample) {
      summaries[sample] = summary_of_matrix(result.matrix(stage, layer, sample));
    }
  }
}

// One block's attention as a problem of one layer, from the rows `x` (samples, n, d_model) that the
// attention reads, after the norm in front of it, if any. Precondition: the problem has blocks.
AttentionProblem layer_problem(const AttentionProblem& problem, const HeadAddress& at, Tensor x) {
  // Member by member: a copy of the whole would copy all blocks each time.
  AttentionProblem one;
  one.kind = &kLayerProblems;
  one.shape = shape_of(problem, at);
  one.shape.layers = 1;
  one.shape.d_ff = 0;
  one.scoring = problem.scoring;
  one.scoring.sinks = sinks_of(problem, at);
  one.mask = mask_of_layer(mask_of(problem, at), at.layer);
  one.position = position_of(problem, at);
  one.projections = projections_of(problem, at);
  one.what_if = of_one_layer(problem.what_if, at);
  one.panels = problem.panels;
  static_cast<NormRules&>(one.stack) = problem.stack;
  one.key_embeddings = one.value_embeddings =
      attends_across(problem, at) ? problem.key_embeddings : x;
  one.query_embeddings = std::move(x);
  if (is_added(one.position)) one.position = {};
  one.most_materialised_map_bytes =
      materialises_maps(problem, at) ? std::numeric_limits<std::uint64_t>::max() : 0;
  return one;
}

// Subtracts what W_O adds to the rows of a sample for one head of an earlier layer.
void subtract_head(const StackResult& result, const HeadAddress& from, std::size_t sample,
                   const MutableMatrix& rows) {
  const LayerResult& layer = *result.layers({})[from.layer];
  const AttentionShape& s = result.shape();
  std::vector<float> changed;
  MatrixView output =
      layer.read_by_projection(layer.matrix(Stage::Concat, {0, sample, 0}), sample, 0, changed);
  output.data += from.head * s.d_v;
  output.cols = s.d_v;
  const Tensor& w_o = projections_of(result.problem(), from).w_o;
  std::vector<float> added(rows.rows * rows.cols);
  map_rows(output, w_o.reshaped({s.heads, s.d_v, s.d_out}).part(from.head), {},
           {added.data(), rows.rows, rows.cols, rows.cols});
  for (std::size_t i = 0; i < added.size(); ++i) rows.row(i / rows.cols)[i % rows.cols] -= added[i];
}

// Rows of a head of the layer without the outputs from which its edges are cut.
HeadInput input_without(const StackResult& result, const CutEdge& first) {
  const AttentionShape& s = result.shape();
  const AttentionProblem& problem = result.problem();
  std::vector<float> x = result.layer(first.at.layer).stages[index_of(Stage::BlockInput)];
  for (std::size_t sample = 0; sample < s.samples; ++sample) {
    const MutableMatrix rows{x.data() + sample * s.n_q * s.d_model, s.n_q, s.d_model, s.d_model};
    for (const CutEdge& edge : problem.what_if.edges) {
      if (edge.at != first.at || edge.input != first.input) continue;
      subtract_head(result, edge.from, sample, rows);
    }
    norm_rows(view_of(rows), problem.stack, problem.stack.blocks[first.at.layer].attention_norm,
              rows);
  }
  return {
      {.head = first.at.head}, first.input, Tensor({s.samples, s.n_q, s.d_model}, std::move(x))};
}

// Rows of all heads of the layer some of whose edges are cut.
std::vector<HeadInput> inputs_of_cut_edges(const StackResult& result, std::size_t layer) {
  std::vector<HeadInput> inputs;
  for (const CutEdge& edge : edges_by_input(result.problem().what_if)) {
    if (edge.at.layer == layer) inputs.push_back(input_without(result, edge));
  }
  return inputs;
}

// Embeddings, with positions if added, normed if the model norms them, or the output of the block
// before.
std::vector<float> input_of(const StackResult& result, std::size_t layer) {
  if (layer > 0) return result.layer(layer - 1).stages[index_of(Stage::BlockOutput)];
  const AttentionProblem& problem = result.problem();
  const Tensor& embeddings = problem.query_embeddings;
  std::vector<float> x(embeddings.values().begin(), embeddings.values().end());
  const Stack& stack = problem.stack;
  const std::size_t rows = embeddings.extent(1), cols = embeddings.extent(2);
  for (std::size_t sample = 0; sample < embeddings.extent(0); ++sample) {
    const MutableMatrix out{x.data() + sample * rows * cols, rows, cols, cols};
    if (is_added(problem.position)) {
      add_position_rows(matrix_at(embeddings, sample), problem.position,
                        first_position(problem, sample), out);
    }
    if (stack.embedding_norm) norm_rows(view_of(out), stack, *stack.embedding_norm, out);
  }
  return x;
}

void final_norm(StackResult& result) {
  const Stack& stack = result.problem().stack;
  if (!stack.final_norm) return;
  const std::size_t last = stack.blocks.size() - 1;
  for (std::size_t sample = 0; sample < result.shape().samples; ++sample) {
    norm_rows(result.matrix(Stage::BlockOutput, last, sample), stack, *stack.final_norm,
              result.mutable_matrix(Stage::FinalNorm, last, sample));
  }
}

std::size_t jobs_of(const StackRun& run) {
  return run.result.shape().samples * batches_of(1, run.result.shape().n_q);
}

template <class Finish>
bool for_all_rows(const StackRun& run, std::size_t layer, Finish finish) {
  return parallel_for(jobs_of(run), run.threads, run.progress,
                      [&](std::size_t job) { finish(BlockRows(run.result, layer, job)); });
}

// Creates an attention on its input and computes it as `share` of the block's time, from `start`
// on. Reuses the previous one if its input is unchanged.
bool compute_attention(const StackRun& run, const HeadAddress& at, float start, float share) {
  const ProgressPart part_of_time(run.progress, start, share);
  const AttentionProblem& problem = run.result.problem();
  const AttentionShape& s = problem.shape;
  const BlockPart part = attention_part(problem, at);
  std::vector<float>& input = run.result.layer(at.layer).stages[index_of(part.input())];
  if (part.read_norm) {
    const ProgressPart none(run.progress, 0.0F, 0.0F);
    input.resize(s.samples * s.n_q * s.d_model);
    const auto norm = [&](const BlockRows& rows) {
      rows.norm(rows.in(part.read), norms_of(problem, at).norm, *part.read_norm);
    };
    if (!for_all_rows(run, at.layer, norm)) return false;
  }
  Tensor rows({s.samples, s.n_q, s.d_model}, std::exchange(input, {}));
  AttentionProblem of_layer = layer_problem(problem, at, std::move(rows));
  of_layer.what_if.inputs = inputs_of_cut_edges(run.result, at.layer);
  const auto attention = std::make_shared<LayerResult>(std::move(of_layer));
  const auto before = run.before != nullptr ? run.before->layers(at)[at.layer] : nullptr;
  const bool is_same =
      before != nullptr && is_same_problem(before->problem(), attention->problem());
  run.result.layers(at)[at.layer] = is_same ? before : attention;
  if (is_same) return true;
  attention->allocate();
  return compute_stages(*attention, run.threads, run.progress, before.get()) &&
         (attention->holds(Stage::Projected) ||
          materialise_projected(*attention, run.threads, run.progress, before.get()));
}

// The feed-forward layer of a block. Its maps take turns with all rows, so that one packed matrix
// is in memory at a time, and are packed only if some rows need them.
class NetworkRun {
 public:
  NetworkRun(const StackRun& run, std::size_t layer, bool may_copy)
      : run_(run),
        layer_(layer),
        may_copy_(may_copy),
        block_(run.result.problem().stack.blocks[layer]),
        part_(network_part(run.result.problem())),
        is_copied_(jobs_of(run)) {}

  // Computes the block's output from that of its last attention.
  bool compute() {
    const FeedForward& network = block_.feed_forward;
    return map_all(0, network.w_1, network.b_1, &NetworkRun::begin) &&
           (!is_gated() || map_all(1, network.w_gate, network.b_gate, &NetworkRun::open)) &&
           map_all(2, network.w_2, network.b_2, &NetworkRun::finish);
  }

 private:
  using MapRows = void (NetworkRun::*)(const BlockRows& rows, const RowMap& map);

  bool is_gated() const { return run_.result.has(Stage::Gate); }

  bool map_all(std::size_t turn, const Tensor& w, const Tensor& b, MapRows map_rows) {
    const ProgressPart part(run_.progress, turn, 3);
    const AttentionProblem& problem = run_.result.problem();
    const RowMap map(w, b, sums_of(problem), problem.panels.get());
    const bool is_known = turn > 0 || !may_copy_;  // which rows need the map
    if (is_known && std::ranges::count(is_copied_, 0) > 0) map.lay_out(run_.threads);
    return for_all_rows(run_, layer_, [&](const BlockRows& rows) {
      if (is_copied_[rows.job()] == 0) (this->*map_rows)(rows, map);
    });
  }

  void begin(const BlockRows& rows, const RowMap& hidden) {
    if (may_copy_ && copy_block(run_, layer_, rows.batch())) {
      is_copied_[rows.job()] = 1;
      return;
    }
    finish_attention(rows, {.layer = layer_});
    if (part_.read_norm) rows.norm(rows.in(part_.read), block_.feed_forward_norm, *part_.read_norm);
    hidden(rows.in(part_.input()), rows.out(Stage::Hidden));
  }

  void open(const BlockRows& rows, const RowMap& gate) {
    gate(rows.in(part_.input()), rows.out(Stage::Gate));
  }

  void finish(const BlockRows& rows, const RowMap& out) {
    activate_rows(block_.feed_forward.activation, rows.in(Stage::Hidden),
                  is_gated() ? rows.in(Stage::Gate) : MatrixView{}, rows.out(Stage::Activated),
                  sums_of(run_.result.problem()));
    out(rows.in(Stage::Activated), rows.out(Stage::FeedForward));
    finish_part(rows, part_, {block_.feed_forward_norm, block_.feed_forward_out_norm},
                rows.in(Stage::FeedForward));
  }

  const StackRun& run_;
  std::size_t layer_;
  bool may_copy_;
  const TransformerBlock& block_;
  BlockPart part_;
  std::vector<std::uint8_t> is_copied_;  // by job
};

bool compute_block(const StackRun& run, std::size_t layer) {
  const AttentionProblem& problem = run.result.problem();
  const std::span<const AttentionInfo> attentions = attentions_of(problem);
  const float share = kAttentionShare / static_cast<float>(attentions.size());
  const bool may_copy = is_block_as_before(run, layer);
  if (!may_copy) run.result.allocate(layer);
  run.result.layer(layer).stages[index_of(Stage::BlockInput)] = input_of(run.result, layer);
  float start = 0.0F;
  for (const AttentionInfo& info : attentions) {
    const HeadAddress at = info.at().moved_to(layer, 0, 0);
    if (!compute_attention(run, at, start, share)) return false;
    start += share;
    if (info.attention == kLastAttention) break;  // finished with the block
    const ProgressPart between(run.progress, start, 0.0F);
    const auto finish = [&](const BlockRows& rows) { finish_attention(rows, at); };
    if (!for_all_rows(run, layer, finish)) return false;
  }
  const ProgressPart rest(run.progress, kAttentionShare, 1.0F - kAttentionShare);
  if (may_copy && has_same_rows(run, layer)) {
    run.result.share(layer, *run.before);
    return true;
  }
  if (may_copy) run.result.allocate(layer);
  if (!NetworkRun(run, layer, may_copy).compute()) return false;
  if (layer + 1 == problem.shape.layers) final_norm(run.result);
  summarize(run.result, layer);
  return true;
}

}  // namespace

void StackResult::allocate(std::size_t index) {
  const Stage given_to_attention = attention_part(problem(), {.attention = kSelfAttention}).input();
  for (const Stage stage : stages()) {
    if (!stage_info(stage).around_attention() || layer_of(stage, index) != index) continue;
    layer(index).summaries[index_of(stage)].resize(shape().samples);
    if (stage == given_to_attention) continue;
    const StageShape extents = stage_shape(stage);
    layer(index).stages[index_of(stage)].resize(shape().samples * extents.rows * extents.cols);
  }
}

std::size_t StackResult::layer_of(Stage stage, std::size_t layer) const {
  return stage == Stage::FinalNorm ? layers_.size() - 1 : layer;
}

MatrixView StackResult::matrix(Stage stage, std::size_t layer_index, std::size_t sample) const {
  const std::size_t at = layer_of(stage, layer_index);
  for (const AttentionInfo& info : attentions_of(problem())) {
    const LayerResult* attention = layers(info.at())[at].get();
    if (attention != nullptr && stage == attention_part(problem(), info.at()).input()) {
      return matrix_at(attention->problem().query_embeddings, sample);
    }
  }
  const StageShape shape = stage_shape(stage);
  return {layer(at).stages[index_of(stage)].data() + sample * shape.rows * shape.cols, shape.rows,
          shape.cols, shape.cols};
}

MutableMatrix StackResult::mutable_matrix(Stage stage, std::size_t layer_index,
                                          std::size_t sample) {
  const StageShape shape = stage_shape(stage);
  std::vector<float>& values = layer(layer_of(stage, layer_index)).stages[index_of(stage)];
  return {values.data() + sample * shape.rows * shape.cols, shape.rows, shape.cols, shape.cols};
}

bool StackResult::compute_through(std::size_t layer, unsigned threads, Progress* progress,
                                  const StackResult* before) {
  const std::lock_guard lock(mutex_);
  for (std::size_t next = ready_; next <= layer; ++next) {
    const ProgressPart block(progress, next, layer + 1);
    const StackResult* known = before != nullptr && next < before->ready_ ? before : nullptr;
    if (!compute_block({*this, threads, progress, known}, next)) return false;
    ready_ = next + 1;
  }
  return true;
}

void StackResult::need(std::size_t layer) const {
  // A result is not const while it is computed, and the rest of one that is read is not yet seen.
  if (ready_ <= layer) const_cast<StackResult*>(this)->compute_through(layer, 0, nullptr, nullptr);
}

void StackResult::read(Stage stage, const HeadAddress& head, const CellRange& range,
                       float* out) const {
  need(layer_of(stage, head.layer));
  if (!stage_info(stage).around_attention()) return LayersResult::read(stage, head, range, out);
  copy_range(matrix(stage, head.layer, head.sample), range, out);
}

bool StackResult::pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range,
                              Progress* progress, PooledCells& out) const {
  need(layer_of(stage, head.layer));
  return !stage_info(stage).around_attention() &&
         LayersResult::pool_maxima(stage, head, range, progress, out);
}

std::optional<std::uint64_t> StackResult::non_finite_count(Stage stage,
                                                           const HeadAddress& at) const {
  if (!stage_info(stage).around_attention()) return LayersResult::non_finite_count(stage, at);
  std::uint64_t count = 0;
  for (const auto& layer : layers_) {
    for (const CellSummary& summary : layer->summaries[index_of(stage)]) {
      count += summary.non_finite;
    }
  }
  return count;
}

std::optional<AttentionResult::Range> StackResult::range(Stage stage,
                                                         const HeadAddress& head) const {
  need(layer_of(stage, head.layer));
  if (!stage_info(stage).around_attention()) return LayersResult::range(stage, head);
  const CellSummary& cells =
      layer(layer_of(stage, head.layer)).summaries[index_of(stage)][head.sample];
  if (cells.low > cells.high) return Range{};
  return Range{cells.low, cells.high};
}

std::shared_ptr<AttentionResult> compute_stack(const AttentionProblem& problem,
                                               const ComputeOptions& run) {
  const auto made = std::make_shared<StackResult>(problem);
  const auto* before = dynamic_cast<const StackResult*>(run.before.get());
  const bool is_similar =
      before != nullptr && before->shape() == made->shape() && before->stages() == made->stages();
  const std::size_t layers = std::min(made->shape().layers, std::max<std::size_t>(run.layers, 1));
  const bool is_done =
      made->compute_through(layers - 1, run.threads, run.progress, is_similar ? before : nullptr);
  return is_done ? made : nullptr;
}

}  // namespace attn
