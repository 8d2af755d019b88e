#include <algorithm>
#include <new>
#include <utility>

#include "engine/attend.h"
#include "engine/block_rows.h"
#include "engine/dense_compute.h"
#include "engine/parallel.h"
#include "engine/positions.h"
#include "engine/stack_result.h"

namespace attn {
namespace {

constexpr float kAttentionShare = 0.6F;  // of a block's time, about

bool compute_attention(DenseResult& attention, unsigned threads, Progress* progress) {
  const ProgressPart part(progress, 0.0F, kAttentionShare);
  return compute_stages(attention, threads, progress);
}

// Some rows of one sample in one block of the stack.
class BlockRows {
 public:
  BlockRows(StackResult& result, std::size_t layer, const RowBlock& rows)
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
  // What attention adds to the rows.
  MatrixView attention() const {
    const DenseResult& result = *result_.layer(layer_).attention;
    return rows_of(result.matrix(Stage::Projected, {0, rows_.head.sample, 0}), rows_.row,
                   rows_.rows);
  }
  void norm(Stage from, const Norm& norm, Stage to) const {
    norm_rows(in(from), stack().norm, stack().eps, norm, out(to));
  }

 private:
  StackResult& result_;
  std::size_t layer_;
  RowBlock rows_;
};

// From the attention's output to the block's.
void finish_block(const BlockRows& rows) {
  const TransformerBlock& block = rows.block();
  const FeedForward& network = block.feed_forward;
  const bool pre = rows.stack().order == NormOrder::Pre;
  add_rows(rows.in(Stage::BlockInput), rows.attention(), rows.out(Stage::AttentionResidual));
  const Stage middle = pre ? Stage::AttentionResidual : Stage::AttentionNorm;
  const Stage network_input = pre ? Stage::FeedForwardNorm : Stage::AttentionNorm;
  rows.norm(Stage::AttentionResidual, pre ? block.feed_forward_norm : block.attention_norm,
            network_input);
  map_rows(rows.in(network_input), network.w_1, network.b_1, rows.out(Stage::Hidden));
  if (rows.has(Stage::Gate)) {
    map_rows(rows.in(network_input), network.w_gate, network.b_gate, rows.out(Stage::Gate));
  }
  activate_rows(network.activation, rows.in(Stage::Hidden),
                rows.has(Stage::Gate) ? rows.in(Stage::Gate) : MatrixView{},
                rows.out(Stage::Activated));
  map_rows(rows.in(Stage::Activated), network.w_2, network.b_2, rows.out(Stage::FeedForward));
  const Stage sum = pre ? Stage::BlockOutput : Stage::FeedForwardResidual;
  add_rows(rows.in(middle), rows.in(Stage::FeedForward), rows.out(sum));
  if (!pre) rows.norm(sum, block.feed_forward_norm, Stage::BlockOutput);
}

void summarize(StackResult& result, std::size_t layer) {
  for (const Stage stage : result.stages()) {
    auto& summaries = result.layer(layer).summaries[static_cast<std::size_t>(stage)];
    for (std::size_t sample = 0; sample < summaries.size(); ++sample) {
      summaries[sample] = summary_of_matrix(result.matrix(stage, layer, sample));
    }
  }
}

// Embeddings with positions added where they are, or the output of the block before.
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
      add_position_rows(embeddings, problem.position, problem.mask.offset_of(sample), out);
    } else {
      std::copy_n(embeddings.data, s.n_q * s.d_model, out.data);
    }
  }
  return x;
}

// Makes the attention of a block, with what it reads in place.
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
  result.layer(layer).attention =
      std::make_shared<DenseResult>(layer_problem(problem, layer, Tensor(shape, std::move(x))));
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

}  // namespace

bool compute_stages(StackResult& result, unsigned threads, Progress* progress) {
  const AttentionShape& s = result.shape();
  const float share = 1.0F / static_cast<float>(s.layers);
  for (std::size_t layer = 0; layer < s.layers; ++layer) {
    const ProgressPart block(progress, share * static_cast<float>(layer), share);
    begin_block(result, layer);
    DenseResult& attention = *result.layer(layer).attention;
    if (!attention.allocate()) throw std::bad_alloc();
    if (!compute_attention(attention, threads, progress)) return false;
    const ProgressPart rest(progress, kAttentionShare, 1.0F - kAttentionShare);
    const bool done = parallel_for(
        s.samples * blocks_of(s.n_q), threads, progress,
        [&](std::size_t job) { finish_block(BlockRows(result, layer, row_block(job, 1, s.n_q))); });
    if (!done) return false;
    if (layer + 1 == s.layers) final_norm(result);
    summarize(result, layer);
  }
  return true;
}

}  // namespace attn
