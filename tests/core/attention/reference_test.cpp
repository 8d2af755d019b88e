// Oracle against numbers computed by hand and published ones.
#include "support/oracle/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attn::test {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Tokens I, love, cats.
AttentionProblem three_tokens() {
  AttentionProblem problem;
  problem.shape = {1, 1, 1, 1, 3, 3, 2, 3, 0, 0};
  problem.q = Tensor({1, 1, 3, 2}, {1, 0, 0, 1, 1, 1});
  problem.k = Tensor({1, 1, 3, 2}, {1, 0, 0, 1, 0.5F, 0.5F});
  problem.v = Tensor({1, 1, 3, 3}, {1, 0, 0, 0, 2, 0, 0, 0, 4});
  return problem;
}

void expect_matrix(const reference::Matrix& got, const std::vector<double>& expected,
                   double tolerance) {
  ASSERT_EQ(got.values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(got.values[i], expected[i], tolerance) << i;
  }
}

TEST(Reference, GivesTheWeightsOfTheWorkedExample) {
  const AttentionProblem problem = three_tokens();
  expect_matrix(reference::compute(problem, Stage::Scores, {}), {1, 0, 0.5, 0, 1, 0.5, 1, 1, 1},
                1e-12);
  const reference::Matrix weights = reference::compute(problem, Stage::Weights, {});
  expect_matrix(weights, {0.4555, 0.2246, 0.3199, 0.2246, 0.4555, 0.3199, 0.3333, 0.3333, 0.3333},
                5e-5);
  expect_matrix(
      reference::compute(problem, Stage::Output, {}),
      {0.4555, 2 * 0.2246, 4 * 0.3199, 0.2246, 2 * 0.4555, 4 * 0.3199, 1.0 / 3, 2.0 / 3, 4.0 / 3},
      3e-4);
}

TEST(Reference, AppliesScaleThenSoftcapThenBiasThenHides) {
  AttentionProblem problem = three_tokens();
  problem.scoring.scale = 2.0F;
  problem.scoring.softcap = 3.0F;
  problem.mask.bias = Tensor({3}, {10.0F, 20.0F, 30.0F});
  problem.mask.causal = true;
  const double capped_2 = 3.0 * std::tanh(2.0 / 3.0);
  const reference::Matrix masked = reference::compute(problem, Stage::Masked, {});
  EXPECT_NEAR(masked.at(0, 0), capped_2 + 10.0, 1e-12);
  EXPECT_EQ(masked.at(0, 1), -kInfinite);
  EXPECT_NEAR(masked.at(2, 2), capped_2 + 30.0, 1e-12);
}

// Su et al. 2021: pairs rotated by i and j differ by the angle i - j.
TEST(Reference, RotaryScoresAreCosinesOfDistances) {
  AttentionProblem problem;
  problem.shape = {1, 1, 1, 1, 3, 3, 2, 2, 0, 0};
  problem.q = problem.k = problem.v = Tensor({1, 1, 3, 2}, {1, 0, 1, 0, 1, 0});
  problem.position.kind = PositionKind::Rope;
  problem.scoring.scale = 1.0F;
  problem.mask.causal_offset = {2};
  const reference::Matrix scores = reference::compute(problem, Stage::Scores, {});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double apart = static_cast<double>(i) + 2.0 - static_cast<double>(j);
      EXPECT_NEAR(scores.at(i, j), std::cos(apart), 1e-12);
    }
  }
}

TEST(Reference, ProjectsEachHeadFromItsOwnColumns) {
  AttentionProblem problem;
  problem.kind = &kLayerProblems;
  problem.shape = {1, 1, 2, 2, 1, 1, 1, 1, 2, 1};
  problem.query_embeddings = Tensor({1, 1, 2}, {3.0F, 5.0F});
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  problem.projections.w_q = Tensor({2, 2}, {1, 10, 100, 1000});
  problem.projections.w_k = problem.projections.w_q;
  problem.projections.w_v = problem.projections.w_q;
  problem.projections.b_q = Tensor({2}, {0.5F, 0.25F});
  problem.projections.w_o = Tensor({2, 1}, {2.0F, 1.0F});
  problem.projections.b_o = Tensor({1}, {7.0F});
  expect_matrix(reference::compute(problem, Stage::Query, {0, 0, 0}), {503.5}, 1e-12);
  expect_matrix(reference::compute(problem, Stage::Query, {0, 0, 1}), {5030.25}, 1e-12);
  expect_matrix(reference::compute(problem, Stage::Concat, {}), {503.0, 5030.0}, 1e-12);
  expect_matrix(reference::compute(problem, Stage::Projected, {}), {2 * 503.0 + 5030.0 + 7.0},
                1e-12);
}

TEST(Reference, GroupsOfQueryHeadsShareAKeyHead) {
  AttentionProblem problem;
  problem.shape = {1, 1, 4, 2, 1, 1, 1, 1, 0, 0};
  problem.q = Tensor({1, 4, 1, 1}, {1, 1, 1, 1});
  problem.k = Tensor({1, 2, 1, 1}, {3, 5});
  problem.v = Tensor({1, 2, 1, 1}, {30, 50});
  const double expected[] = {3, 3, 5, 5};
  for (std::size_t head = 0; head < 4; ++head) {
    EXPECT_EQ(reference::compute(problem, Stage::Scores, {0, 0, head}).at(0, 0), expected[head]);
    EXPECT_EQ(reference::compute(problem, Stage::Output, {0, 0, head}).at(0, 0),
              10 * expected[head]);
  }
}

TEST(ReferenceSoftmax, IsStableForHugeScores) {
  EXPECT_EQ(reference::softmax({1e300, 0.0}, {1, 1}), (std::vector<double>{1.0, 0.0}));
}

TEST(ReferenceSoftmax, GivesExactZerosWhereHiddenWhateverIsThere) {
  const std::vector<double> shares = reference::softmax({0.0, std::nan(""), 0.0}, {1, 0, 1});
  EXPECT_EQ(shares, (std::vector<double>{0.5, 0.0, 0.5}));
  EXPECT_EQ(reference::softmax({1.0, 2.0}, {0, 0}), (std::vector<double>{0.0, 0.0}));
}

TEST(ReferenceSoftmax, NonFiniteVisibleScoresMakeTheVisibleCellsNaN) {
  for (const double bad : {std::nan(""), kInfinite}) {
    const std::vector<double> shares = reference::softmax({0.0, bad, 0.0}, {1, 1, 0});
    EXPECT_TRUE(std::isnan(shares[0]) && std::isnan(shares[1]));
    EXPECT_EQ(shares[2], 0.0);
  }
  EXPECT_TRUE(std::isnan(reference::softmax({-kInfinite}, {1})[0]));
}

}  // namespace
}  // namespace attn::test
