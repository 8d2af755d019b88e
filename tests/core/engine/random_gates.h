// Random gates for problems of tests.
#pragma once

#include "problems.h"

namespace attn::test {

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

// The problem with some gates.
inline AttentionProblem gated(AttentionProblem problem, std::uint64_t seed) {
  Random random(mix(seed, 46));
  for (int i = 0; i < 4; ++i) change_gate(problem, random);
  return problem;
}

}  // namespace attn::test
