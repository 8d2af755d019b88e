// Problems for tests: random from a seed, or written by hand.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "attention/problem.h"
#include "base/random.h"
#include "base/special_numbers.h"
#include "engine/compute.h"

namespace attn::test {

// Normal numbers.
Tensor random_tensor(const Shape& shape, Random& random);

// Uniform in [low, high].
std::size_t uniform(Random& random, std::size_t low, std::size_t high);

// Q, K, V of the given extents, no mask. kv_heads 0: equal to heads.
AttentionProblem qkv_problem(std::size_t samples, std::size_t heads, std::size_t n_q,
                             std::size_t n_k, std::size_t d, std::uint64_t seed,
                             std::size_t kv_heads = 0);

// A problem of any shape, source, scoring and mask.
AttentionProblem random_problem(std::uint64_t seed);

// Given queries, keys and, mostly, values of two or three layers, with any scoring and mask.
AttentionProblem layers_problem(std::uint64_t seed);

// Up to three blocks of any kind.
AttentionProblem stack_problem(std::uint64_t seed);

// These blocks as a decoder, with keys of another number and width, and a mask per attention.
AttentionProblem decoder_problem(std::uint64_t seed);

// A recurrent encoder–decoder of any kind, small enough for differences as derivatives.
AttentionProblem recurrent_problem(std::uint64_t seed);

// Large enough that products are summed in float, with any mask and normaliser.
AttentionProblem float_problem(std::uint64_t seed);

// random_problem with huge, subnormal, infinite and NaN cells.
AttentionProblem extreme_problem(std::uint64_t seed);

// stack_problem or decoder_problem with such cells in embeddings and blocks, and padding.
AttentionProblem extreme_stack_problem(std::uint64_t seed);
AttentionProblem extreme_decoder_problem(std::uint64_t seed);

// Given weights (layers, samples, heads, n_q, n_k).
AttentionProblem weights_problem(const Shape& shape, std::vector<float> values);
// Given weights across with those of the decoder, the encoder or both.
AttentionProblem several_weights_problem(std::uint64_t seed);

// Result of a problem; computing must succeed.
ResultPtr computed(const AttentionProblem& problem, unsigned threads = 1);

// All cells of one matrix, row-major.
std::vector<float> cells(const AttentionResult& result, Stage stage, const HeadAddress& head);

// All heads of a result, by layer and sample.
std::vector<HeadAddress> heads_of(const AttentionShape& shape,
                                  std::size_t attention = kLastAttention);

// Equal bits; a NaN equals any NaN.
bool same_bits(const std::vector<float>& a, const std::vector<float>& b);

// Weights of a row of logits; a finite `sink` is a further logit.
void softmax_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                 std::span<float> weights, float sink = kNaN);

// Sets the gate of a random head, if an output projection joins the heads.
inline void change_gate(AttentionProblem& problem, Random& random) {
  const std::span<const AttentionInfo> attentions = attentions_of(problem);
  const HeadAddress any = attentions[uniform(random, 0, attentions.size() - 1)].at();
  const HeadAddress at = any.moved_to(uniform(random, 0, problem.shape.layers - 1), 0,
                                      uniform(random, 0, problem.shape.heads - 1));
  if (!linear_stage(problem, Stage::Projected, at)) return;
  constexpr float kFactors[] = {0.0F, 0.3F, 1.0F, 2.0F};
  set_gate(problem.what_if, at, kFactors[uniform(random, 0, 3)]);
}

// Gives a random head other weights, or its own back, if heads can have them.
inline void change_pattern(AttentionProblem& problem, Random& random) {
  if (!why_no_patterns(problem).empty()) return;
  const std::span<const AttentionInfo> attentions = attentions_of(problem);
  const HeadAddress any = attentions[uniform(random, 0, attentions.size() - 1)].at();
  const AttentionShape s = shape_of(problem, any);
  const HeadAddress at =
      any.moved_to(uniform(random, 0, s.layers - 1), uniform(random, 0, s.samples - 1),
                   uniform(random, 0, s.heads - 1));
  std::vector<float> weights;
  for (std::size_t i = 0; i < s.n_q * s.n_k; ++i) weights.push_back(random.uniform());
  const bool is_given = uniform(random, 0, 3) > 0;
  set_pattern(problem.what_if, at,
              is_given ? Tensor({s.n_q, s.n_k}, std::move(weights)) : Tensor());
}

// Replaces the outputs of a random head, if an output projection joins the heads.
inline void change_output(AttentionProblem& problem, Random& random) {
  const HeadAddress any = attentions_of(problem).front().at();
  const AttentionShape s = shape_of(problem, any);
  const HeadAddress at =
      any.moved_to(uniform(random, 0, s.layers - 1), uniform(random, 0, s.samples - 1),
                   uniform(random, 0, s.heads - 1));
  if (!linear_stage(problem, Stage::Projected, at)) return;
  problem.what_if.outputs.push_back({at, random_tensor({s.n_q, s.d_v}, random)});
}

// Cuts or restores a random edge, if the model has such.
inline void change_edge(AttentionProblem& problem, Random& random) {
  const AttentionShape& s = problem.shape;
  if (!why_no_edges(problem).empty() || s.layers < 2) return;
  const std::size_t later = uniform(random, 1, s.layers - 1);
  const std::size_t inputs = s.kv_heads == s.heads ? 2 : 0;
  constexpr Stage kInputs[] = {Stage::Query, Stage::Key, Stage::Value};
  const CutEdge edge{
      {.layer = later, .head = uniform(random, 0, s.heads - 1)},
      kInputs[uniform(random, 0, inputs)],
      {.layer = uniform(random, 0, later - 1), .head = uniform(random, 0, s.heads - 1)}};
  set_edge(problem.what_if, edge, uniform(random, 0, 3) > 0);
}

// The problem with some gates.
inline AttentionProblem gated(AttentionProblem problem, std::uint64_t seed) {
  Random random(mix(seed, 46));
  for (int i = 0; i < 4; ++i) change_gate(problem, random);
  return problem;
}

// The problem with some gates, patterns, cut edges and replaced outputs.
inline AttentionProblem with_what_if(AttentionProblem problem, std::uint64_t seed) {
  problem = gated(std::move(problem), seed);
  Random random(mix(seed, 47));
  for (int i = 0; i < 3; ++i) change_pattern(problem, random);
  for (int i = 0; i < 4; ++i) change_edge(problem, random);
  change_output(problem, random);
  return problem;
}

}  // namespace attn::test
