// Problems with transformer blocks: their stages and formulas.
#include <algorithm>
#include <iterator>

#include "kinds/blocks/model.h"
#include "kinds/blocks/stack_result.h"

namespace attn {
namespace {

std::vector<Stage> block_stages(const AttentionProblem& problem, const HeadAddress& at) {
  const Stack& stack = problem.stack;
  const bool pre = stack.order == NormOrder::Pre;
  std::vector<Stage> stages{Stage::BlockInput};
  // `shown`: whether the stages of this attention are included.
  const auto attend = [&](Stage norm, Stage residual, bool shown) {
    if (pre) stages.push_back(norm);
    if (shown) append(stages, joined_attention_stages(problem, at));
    stages.push_back(residual);
    if (!pre) stages.push_back(norm);
  };
  const bool across = attends_across(problem, at);
  attend(Stage::AttentionNorm, Stage::AttentionResidual, !across);
  if (is_decoder(problem)) attend(Stage::CrossNorm, Stage::CrossResidual, across);
  if (pre) stages.push_back(Stage::FeedForwardNorm);
  stages.push_back(Stage::Hidden);
  const bool gated = activation_info(stack.blocks.front().feed_forward.activation).gated;
  if (gated) stages.push_back(Stage::Gate);
  append(stages, {Stage::Activated, Stage::FeedForward});
  if (!pre) stages.push_back(Stage::FeedForwardResidual);
  stages.push_back(Stage::BlockOutput);
  if (stack.final_norm) stages.push_back(Stage::FinalNorm);
  return stages;
}

// Formulas that depend on the order of norms and the activation.
std::string block_formula(const AttentionProblem& problem, Stage stage) {
  const Stack& stack = problem.stack;
  const bool pre = stack.order == NormOrder::Pre;
  const std::string norm = stack.norm == NormKind::Layer ? "LayerNorm" : "RMSNorm";
  switch (stage) {
    case Stage::AttentionNorm:
      return norm + (pre ? "(x)" : "(x + attention)");
    case Stage::CrossNorm:
      return norm + (pre ? "(x)" : "(x + cross-attention)");
    case Stage::FeedForwardNorm:
    case Stage::FinalNorm:
      return norm + "(x)";
    case Stage::Activated:
      return std::string(activation_info(stack.blocks.front().feed_forward.activation).formula);
    case Stage::BlockOutput:
      return pre ? "x + network" : norm + "(x + network)";
    default:
      return "";
  }
}

// The stage right before it in the order of computation, which is its input.
Stage stage_before(const AttentionProblem& problem, Stage stage, const HeadAddress& at) {
  const std::vector<Stage> stages = block_stages(problem, at);
  return *std::prev(std::ranges::find(stages, stage));
}

// Attentions and feed-forward layers read rows of the block, except keys and values of
// cross-attention.
std::optional<LinearStage> block_linear(const AttentionProblem& problem, Stage stage,
                                        const HeadAddress& at) {
  const Tensor* keys = attends_across(problem, at) ? &problem.key_embeddings : nullptr;
  const Stage rows = stage_before(problem, Stage::Query, at);
  if (const auto projection = projection_of(problem, stage, at, rows, keys)) return projection;
  const FeedForward& network = problem.stack.blocks[at.layer].feed_forward;
  if (stage == Stage::FeedForward) {
    return LinearStage{Stage::Activated, nullptr, &network.w_2, &network.b_2, 1,
                       "activated",      "W_2",   "b_2"};
  }
  const Stage input = stage_before(problem, Stage::Hidden, at);
  if (stage == Stage::Hidden) {
    return LinearStage{input, nullptr, &network.w_1, &network.b_1, 1, "x", "W_1", "b_1"};
  }
  if (stage != Stage::Gate) return std::nullopt;
  return LinearStage{input, nullptr, &network.w_gate, &network.b_gate, 1, "x", "W_gate", "b_gate"};
}

}  // namespace

const ProblemKind kBlockProblems{.stages = block_stages,
                                 .formula = block_formula,
                                 .linear = block_linear,
                                 .compute = compute_stack};

}  // namespace attn
