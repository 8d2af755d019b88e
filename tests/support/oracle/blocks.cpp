// Oracle of transformer blocks: residuals, norms and feed-forward layers in double.
#include <cmath>
#include <utility>

#include "kinds/blocks/model.h"
#include "support/oracle/reference.h"

namespace attn::reference {
namespace {

// Normalised rows.
Matrix normed(const Stack& stack, const Norm& norm, Matrix x) {
  if (norm.none) return x;
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
      const double weight = norm.weight.empty() ? 1.0
                                                : static_cast<double>(norm.weight[c]) +
                                                      static_cast<double>(stack.weight_offset);
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

// Stages of one block outside of its attention, in double, by stage, and inputs of single heads.
struct BlockStages : std::map<Stage, Matrix> {
  decltype(Layer::own_inputs) own_inputs;
};

// Attention of a block as a layer: a decoder's cross-attention to the given keys, any other to its
// own rows.
Layer layer_of(const AttentionProblem& p, const HeadAddress& at, const BlockStages& s) {
  const Projections& projections = projections_of(p, at);
  const NormOrder order = p.stack.order;
  if (!attends_across(p, at)) {
    const Matrix& rows = s.at(norms_rows(order) ? Stage::AttentionNorm : Stage::BlockInput);
    return {p, projections, rows, rows, rows, s.own_inputs};
  }
  const Stage read = norms_rows(order)          ? Stage::CrossNorm
                     : order == NormOrder::Post ? Stage::AttentionNorm
                                                : Stage::AttentionResidual;
  const Matrix source = positioned({}, p.key_embeddings, at.sample, 0);
  return {p, projections, s.at(read), source, source};
}

// Projected output of an attention of the block, added to its rows.
Matrix added(const AttentionProblem& p, HeadAddress at, std::size_t attention,
             const BlockStages& s) {
  at.attention = attention;
  return compute_in(layer_of(p, at, s), Stage::Projected, at);
}

// Returns what a head adds to the rows: the difference between its layer's output with and without
// it.
Matrix added_by_head(const AttentionProblem& p, const HeadAddress& from, const BlockStages& s) {
  AttentionProblem without = p;
  set_gate(without.what_if, from, 0.0F);
  Matrix difference = compute_in(layer_of(p, from, s), Stage::Projected, from);
  const Matrix rest = compute_in(layer_of(without, from, s), Stage::Projected, from);
  for (std::size_t i = 0; i < rest.values.size(); ++i) difference.values[i] -= rest.values[i];
  return difference;
}

// Inputs of the heads of a block that do not read the outputs of some earlier heads.
decltype(Layer::own_inputs) inputs_without(const AttentionProblem& p, const HeadAddress& at,
                                           const Matrix& x,
                                           const std::vector<BlockStages>& earlier) {
  decltype(Layer::own_inputs) inputs;
  for (const auto& [to, input, from] : p.what_if.edges) {
    if (to.layer != at.layer) continue;
    Matrix& rows = inputs.try_emplace({input, to.head}, x).first->second;
    const Matrix gone =
        added_by_head(p, from.moved_to(from.layer, at.sample, from.head), earlier[from.layer]);
    for (std::size_t i = 0; i < gone.values.size(); ++i) rows.values[i] -= gone.values[i];
  }
  const Norm& norm = p.stack.blocks[at.layer].attention_norm;
  for (auto& [of, rows] : inputs) rows = normed(p.stack, norm, std::move(rows));
  return inputs;
}

BlockStages block_stages(const AttentionProblem& p, const HeadAddress& at, Matrix x,
                         const std::vector<BlockStages>& earlier) {
  const Stack& stack = p.stack;
  const TransformerBlock& block = stack.blocks[at.layer];
  const FeedForward& network = block.feed_forward;
  const NormOrder order = stack.order;
  BlockStages s;
  // Rows that are added for an output.
  const auto normed_output = [&](const Matrix& output, const Norm& norm, Stage stage) {
    return norms_outputs(order) ? s[stage] = normed(stack, norm, output) : output;
  };
  // Adds an attention to the rows; returns the input of the next part.
  const auto attend = [&](const Matrix& rows, const Norm& norm, const Norm& out_norm,
                          Stage normed_rows, Stage out, Stage residual, std::size_t attention) {
    if (norms_rows(order)) s[normed_rows] = normed(stack, norm, rows);
    s[residual] = sum_of(rows, normed_output(added(p, at, attention, s), out_norm, out));
    if (order != NormOrder::Post) return s[residual];
    return s[normed_rows] = normed(stack, norm, s[residual]);
  };
  s[Stage::BlockInput] = x;
  s.own_inputs = inputs_without(p, at, x, earlier);
  x = attend(x, block.attention_norm, block.attention_out_norm, Stage::AttentionNorm,
             Stage::AttentionOutNorm, Stage::AttentionResidual, kSelfAttention);
  if (block.cross) {
    x = attend(x, block.cross->norm, block.cross->out_norm, Stage::CrossNorm, Stage::CrossOutNorm,
               Stage::CrossResidual, kLastAttention);
  }
  const Matrix& read = stack.parallel ? s[Stage::BlockInput] : x;
  if (norms_rows(order)) s[Stage::FeedForwardNorm] = normed(stack, block.feed_forward_norm, read);
  const Matrix& network_input = norms_rows(order) ? s[Stage::FeedForwardNorm] : read;
  const Matrix& hidden = s[Stage::Hidden] = mapped(network_input, network.w_1, network.b_1);
  Matrix gate;
  if (!network.w_gate.empty()) gate = mapped(network_input, network.w_gate, network.b_gate);
  s[Stage::Activated] = with_activation(network, hidden, gate);
  s[Stage::Gate] = std::move(gate);
  s[Stage::FeedForward] = mapped(s[Stage::Activated], network.w_2, network.b_2);
  const Matrix& sum = s[Stage::FeedForwardResidual] = sum_of(
      x,
      normed_output(s[Stage::FeedForward], block.feed_forward_out_norm, Stage::FeedForwardOutNorm));
  s[Stage::BlockOutput] =
      order == NormOrder::Post ? normed(stack, block.feed_forward_norm, sum) : sum;
  return s;
}

// Stages of block at.layer, computed from the embeddings through all blocks before it.
BlockStages stages_through_blocks(const AttentionProblem& p, const HeadAddress& at) {
  Matrix x = positioned(p.position, p.query_embeddings, at.sample, first_position(p, at.sample));
  if (p.stack.embedding_norm) x = normed(p.stack, *p.stack.embedding_norm, x);
  std::vector<BlockStages> earlier;
  for (std::size_t layer = 0;; ++layer) {
    BlockStages stages = block_stages(p, {layer, at.sample, at.head}, std::move(x), earlier);
    if (layer == at.layer) return stages;
    x = stages[Stage::BlockOutput];
    earlier.push_back(std::move(stages));
  }
}

}  // namespace

const Matrix& input_of(const Layer& layer, Stage stage, std::size_t head) {
  const auto own = layer.own_inputs.find({stage, head});
  if (own != layer.own_inputs.end()) return own->second;
  return stage == Stage::Query ? layer.query_input
         : stage == Stage::Key ? layer.key_input
                               : layer.value_input;
}

Matrix projected(const Layer& layer, const HeadAddress& at) {
  HeadAddress head = among(attentions_of(layer.problem), at);
  Matrix rows = compute_in(layer, Stage::Concat, at);
  const std::size_t d_v = layer.problem.shape.d_v;
  for (const HeadOutput& output : layer.problem.what_if.outputs) {
    if (output.at != head.moved_to(head.layer, at.sample, output.at.head)) continue;
    for (std::size_t i = 0; i < output.rows.size(); ++i) {
      rows.values[i / d_v * rows.cols + output.at.head * d_v + i % d_v] =
          static_cast<double>(output.rows[i]);
    }
  }
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    head.head = i % rows.cols / d_v;
    rows.values[i] *= static_cast<double>(gate_of(layer.problem.what_if, head));
  }
  return mapped(rows, layer.projections.w_o, layer.projections.b_o);
}

Matrix compute_in_blocks(const AttentionProblem& p, Stage stage, const HeadAddress& at) {
  if (stage == Stage::FinalNorm) {
    const std::size_t last = p.stack.blocks.size() - 1;
    BlockStages stages = stages_through_blocks(p, {last, at.sample, at.head});
    return normed(p.stack, *p.stack.final_norm, stages[Stage::BlockOutput]);
  }
  BlockStages s = stages_through_blocks(p, at);
  return stage_info(stage).around_attention() ? s[stage]
                                              : compute_in(layer_of(p, at, s), stage, at);
}

}  // namespace attn::reference
