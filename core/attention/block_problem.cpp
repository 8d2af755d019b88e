// How the attentions of a decoder differ.
#include "attention/problem.h"

namespace attn {
namespace {

const Position kNoPosition;

}  // namespace

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

}  // namespace attn
