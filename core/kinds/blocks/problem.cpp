// Problems with transformer blocks: their stages and formulas.
#include "kinds/blocks/model.h"
#include "kinds/blocks/stack_result.h"

namespace attn {
namespace {

// Appends the stages of a part, with those of the attention or network in between.
void append_part(std::vector<Stage>& stages, const BlockPart& part,
                 const std::vector<Stage>& inner) {
  const auto add = [&](const std::optional<Stage>& stage) {
    if (stage) stages.push_back(*stage);
  };
  add(part.read_norm);
  append(stages, inner);
  add(part.out_norm);
  add(part.sum);
  add(part.sum_norm);
}

std::vector<Stage> block_stages(const AttentionProblem& problem, const HeadAddress& at) {
  const Stack& stack = problem.stack;
  std::vector<Stage> stages{Stage::BlockInput};
  for (const AttentionInfo& info : attentions_of(problem)) {
    const bool shown = attends_across(problem, info.at()) == attends_across(problem, at);
    append_part(stages, attention_part(problem, info.at()),
                shown ? joined_attention_stages(problem, at) : std::vector<Stage>());
  }
  std::vector<Stage> network{Stage::Hidden};
  const bool gated = activation_info(stack.blocks.front().feed_forward.activation).gated;
  if (gated) network.push_back(Stage::Gate);
  append(network, {Stage::Activated, Stage::FeedForward});
  append_part(stages, network_part(problem), network);
  if (stack.final_norm) stages.push_back(Stage::FinalNorm);
  return stages;
}

// Formulas that depend on the order of norms and the activation.
std::string block_formula(const AttentionProblem& problem, Stage stage) {
  const Stack& stack = problem.stack;
  const bool post = stack.order == NormOrder::Post;
  const std::string norm = stack.norm == NormKind::Layer ? "LayerNorm" : "RMSNorm";
  const bool branch = norms_outputs(stack.order);
  switch (stage) {
    case Stage::AttentionNorm:
      return norm + (post ? "(x + attention)" : "(x)");
    case Stage::CrossNorm:
      return norm + (post ? "(x + cross-attention)" : "(x)");
    case Stage::AttentionOutNorm:
    case Stage::CrossOutNorm:
      return norm + "(attention)";
    case Stage::FeedForwardOutNorm:
      return norm + "(network)";
    case Stage::AttentionResidual:
      return branch ? "x + norm(attention)" : "";
    case Stage::CrossResidual:
      return branch ? "x + norm(cross-attention)" : "";
    case Stage::FeedForwardNorm:
    case Stage::FinalNorm:
      return norm + "(x)";
    case Stage::Activated:
      return std::string(activation_info(stack.blocks.front().feed_forward.activation).formula);
    case Stage::BlockOutput:
      return post ? norm + "(x + network)" : branch ? "x + norm(network)" : "x + network";
    default:
      return "";
  }
}

// Attentions and feed-forward layers read rows of the block, except keys and values of
// cross-attention. What is made from the rows of cut edges is no map of a stage.
std::optional<LinearStage> block_linear(const AttentionProblem& problem, Stage stage,
                                        const HeadAddress& at) {
  if (cuts_edge_to(problem.what_if, at, stage)) return std::nullopt;
  const Tensor* keys = attends_across(problem, at) ? &problem.key_embeddings : nullptr;
  const Stage rows = attention_part(problem, at).input();
  if (const auto projection = projection_of(problem, stage, at, rows, keys)) return projection;
  const FeedForward& network = problem.stack.blocks[at.layer].feed_forward;
  if (stage == Stage::FeedForward) {
    return LinearStage{Stage::Activated, nullptr, &network.w_2, &network.b_2, 1,
                       "activated",      "W_2",   "b_2"};
  }
  const Stage input = network_part(problem).input();
  if (stage == Stage::Hidden) {
    return LinearStage{input, nullptr, &network.w_1, &network.b_1, 1, "x", "W_1", "b_1"};
  }
  if (stage != Stage::Gate) return std::nullopt;
  return LinearStage{input, nullptr, &network.w_gate, &network.b_gate, 1, "x", "W_gate", "b_gate"};
}

// A part by its stages; those of norms that the order of norms does not have are left out.
BlockPart block_part(const AttentionProblem& problem, Stage rows, Stage norm, Stage out_norm,
                     Stage sum) {
  const NormOrder order = problem.stack.order;
  BlockPart part{rows, rows, {}, {}, sum, {}};
  if (norms_rows(order)) part.read_norm = norm;
  if (norms_outputs(order)) part.out_norm = out_norm;
  if (order == NormOrder::Post) part.sum_norm = norm;
  return part;
}

}  // namespace

BlockPart attention_part(const AttentionProblem& problem, const HeadAddress& at) {
  if (attends_across(problem, at)) {
    const Stage rows = attention_part(problem, {.attention = kSelfAttention}).result();
    return block_part(problem, rows, Stage::CrossNorm, Stage::CrossOutNorm, Stage::CrossResidual);
  }
  return block_part(problem, Stage::BlockInput, Stage::AttentionNorm, Stage::AttentionOutNorm,
                    Stage::AttentionResidual);
}

BlockPart network_part(const AttentionProblem& problem) {
  const bool post = problem.stack.order == NormOrder::Post;
  BlockPart part =
      block_part(problem, attention_part(problem, {}).result(), Stage::FeedForwardNorm,
                 Stage::FeedForwardOutNorm, post ? Stage::FeedForwardResidual : Stage::BlockOutput);
  if (post) part.sum_norm = Stage::BlockOutput;
  if (problem.stack.parallel) part.read = Stage::BlockInput;
  return part;
}

const ProblemKind kBlockProblems{.stages = block_stages,
                                 .formula = block_formula,
                                 .linear = block_linear,
                                 .compute = compute_stack};

}  // namespace attn
