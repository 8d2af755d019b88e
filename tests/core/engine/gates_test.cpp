// Gates of heads: against zeroed rows of W_O, and what they share with the result before.
#include <gtest/gtest.h>

#include "engine/layers_result.h"
#include "engine/matrix/comparison.h"
#include "engine/matrix/matrix.h"
#include "random_gates.h"

namespace attn::test {
namespace {

// The problem with zeros in the head's rows of W_O.
AttentionProblem without_rows(AttentionProblem problem, const HeadAddress& at) {
  TransformerBlock* block =
      problem.stack.blocks.empty() ? nullptr : &problem.stack.blocks[at.layer];
  Projections& by = block == nullptr              ? problem.projections
                    : attends_across(problem, at) ? block->cross->projections
                                                  : block->projections;
  const std::size_t rows = problem.shape.d_v, cols = by.w_o.extent(1);
  std::vector<float> values(by.w_o.values().begin(), by.w_o.values().end());
  std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(at.head * rows * cols), rows * cols,
              0.0F);
  by.w_o = Tensor(by.w_o.shape(), std::move(values));
  return problem;
}

void expect_as_without_rows(AttentionProblem problem, const HeadAddress& at) {
  const ResultPtr zeroed = computed(without_rows(problem, at));
  set_gate(problem.what_if, at, 0.0F);
  const ResultPtr gated = computed(problem);
  for (const AttentionInfo& info : attentions_of(problem)) {
    for (const HeadAddress& head : heads_of(problem.shape, info.attention)) {
      for (const Stage stage : gated->stages(head)) {
        ASSERT_TRUE(same_bits(cells(*gated, stage, head), cells(*zeroed, stage, head)))
            << stage_info(stage).name << ", layer " << head.layer;
      }
    }
  }
}

TEST(Gates, OfNothingAreZerosInTheOutputProjectionToTheBit) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 30 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const auto make : {random_problem, stack_problem, decoder_problem}) {
      const AttentionProblem problem = make(seed);
      for (const AttentionInfo& info : attentions_of(problem)) {
        const HeadAddress at = info.at().moved_to(0, 0, problem.shape.heads - 1);
        if (!linear_stage(problem, Stage::Projected, at)) continue;
        ++tried;
        expect_as_without_rows(problem, at);
      }
    }
  }
  EXPECT_GT(tried, 60);
}

TEST(Gates, LeaveAllStagesInFrontOfTheProjectionInOneMemory) {
  AttentionProblem problem = stack_problem(0);
  ComputeOptions options;
  options.before = computed(problem);
  set_gate(problem.what_if, {}, 0.5F);
  const ResultPtr edited = *compute(problem, options);
  const auto weights_in = [](const ResultPtr& result) {
    return dynamic_cast<const LayersResult&>(*result).layers().front()->matrix(Stage::Weights, {});
  };
  EXPECT_EQ(weights_in(edited).data, weights_in(options.before).data);
}

TEST(Gates, AreKeptInOrderWithoutThoseOfOne) {
  Interventions what_if;
  set_gate(what_if, {2, 0, 1}, 0.0F);
  set_gate(what_if, {0, 0, 3}, 2.0F);
  set_gate(what_if, {2, 5, 1}, 0.5F);
  ASSERT_EQ(what_if.gates.size(), 2U);
  EXPECT_EQ(what_if.gates.front().at, (HeadAddress{0, 0, 3}));
  EXPECT_EQ(gate_of(what_if, {2, 9, 1}), 0.5F);
  EXPECT_EQ(gates_of(what_if, {2, 0, 0}, 3), (std::vector{1.0F, 0.5F, 1.0F}));
  EXPECT_TRUE(gates_of(what_if, {1, 0, 0}, 3).empty());
  set_gate(what_if, {2, 0, 1}, 1.0F);
  set_gate(what_if, {0, 0, 3}, 1.0F);
  EXPECT_EQ(what_if, Interventions{});
}

// A row that moves all of its weight has a variation of 1.
TEST(Gates, ChangeIsTheMeanVariationOfRows) {
  const auto weights = [](std::vector<float> values) {
    return stage_matrix(computed(weights_problem({1, 1, 1, 2, 2}, std::move(values))),
                        {Stage::Weights, {}});
  };
  const MatrixPtr a = weights({1.0F, 0.0F, 0.5F, 0.5F}), b = weights({0.0F, 1.0F, 0.75F, 0.25F});
  EXPECT_DOUBLE_EQ(mean_variation(*a, *b), (1.0 + 0.25) / 2.0);
  EXPECT_EQ(mean_variation(*a, *a), 0.0);
}

}  // namespace
}  // namespace attn::test
