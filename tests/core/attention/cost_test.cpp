// The costs of layers against the table of the paper.
#include "attention/cost.h"

#include <gtest/gtest.h>

#include <cmath>

namespace attn {
namespace {

const LayerSize kSize{.n = 10.0, .d = 4.0, .heads = 2.0, .kernel = 3.0, .neighbours = 5.0};

void expect_cost(LayerKind kind, const LayerSize& size, const LayerCost& expected) {
  const LayerCost cost = layer_cost(kind, size);
  EXPECT_EQ(cost.operations, expected.operations) << layer_info(kind).name;
  EXPECT_EQ(cost.steps, expected.steps) << layer_info(kind).name;
  EXPECT_EQ(cost.path, expected.path) << layer_info(kind).name;
  EXPECT_EQ(cost.memory, expected.memory) << layer_info(kind).name;
}

// Table 1 of the paper by hand: n = 10, d = 4, k = 3, r = 5, h = 2.
TEST(LayerCost, IsTheTableOfThePaper) {
  expect_cost(LayerKind::SelfAttention, kSize, {400.0, 1.0, 1.0, 240.0});
  expect_cost(LayerKind::RestrictedAttention, kSize, {200.0, 1.0, 2.0, 140.0});
  expect_cost(LayerKind::Recurrence, kSize, {160.0, 10.0, 10.0, 40.0});
  expect_cost(LayerKind::Convolution, kSize, {480.0, 1.0, 3.0, 40.0});
}

TEST(LayerCost, ConvolutionsReachAsFarAsPowersOfTheirWidth) {
  for (const auto& [n, layers] : {std::pair(1.0, 1.0),
                                  {3.0, 1.0},
                                  {4.0, 2.0},
                                  {9.0, 2.0},
                                  {10.0, 3.0},
                                  {27.0, 3.0},
                                  {243.0, 5.0},
                                  {244.0, 6.0}}) {
    LayerSize size = kSize;
    size.n = n;
    EXPECT_EQ(layer_cost(LayerKind::Convolution, size).path, layers) << n;
  }
}

TEST(LayerCost, NeighboursBeyondTheSequenceMakePlainAttention) {
  LayerSize size = kSize;
  size.neighbours = 99.0;
  expect_cost(LayerKind::RestrictedAttention, size, layer_cost(LayerKind::SelfAttention, size));
}

TEST(Crossing, IsWhereBothNeedAsManyOperations) {
  for (const LayerKind other : {LayerKind::Recurrence, LayerKind::Convolution}) {
    LayerSize size = kSize;
    size.n = crossing_with(other, kSize);
    EXPECT_EQ(layer_cost(LayerKind::SelfAttention, size).operations,
              layer_cost(other, size).operations);
    size.n += 1.0;
    EXPECT_GT(layer_cost(LayerKind::SelfAttention, size).operations,
              layer_cost(other, size).operations);
  }
  EXPECT_EQ(crossing_with(LayerKind::Recurrence, kSize), 4.0);
  EXPECT_EQ(crossing_with(LayerKind::Convolution, kSize), 12.0);
  EXPECT_EQ(crossing_with(LayerKind::RestrictedAttention, kSize), 0.0);
}

TEST(CostBasis, ReadsTheProblem) {
  AttentionProblem problem;
  problem.shape = {.heads = 4, .n_q = 6, .n_k = 9, .d_k = 8, .d_v = 8, .d_model = 48};
  EXPECT_EQ(cost_basis(problem, 5).size.n, 9.0);
  EXPECT_EQ(cost_basis(problem, 5).size.d, 48.0);
  EXPECT_EQ(cost_basis(problem, 5).size.neighbours, 5.0);
  problem.shape.d_model = 0;
  EXPECT_EQ(cost_basis(problem, 5).size.d, 32.0);
  problem.mask.window = Window{.left = 3, .right = 2};
  EXPECT_EQ(cost_basis(problem, 5).size.neighbours, 6.0);
  EXPECT_TRUE(cost_basis(problem, 5).has_window);
  problem.mask.causal = true;
  EXPECT_EQ(cost_basis(problem, 5).size.neighbours, 4.0);
  problem.mask.window = Window{.left = 3, .right = {}};
  EXPECT_EQ(cost_basis(problem, 5).size.neighbours, 4.0);
  problem.shape.d_k = 0;
  EXPECT_TRUE(cost_basis(problem, 5).width_assumed);
  EXPECT_EQ(cost_basis(problem, 5).size.d, 512.0);
}

TEST(HeadParameters, ManyHeadsCostNoMoreThanOneAsWide) {
  const HeadParameters p = head_parameters(512.0, 8.0, 64.0);
  EXPECT_EQ(p.many, 4.0 * 512.0 * 512.0);
  EXPECT_EQ(p.one_wide, p.many);
  EXPECT_EQ(p.one, p.many / 8.0);
}

TEST(LayerKinds, AreListedInOrder) {
  for (const LayerKindInfo& info : all_layer_kinds()) {
    EXPECT_EQ(&layer_info(info.kind), &info);
    EXPECT_FALSE(info.label.empty());
  }
}

}  // namespace
}  // namespace attn
