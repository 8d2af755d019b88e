// Computation of transformer blocks in sequence, each as a layer of attention with its feed-forward
// layer, and the combined result.
#include "kinds/blocks/stack_result.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

#include "engine/kernels/block_rows.h"
#include "engine/kernels/parallel.h"
#include "engine/layer/changes.h"
#include "engine/layer/layer_compute.h"

namespace attn {
namespace {

std::size_t place_of(Stage stage) { return static_cast<std::size_t>(stage); }

HeadAddress in_one_layer(const HeadAddress& head) { return {0, head.sample, head.head}; }

constexpr float kAttentionShare = 0.6F;  // rough share of all attentions in a block's time

// Parameters of a run.
struct StackRun {
  StackResult& result;
  unsigned threads = 0;
  Progress* progress = nullptr;
  const StackResult* before = nullptr;  // of a stack of equal shape

  // Previous result of an attention; null if there is none.
  const LayerResult* attention_before(std::shared_ptr<LayerResult> StackLayer::*part,
                                      std::size_t layer) const {
    return before == nullptr ? nullptr : (before->layer(layer).*part).get();
  }
};

// `share`: of the block's time, from `start` on. Reuses the previous attention if its input is
// unchanged.
bool compute_attention(const StackRun& run, std::shared_ptr<LayerResult> StackLayer::*which,
                       std::size_t layer, float start, float share) {
  const ProgressPart part(run.progress, start, share);
  std::shared_ptr<LayerResult>& attention = run.result.layer(layer).*which;
  const LayerResult* before = run.attention_before(which, layer);
  if (before != nullptr && is_same_problem(before->problem(), attention->problem())) {
    attention = run.before->layer(layer).*which;
    return true;
  }
  attention->allocate();
  if (!compute_stages(*attention, run.threads, run.progress, before)) return false;
  return attention->holds(Stage::Projected) ||
         materialise_projected(*attention, run.threads, run.progress, before);
}

// Some rows of one sample in one block.
class BlockRows {
 public:
  BlockRows(StackResult& result, std::size_t layer, const RowBatch& rows)
      : result_(result), layer_(layer), rows_(rows) {}

  const Stack& stack() const { return result_.problem().stack; }
  const TransformerBlock& block() const { return stack().blocks[layer_]; }
  bool has(Stage stage) const { return result_.has(stage); }

  MatrixView in(Stage stage) const {
    return rows_of(result_.matrix(stage, layer_, rows_.head.sample), rows_.row, rows_.rows);
  }
  MutableMatrix out(Stage stage) const {
    return rows_of(result_.mutable_matrix(stage, layer_, rows_.head.sample), rows_.row, rows_.rows);
  }
  // Output of an attention that is added to the rows.
  MatrixView added_by(const LayerResult& attention) const {
    return rows_of(attention.matrix(Stage::Projected, {0, rows_.head.sample, 0}), rows_.row,
                   rows_.rows);
  }
  const StackLayer& layer() const { return result_.layer(layer_); }
  const RowBatch& batch() const { return rows_; }
  void norm(Stage from, const Norm& norm, Stage to) const {
    norm_rows(in(from), stack().norm, stack().eps, norm, out(to));
  }

 private:
  StackResult& result_;
  std::size_t layer_;
  RowBatch rows_;
};

bool has_norms_in_front(const BlockRows& rows) { return rows.stack().order == NormOrder::Pre; }

// From the output of the self-attention to the input of the next part.
void finish_attention(const BlockRows& rows) {
  const TransformerBlock& block = rows.block();
  add_rows(rows.in(Stage::BlockInput), rows.added_by(*rows.layer().attention),
           rows.out(Stage::AttentionResidual));
  if (!has_norms_in_front(rows)) {
    rows.norm(Stage::AttentionResidual, block.attention_norm, Stage::AttentionNorm);
  } else if (block.cross) {
    rows.norm(Stage::AttentionResidual, block.cross->norm, Stage::CrossNorm);
  }
}

// From the output of the cross-attention to the input of the feed-forward layer.
void finish_cross(const BlockRows& rows) {
  const bool pre = has_norms_in_front(rows);
  add_rows(rows.in(pre ? Stage::AttentionResidual : Stage::AttentionNorm),
           rows.added_by(*rows.layer().cross), rows.out(Stage::CrossResidual));
  if (!pre) rows.norm(Stage::CrossResidual, rows.block().cross->norm, Stage::CrossNorm);
}

// Packed maps of a block's feed-forward layer.
struct NetworkMaps {
  NetworkMaps(const FeedForward& network, Sums sums)
      : hidden(network.w_1, network.b_1, sums),
        gate(network.w_gate, network.b_gate, sums),
        out(network.w_2, network.b_2, sums) {
    for (const RowMap* map : {&hidden, &gate, &out}) map->lay_out();
  }
  RowMap hidden, gate, out;
};

// From there to the block's output.
void finish_block(const BlockRows& rows, const NetworkMaps& maps) {
  const TransformerBlock& block = rows.block();
  const bool pre = has_norms_in_front(rows);
  const Stage residual = block.cross ? Stage::CrossResidual : Stage::AttentionResidual;
  const Stage norm = block.cross ? Stage::CrossNorm : Stage::AttentionNorm;
  const Stage middle = pre ? residual : norm;
  const Stage network_input = pre ? Stage::FeedForwardNorm : middle;
  if (pre) rows.norm(residual, block.feed_forward_norm, network_input);
  maps.hidden(rows.in(network_input), rows.out(Stage::Hidden));
  if (rows.has(Stage::Gate)) maps.gate(rows.in(network_input), rows.out(Stage::Gate));
  activate_rows(block.feed_forward.activation, rows.in(Stage::Hidden),
                rows.has(Stage::Gate) ? rows.in(Stage::Gate) : MatrixView{},
                rows.out(Stage::Activated));
  maps.out(rows.in(Stage::Activated), rows.out(Stage::FeedForward));
  const Stage sum = pre ? Stage::BlockOutput : Stage::FeedForwardResidual;
  add_rows(rows.in(middle), rows.in(Stage::FeedForward), rows.out(sum));
  if (!pre) rows.norm(sum, block.feed_forward_norm, Stage::BlockOutput);
}

// True if input and parameters of the feed-forward layer and its norms are unchanged.
bool is_block_as_before(const StackRun& run, std::size_t layer) {
  if (run.before == nullptr || is_decoder(run.result.problem())) return false;
  const Stack& then = run.before->problem().stack;
  const Stack& now = run.result.problem().stack;
  return then.order == now.order && then.norm == now.norm &&
         std::bit_cast<std::uint32_t>(then.eps) == std::bit_cast<std::uint32_t>(now.eps) &&
         then.blocks[layer] == now.blocks[layer];
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
      !same(before.layer(layer).attention->matrix(Stage::Projected, at),
            run.result.layer(layer).attention->matrix(Stage::Projected, at))) {
    return false;
  }
  const Stage read = attention_input(run.result.problem().stack);
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
    auto& summaries = result.layer(layer).summaries[static_cast<std::size_t>(stage)];
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
  one.mask = mask_of(problem, at);
  one.position = position_of(problem, at);
  one.projections = projections_of(problem, at);
  one.key_embeddings = one.value_embeddings =
      attends_across(problem, at) ? problem.key_embeddings : x;
  one.query_embeddings = std::move(x);
  if (is_added(one.position)) one.position = {};
  one.most_materialised_map_bytes =
      materialises_maps(problem, at) ? std::numeric_limits<std::uint64_t>::max() : 0;
  return one;
}

// Embeddings, with positions if added, or the output of the block before.
std::vector<float> input_of(const StackResult& result, std::size_t layer) {
  const AttentionProblem& problem = result.problem();
  const AttentionShape& s = problem.shape;
  std::vector<float> x(s.samples * s.n_q * s.d_model);
  for (std::size_t sample = 0; sample < s.samples; ++sample) {
    const MutableMatrix out{x.data() + sample * s.n_q * s.d_model, s.n_q, s.d_model, s.d_model};
    if (layer > 0) {
      const MatrixView before = result.matrix(Stage::BlockOutput, layer - 1, sample);
      std::copy_n(before.data, s.n_q * s.d_model, out.data);
      continue;
    }
    const MatrixView embeddings = matrix_at(problem.query_embeddings, sample);
    if (is_added(problem.position)) {
      add_position_rows(embeddings, problem.position, first_position(problem, sample), out);
    } else {
      std::copy_n(embeddings.data, s.n_q * s.d_model, out.data);
    }
  }
  return x;
}

// Creates a block's self-attention on its input.
void begin_block(StackResult& result, std::size_t layer) {
  const AttentionProblem& problem = result.problem();
  const AttentionShape& s = problem.shape;
  std::vector<float> x = input_of(result, layer);
  if (attention_input(problem.stack) == Stage::AttentionNorm) {
    std::vector<float> normed(x.size());
    norm_rows({x.data(), s.samples * s.n_q, s.d_model, s.d_model}, problem.stack.norm,
              problem.stack.eps, problem.stack.blocks[layer].attention_norm,
              {normed.data(), s.samples * s.n_q, s.d_model, s.d_model});
    result.layer(layer).stages[static_cast<std::size_t>(Stage::BlockInput)] = std::move(x);
    x = std::move(normed);
  }
  const Shape shape{s.samples, s.n_q, s.d_model};
  const HeadAddress at{.layer = layer, .attention = kSelfAttention};
  result.layer(layer).attention =
      std::make_shared<LayerResult>(layer_problem(problem, at, Tensor(shape, std::move(x))));
}

// Creates a decoder's cross-attention, which takes over its input.
void begin_cross(StackResult& result, std::size_t layer) {
  const AttentionProblem& problem = result.problem();
  const AttentionShape& s = problem.shape;
  StackLayer& at = result.layer(layer);
  std::vector<float>& rows = at.stages[static_cast<std::size_t>(cross_input(problem.stack))];
  const Shape shape{s.samples, s.n_q, s.d_model};
  at.cross = std::make_shared<LayerResult>(
      layer_problem(problem, {.layer = layer}, Tensor(shape, std::exchange(rows, {}))));
}

void final_norm(StackResult& result) {
  const Stack& stack = result.problem().stack;
  if (!stack.final_norm) return;
  const std::size_t last = stack.blocks.size() - 1;
  for (std::size_t sample = 0; sample < result.shape().samples; ++sample) {
    norm_rows(result.matrix(Stage::BlockOutput, last, sample), stack.norm, stack.eps,
              *stack.final_norm, result.mutable_matrix(Stage::FinalNorm, last, sample));
  }
}

template <class Finish>
bool for_all_rows(const StackRun& run, std::size_t layer, Finish finish) {
  const AttentionShape& s = run.result.shape();
  return parallel_for(
      s.samples * batches_of(s.n_q), run.threads, run.progress,
      [&](std::size_t job) { finish(BlockRows(run.result, layer, row_batch(job, 1, s.n_q))); });
}

bool compute_block(const StackRun& run, std::size_t layer) {
  const bool decoder = is_decoder(run.result.problem());
  const float share = kAttentionShare / (decoder ? 2.0F : 1.0F);
  begin_block(run.result, layer);
  if (!compute_attention(run, &StackLayer::attention, layer, 0.0F, share)) return false;
  if (decoder) {
    const ProgressPart between(run.progress, share, 0.0F);
    if (!for_all_rows(run, layer, finish_attention)) return false;
  }
  if (decoder) {
    begin_cross(run.result, layer);
    if (!compute_attention(run, &StackLayer::cross, layer, share, share)) return false;
  }
  const ProgressPart rest(run.progress, kAttentionShare, 1.0F - kAttentionShare);
  const bool may_copy = is_block_as_before(run, layer);
  const AttentionProblem& problem = run.result.problem();
  const NetworkMaps maps(problem.stack.blocks[layer].feed_forward, sums_of(problem));
  return for_all_rows(run, layer, [&](const BlockRows& rows) {
    if (may_copy && copy_block(run, layer, rows.batch())) return;
    if (decoder) {
      finish_cross(rows);
    } else {
      finish_attention(rows);
    }
    finish_block(rows, maps);
  });
}

}  // namespace

Stage attention_input(const Stack& stack) {
  return stack.order == NormOrder::Pre ? Stage::AttentionNorm : Stage::BlockInput;
}

Stage cross_input(const Stack& stack) {
  return stack.order == NormOrder::Pre ? Stage::CrossNorm : Stage::AttentionNorm;
}

StackResult::StackResult(AttentionProblem problem)
    : problem_(std::move(problem)), layers_(problem_.stack.blocks.size()) {
  HeadAddress at;
  for (; at.attention < attentions_of(problem_).size(); ++at.attention) {
    stages_.push_back(stages_of(problem_, at));
  }
}

void StackResult::allocate() {
  const Stage given_to_attention = attention_input(problem_.stack);
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    for (const Stage stage : stages()) {
      if (!stage_info(stage).around_attention() || layer_of(stage, index) != index) continue;
      StackLayer& at = layer(index);
      at.summaries[place_of(stage)].resize(problem_.shape.samples);
      if (stage == given_to_attention) continue;
      const StageShape shape = stage_shape(stage);
      at.stages[place_of(stage)].resize(problem_.shape.samples * shape.rows * shape.cols);
    }
  }
}

std::size_t StackResult::layer_of(Stage stage, std::size_t layer) const {
  return stage == Stage::FinalNorm ? layers_.size() - 1 : layer;
}

const LayerResult& StackResult::attention(const HeadAddress& at) const {
  const StackLayer& block = layer(at.layer);
  return attends_across(problem_, at) ? *block.cross : *block.attention;
}

MatrixView StackResult::matrix(Stage stage, std::size_t layer_index, std::size_t sample) const {
  const StackLayer& at = layer(layer_of(stage, layer_index));
  if (stage == attention_input(problem_.stack)) {
    return matrix_at(at.attention->problem().query_embeddings, sample);
  }
  if (at.cross && stage == cross_input(problem_.stack)) {
    return matrix_at(at.cross->problem().query_embeddings, sample);
  }
  const StageShape shape = stage_shape(stage);
  return {at.stages[place_of(stage)].data() + sample * shape.rows * shape.cols, shape.rows,
          shape.cols, shape.cols};
}

MutableMatrix StackResult::mutable_matrix(Stage stage, std::size_t layer_index,
                                          std::size_t sample) {
  const StageShape shape = stage_shape(stage);
  std::vector<float>& values = layer(layer_of(stage, layer_index)).stages[place_of(stage)];
  return {values.data() + sample * shape.rows * shape.cols, shape.rows, shape.cols, shape.cols};
}

void StackResult::read(Stage stage, const HeadAddress& head, const CellRange& range,
                       float* out) const {
  if (!stage_info(stage).around_attention()) {
    return attention(head).read(stage, in_one_layer(head), range, out);
  }
  copy_range(matrix(stage, head.layer, head.sample), range, out);
}

bool StackResult::pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range,
                              Progress* progress, PooledCells& out) const {
  return !stage_info(stage).around_attention() &&
         attention(head).pool_maxima(stage, in_one_layer(head), range, progress, out);
}

std::optional<std::uint64_t> StackResult::non_finite_count(Stage stage,
                                                           const HeadAddress& at) const {
  std::uint64_t count = 0;
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    if (!stage_info(stage).around_attention()) {
      const std::optional<std::uint64_t> of_layer =
          attention(at.moved_to(index, 0, 0)).non_finite_count(stage, {});
      if (!of_layer) return std::nullopt;
      count += *of_layer;
      continue;
    }
    for (const CellSummary& summary : layer(index).summaries[place_of(stage)]) {
      count += summary.non_finite;
    }
  }
  return count;
}

std::optional<AttentionResult::Range> StackResult::range(Stage stage,
                                                         const HeadAddress& head) const {
  if (!stage_info(stage).around_attention()) {
    return attention(head).range(stage, in_one_layer(head));
  }
  const CellSummary& cells =
      layer(layer_of(stage, head.layer)).summaries[place_of(stage)][head.sample];
  if (cells.low > cells.high) return Range{};
  return Range{cells.low, cells.high};
}

std::shared_ptr<AttentionResult> compute_stack(const AttentionProblem& problem,
                                               const ComputeOptions& run) {
  const auto made = std::make_shared<StackResult>(problem);
  StackResult& result = *made;
  result.allocate();
  const auto* before = dynamic_cast<const StackResult*>(run.before.get());
  if (before != nullptr && before->shape() != result.shape()) before = nullptr;
  if (before != nullptr && before->stages() != result.stages()) before = nullptr;
  const std::size_t layers = result.shape().layers;
  const float share = 1.0F / static_cast<float>(layers);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const ProgressPart block(run.progress, share * static_cast<float>(layer), share);
    if (!compute_block({result, run.threads, run.progress, before}, layer)) return nullptr;
    if (layer + 1 == layers) final_norm(result);
    summarize(result, layer);
  }
  return made;
}

}  // namespace attn
