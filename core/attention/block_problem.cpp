// Which attention of a decoder a problem is of.
#include "attention/problem.h"

namespace attn {
namespace {

const Position kNoPosition;

}  // namespace

std::span<const AttentionPartInfo> attentions_of(const AttentionProblem& problem) {
  return attentions_of(problem.stack);
}

bool is_decoder(const AttentionProblem& problem) { return is_decoder(problem.stack); }

AttentionShape shape_of(const AttentionProblem& problem, AttentionPart part) {
  const bool self = part == AttentionPart::Self && is_decoder(problem);
  return self ? self_shape(problem.shape) : problem.shape;
}

AttentionProblem attended(const AttentionProblem& problem, AttentionPart part) {
  AttentionProblem of_part = problem;
  if (!is_decoder(problem) || part == AttentionPart::Cross) return of_part;
  of_part.part = part;
  of_part.shape = shape_of(problem, part);
  of_part.mask = problem.self_mask;
  of_part.key_embeddings = of_part.value_embeddings = problem.query_embeddings;
  return of_part;
}

bool attends_across(const AttentionProblem& problem) {
  return is_decoder(problem) && problem.part == AttentionPart::Cross;
}

bool counts_positions(const AttentionProblem& problem) { return !attends_across(problem); }

const Position& position_of(const AttentionProblem& problem) {
  return counts_positions(problem) ? problem.position : kNoPosition;
}

std::int64_t first_position(const AttentionProblem& problem, std::size_t sample) {
  const Mask& mask = is_decoder(problem) ? problem.self_mask : problem.mask;
  return mask.offset_of(sample);
}

const Projections& projections_of(const AttentionProblem& problem, std::size_t layer) {
  if (problem.stack.blocks.empty()) return problem.projections;
  const TransformerBlock& block = problem.stack.blocks[layer];
  return attends_across(problem) ? block.cross->projections : block.projections;
}

}  // namespace attn
