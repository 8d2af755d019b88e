// Costs of layers against the paper's table.
#include "attention/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace attn {
namespace {

const LayerSize kSize{.n = 10.0, .d = 4.0, .heads = 2.0, .kernel = 3.0, .neighbours = 5.0};

const LayerKindInfo& layer(std::string_view name) {
  return *std::ranges::find(all_layer_kinds(), name, &LayerKindInfo::name);
}

void expect_cost(std::string_view name, const LayerSize& size, const LayerCost& expected) {
  const LayerCost cost = layer(name).cost(size);
  EXPECT_EQ(cost.operations, expected.operations) << name;
  EXPECT_EQ(cost.steps, expected.steps) << name;
  EXPECT_EQ(cost.path, expected.path) << name;
  EXPECT_EQ(cost.memory, expected.memory) << name;
}

// Table 1 of the paper by hand, with both products of attention: n = 10, d = 4, k = 3, r = 5, h
// = 2.
TEST(LayerCost, IsTheTableOfThePaper) {
  expect_cost("self_attention", kSize, {800.0, 1.0, 1.0, 240.0});
  expect_cost("restricted_attention", kSize, {400.0, 1.0, 2.0, 140.0});
  expect_cost("recurrence", kSize, {160.0, 10.0, 10.0, 40.0});
  expect_cost("convolution", kSize, {480.0, 1.0, 3.0, 40.0});
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
    EXPECT_EQ(layer("convolution").cost(size).path, layers) << n;
  }
}

TEST(LayerCost, NeighboursBeyondTheSequenceMakePlainAttention) {
  LayerSize size = kSize;
  size.neighbours = 99.0;
  expect_cost("restricted_attention", size, layer("self_attention").cost(size));
}

TEST(Crossing, IsWhereBothNeedAsManyOperations) {
  for (const LayerKindInfo& other : all_layer_kinds()) {
    if (other.crossing == nullptr) continue;
    LayerSize size = kSize;
    size.n = other.crossing(kSize);
    EXPECT_EQ(layer("self_attention").cost(size).operations, other.cost(size).operations);
    size.n += 1.0;
    EXPECT_GT(layer("self_attention").cost(size).operations, other.cost(size).operations);
  }
  EXPECT_EQ(layer("recurrence").crossing(kSize), 2.0);
  EXPECT_EQ(layer("convolution").crossing(kSize), 6.0);
  EXPECT_EQ(layer("restricted_attention").crossing, nullptr);
}

// q·k and weights·v, counted like the parts of a document.
TEST(LayerCost, IsWhatAttentionMultiplies) {
  const AttentionShape s{.heads = 2, .n_q = 14, .n_k = 14, .d_k = 2, .d_v = 2, .d_model = 4};
  AttentionProblem problem;
  problem.shape = s;
  EXPECT_EQ(layer("self_attention").cost(*cost_basis(problem, 3)).operations,
            static_cast<double>(scored_multiply_adds(ScoringFunction::ScaledDot, s)));
}

TEST(CostBasis, ReadsTheProblem) {
  AttentionProblem problem;
  problem.shape = {.heads = 4, .n_q = 6, .n_k = 9, .d_k = 8, .d_v = 8, .d_model = 48};
  EXPECT_EQ(cost_basis(problem, 5)->n, 9.0);
  EXPECT_EQ(cost_basis(problem, 5)->d, 48.0);
  EXPECT_EQ(cost_basis(problem, 5)->neighbours, 5.0);
  problem.shape.d_model = 0;
  EXPECT_EQ(cost_basis(problem, 5)->d, 32.0);
  problem.mask.window = Window{.left = 3, .right = 2};
  EXPECT_EQ(cost_basis(problem, 5)->neighbours, 6.0);
  EXPECT_TRUE(cost_basis(problem, 5)->has_window);
  problem.mask.causal = true;
  EXPECT_EQ(cost_basis(problem, 5)->neighbours, 4.0);
  problem.mask.window = Window{.left = 3, .right = {}};
  EXPECT_EQ(cost_basis(problem, 5)->neighbours, 4.0);
  problem.shape.d_k = 0;
  EXPECT_FALSE(cost_basis(problem, 5)) << "finished weights tell no width";
}

TEST(LayerKinds, HaveAFormulaWhereSelfAttentionOvertakesThem) {
  for (const LayerKindInfo& info : all_layer_kinds()) {
    EXPECT_FALSE(info.label.empty());
    EXPECT_EQ(info.crossing == nullptr, info.crossing_formula.empty()) << info.name;
  }
}

}  // namespace
}  // namespace attn
