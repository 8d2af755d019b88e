// Answers for all kinds of problems: widths, scale, positions, and the problem of one attention.
#include "attention/problem.h"

#include <utility>

namespace attn {
namespace {

const Position kNoPosition;

}  // namespace

float scale_of(const AttentionProblem& problem) {
  if (problem.scoring.scale) return *problem.scoring.scale;
  return static_cast<float>(usual_scale(problem.scoring.function, problem.shape.d_k));
}

bool has_scores(const AttentionProblem& problem) {
  return problem.source != AttentionProblem::Source::Weights;
}

bool makes_projections(const AttentionProblem& problem) {
  return has_scores(problem) && problem.source != AttentionProblem::Source::Qkv;
}

std::span<const AttentionPartInfo> attentions_of(const AttentionProblem& problem) {
  return attentions_of(problem.stack);
}

bool is_decoder(const AttentionProblem& problem) { return is_decoder(problem.stack); }

AttentionProblem attended(const AttentionProblem& problem, AttentionPart part) {
  AttentionProblem of_part = problem;
  if (!is_decoder(problem) || part == AttentionPart::Cross) return of_part;
  of_part.part = part;
  of_part.shape = self_shape(problem.shape);
  of_part.mask = problem.self_mask;
  of_part.key_embeddings = of_part.value_embeddings = problem.query_embeddings;
  return of_part;
}

bool attends_across(const AttentionProblem& problem) {
  return is_decoder(problem) && problem.part == AttentionPart::Cross;
}

const Position& position_of(const AttentionProblem& problem) {
  return attends_across(problem) ? kNoPosition : problem.position;
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

AttentionProblem layer_problem(const AttentionProblem& problem, std::size_t layer, Tensor x) {
  // Part by part: a copy of the whole would copy all blocks for each of them.
  AttentionProblem one;
  one.source = problem.source;
  one.shape = problem.shape;
  one.shape.layers = 1;
  one.shape.d_ff = 0;
  one.scoring = problem.scoring;
  one.mask = problem.mask;
  one.position = position_of(problem);
  one.projections = projections_of(problem, layer);
  one.key_embeddings = one.value_embeddings = attends_across(problem) ? problem.key_embeddings : x;
  one.query_embeddings = std::move(x);
  if (is_added(one.position)) one.position = {};
  return one;
}

}  // namespace attn
