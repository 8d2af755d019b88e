// Problems with transformer blocks: which stages they have, by which formulas, and what their
// attentions differ in.
#include <algorithm>
#include <iterator>
#include <utility>

#include "attention/problem.h"

namespace attn {
namespace {

const Position kNoPosition;

std::vector<Stage> block_stages(const AttentionProblem& problem, const HeadAddress& at) {
  const Stack& stack = problem.stack;
  const bool pre = stack.order == NormOrder::Pre;
  std::vector<Stage> stages{Stage::BlockInput};
  // `shown`: whether its own stages are among them.
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

// What differs with the order of norms and the activation.
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

struct NetworkMap {
  Stage stage;
  Tensor FeedForward::*weights, FeedForward::*bias;
  const char *input_name, *matrix_name, *bias_name;
};
constexpr NetworkMap kNetworkMaps[] = {
    {Stage::Hidden, &FeedForward::w_1, &FeedForward::b_1, "x", "W_1", "b_1"},
    {Stage::Gate, &FeedForward::w_gate, &FeedForward::b_gate, "x", "W_gate", "b_gate"},
    {Stage::FeedForward, &FeedForward::w_2, &FeedForward::b_2, "activated", "W_2", "b_2"}};

// What comes right before it is what it gets.
Stage stage_before(const AttentionProblem& problem, Stage stage, const HeadAddress& at) {
  const std::vector<Stage> stages = block_stages(problem, at);
  return *std::prev(std::ranges::find(stages, stage));
}

// Attentions and networks get the rows of the block, but for the keys and values of a decoder's
// second attention.
std::optional<LinearStage> block_linear(const AttentionProblem& problem, Stage stage,
                                        const HeadAddress& at) {
  const Tensor* keys = attends_across(problem, at) ? &problem.key_embeddings : nullptr;
  const ProjectedRows rows{stage_before(problem, Stage::Query, at), keys};
  if (const auto projection = projection_of(problem, stage, at, rows)) return projection;
  const auto* map = std::ranges::find(kNetworkMaps, stage, &NetworkMap::stage);
  if (map == std::end(kNetworkMaps)) return std::nullopt;
  const FeedForward& network = problem.stack.blocks[at.layer].feed_forward;
  const bool last = stage == Stage::FeedForward;
  const Stage input = last ? Stage::Activated : stage_before(problem, Stage::Hidden, at);
  return LinearStage{input, nullptr,         &(network.*map->weights), &(network.*map->bias),
                     1,     map->input_name, map->matrix_name,         map->bias_name};
}

}  // namespace

const ProblemKind kBlockProblems{
    .stages = block_stages, .formula = block_formula, .linear = block_linear};

std::span<const AttentionInfo> attentions_of(const AttentionProblem& problem) {
  return attentions_of(problem.stack);
}

bool is_decoder(const AttentionProblem& problem) { return is_decoder(problem.stack); }

AttentionShape shape_of(const AttentionProblem& problem, const HeadAddress& at) {
  const bool own = is_decoder(problem) && !attends_across(problem, at);
  return own ? self_shape(problem.shape) : problem.shape;
}

const Mask& mask_of(const AttentionProblem& problem, const HeadAddress& at) {
  const bool own = is_decoder(problem) && !attends_across(problem, at);
  return own ? problem.self_mask : problem.mask;
}

bool attends_across(const AttentionProblem& problem, const HeadAddress& at) {
  return is_decoder(problem) && at.attention == kLastAttention;
}

bool joins_two_sequences(const AttentionProblem& problem, const HeadAddress& at) {
  return is_decoder(problem) ? attends_across(problem, at) : problem.cross;
}

bool counts_positions(const AttentionProblem& problem, const HeadAddress& at) {
  return !attends_across(problem, at);
}

const Position& position_of(const AttentionProblem& problem, const HeadAddress& at) {
  return counts_positions(problem, at) ? problem.position : kNoPosition;
}

std::int64_t first_position(const AttentionProblem& problem, std::size_t sample) {
  const Mask& mask = is_decoder(problem) ? problem.self_mask : problem.mask;
  return mask.offset_of(sample);
}

const Projections& projections_of(const AttentionProblem& problem, const HeadAddress& at) {
  if (problem.stack.blocks.empty()) return problem.projections;
  const TransformerBlock& block = problem.stack.blocks[at.layer];
  return attends_across(problem, at) ? block.cross->projections : block.projections;
}

AttentionProblem layer_problem(const AttentionProblem& problem, const HeadAddress& at, Tensor x) {
  // Part by part: a copy of the whole would copy all blocks for each of them.
  AttentionProblem one;
  one.source = problem.source;
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
  one.most_kept_map_bytes = keeps_maps(problem, at) ? std::numeric_limits<std::uint64_t>::max() : 0;
  return one;
}

}  // namespace attn
