// Oracle of transformer blocks: residuals, norms and feed-forward layers in double.
#include <cmath>
#include <utility>

#include "attention/reference.h"
#include "kinds/blocks/model.h"

namespace attn::reference {
namespace {

// Normalised rows.
Matrix normed(const Stack& stack, const Norm& norm, Matrix x) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    double mean = 0.0;
    double squares = 0.0;
    for (std::size_t c = 0; c < x.cols; ++c) mean += x.at(r, c) / static_cast<double>(x.cols);
    if (stack.norm == NormKind::Rms) mean = 0.0;
    for (std::size_t c = 0; c < x.cols; ++c) {
      squares += (x.at(r, c) - mean) * (x.at(r, c) - mean) / static_cast<double>(x.cols);
    }
    const double size = std::sqrt(squares + static_cast<double>(stack.eps));
    for (std::size_t c = 0; c < x.cols; ++c) {
      const double weight = norm.weight.empty() ? 1.0 : static_cast<double>(norm.weight[c]);
      const double bias = norm.bias.empty() ? 0.0 : static_cast<double>(norm.bias[c]);
      double& value = x.values[r * x.cols + c];
      value = (value - mean) / size * weight + bias;
    }
  }
  return x;
}

Matrix sum_of(const Matrix& a, const Matrix& b) {
  Matrix out = a;
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] += b.values[i];
  return out;
}

Matrix with_activation(const FeedForward& network, const Matrix& hidden, const Matrix& gate) {
  Matrix out = hidden;
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    out.values[i] =
        activated(network.activation, hidden.values[i], gate.values.empty() ? 0.0 : gate.values[i]);
  }
  return out;
}

// Stages of one block outside of its attention, in double.
struct BlockStages {
  Matrix input, attention_norm, attention_input, attention_residual, cross_norm, cross_input,
      cross_residual, feed_forward_norm, hidden, gate, activated, feed_forward,
      feed_forward_residual, output;
};

// Attention of a block as a layer: a decoder's cross-attention to the given keys, any other to its
// own rows.
Layer layer_of(const AttentionProblem& p, const HeadAddress& at, const BlockStages& s) {
  const Projections& projections = projections_of(p, at);
  if (!attends_across(p, at)) {
    return {p, projections, s.attention_input, s.attention_input, s.attention_input};
  }
  const Matrix source = positioned({}, p.key_embeddings, at.sample, 0);
  return {p, projections, s.cross_input, source, source};
}

// Projected output of an attention of the block, added to its rows.
Matrix added(const AttentionProblem& p, HeadAddress at, std::size_t attention,
             const BlockStages& s) {
  at.attention = attention;
  return compute_in(layer_of(p, at, s), Stage::Projected, at);
}

BlockStages block_stages(const AttentionProblem& p, const HeadAddress& at, Matrix x) {
  const Stack& stack = p.stack;
  const TransformerBlock& block = stack.blocks[at.layer];
  const FeedForward& network = block.feed_forward;
  const bool pre = stack.order == NormOrder::Pre;
  BlockStages s;
  s.input = std::move(x);
  if (pre) s.attention_norm = normed(stack, block.attention_norm, s.input);
  s.attention_input = pre ? s.attention_norm : s.input;
  s.attention_residual = sum_of(s.input, added(p, at, kSelfAttention, s));
  if (!pre) s.attention_norm = normed(stack, block.attention_norm, s.attention_residual);
  Matrix middle = pre ? s.attention_residual : s.attention_norm;
  if (block.cross) {
    if (pre) s.cross_norm = normed(stack, block.cross->norm, middle);
    s.cross_input = pre ? s.cross_norm : middle;
    s.cross_residual = sum_of(middle, added(p, at, kLastAttention, s));
    if (!pre) s.cross_norm = normed(stack, block.cross->norm, s.cross_residual);
    middle = pre ? s.cross_residual : s.cross_norm;
  }
  if (pre) s.feed_forward_norm = normed(stack, block.feed_forward_norm, middle);
  const Matrix& network_input = pre ? s.feed_forward_norm : middle;
  s.hidden = mapped(network_input, network.w_1, network.b_1);
  if (!network.w_gate.empty()) s.gate = mapped(network_input, network.w_gate, network.b_gate);
  s.activated = with_activation(network, s.hidden, s.gate);
  s.feed_forward = mapped(s.activated, network.w_2, network.b_2);
  s.feed_forward_residual = sum_of(middle, s.feed_forward);
  s.output = pre ? s.feed_forward_residual
                 : normed(stack, block.feed_forward_norm, s.feed_forward_residual);
  return s;
}

// Stages of block at.layer, computed from the embeddings through all blocks before it.
BlockStages stages_through_blocks(const AttentionProblem& p, const HeadAddress& at) {
  Matrix x = positioned(p.position, p.query_embeddings, at.sample, first_position(p, at.sample));
  for (std::size_t layer = 0;; ++layer) {
    BlockStages stages = block_stages(p, {layer, at.sample, at.head}, std::move(x));
    if (layer == at.layer) return stages;
    x = std::move(stages.output);
  }
}

}  // namespace

Matrix compute_in_blocks(const AttentionProblem& p, Stage stage, const HeadAddress& at) {
  if (stage == Stage::FinalNorm) {
    const std::size_t last = p.stack.blocks.size() - 1;
    const BlockStages stages = stages_through_blocks(p, {last, at.sample, at.head});
    return normed(p.stack, *p.stack.final_norm, stages.output);
  }
  BlockStages s = stages_through_blocks(p, at);
  switch (stage) {
    case Stage::BlockInput:
      return s.input;
    case Stage::AttentionNorm:
      return s.attention_norm;
    case Stage::AttentionResidual:
      return s.attention_residual;
    case Stage::CrossNorm:
      return s.cross_norm;
    case Stage::CrossResidual:
      return s.cross_residual;
    case Stage::FeedForwardNorm:
      return s.feed_forward_norm;
    case Stage::Hidden:
      return s.hidden;
    case Stage::Gate:
      return s.gate;
    case Stage::Activated:
      return s.activated;
    case Stage::FeedForward:
      return s.feed_forward;
    case Stage::FeedForwardResidual:
      return s.feed_forward_residual;
    case Stage::BlockOutput:
      return s.output;
    default:
      return compute_in(layer_of(p, at, s), stage, at);
  }
}

}  // namespace attn::reference
