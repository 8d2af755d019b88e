// Tables of scoring functions and normalisers, and shapes of their matrices.
#include "attention/scoring.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/oracle/reference.h"

namespace attn::test {
namespace {

// One query (1, 2), keys (3, 4) and (0, 1).
AttentionProblem small_problem(ScoringFunction function) {
  AttentionProblem problem;
  problem.shape = {1, 1, 1, 1, 1, 2, 2, 1, 0, 0};
  problem.q = Tensor({1, 1, 1, 2}, {1, 2});
  problem.k = Tensor({1, 1, 2, 2}, {3, 4, 0, 1});
  problem.v = Tensor({1, 1, 2, 1}, {10, 20});
  problem.scoring.function = function;
  return problem;
}

void expect_scores(const AttentionProblem& problem, double first, double second) {
  const reference::Matrix scores = reference::compute(problem, Stage::Scores, {});
  EXPECT_NEAR(scores.at(0, 0), first, 1e-12);
  EXPECT_NEAR(scores.at(0, 1), second, 1e-12);
}

TEST(ScoringFunctions, AreListedInOrderWithWords) {
  std::size_t number = 0;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    EXPECT_EQ(static_cast<std::size_t>(info.function), number++);
    EXPECT_EQ(&scoring_info(info.function), &info);
    EXPECT_FALSE(info.name.empty() || info.label.empty() || info.formula.empty() ||
                 info.sentence.empty());
  }
  number = 0;
  for (const NormaliserInfo& info : all_normalisers()) {
    EXPECT_EQ(static_cast<std::size_t>(info.normaliser), number++);
    EXPECT_FALSE(info.name.empty() || info.formula.empty() || info.sentence.empty());
  }
}

TEST(ScoringFunctions, WithAMatrixBetweenThemTakeQueriesAndKeysOfAnyWidths) {
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    EXPECT_EQ(info.needs_equal_widths, info.matrices.empty()) << info.name;
  }
}

TEST(ScoringFunctions, OnlyScaledDotIsScaledByDefault) {
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    AttentionProblem problem = small_problem(info.function);
    problem.shape.d_k = 4;
    EXPECT_EQ(scale_of(problem), info.function == ScoringFunction::ScaledDot ? 0.5F : 1.0F);
    problem.scoring.scale = 3.0F;
    EXPECT_EQ(scale_of(problem), 3.0F);
  }
}

TEST(ScoringFunctions, FollowTheirFormulas) {
  expect_scores(small_problem(ScoringFunction::Dot), 11, 2);
  AttentionProblem general = small_problem(ScoringFunction::General);
  general.scoring.w = Tensor({2, 2}, {0, 1, 10, 0});  // q·W = (20, 1)
  expect_scores(general, 64, 1);
  AttentionProblem location = small_problem(ScoringFunction::Location);
  location.scoring.w = Tensor({3, 2}, {1, 0, 0, 1, 9, 9});  // the last row is unused
  expect_scores(location, 1, 2);
  AttentionProblem concat = small_problem(ScoringFunction::Concat);
  concat.scoring.w = Tensor({1, 4}, {0.1F, 0, 0, 0.25F});
  concat.scoring.v = Tensor({1}, {2});
  const double tenth = static_cast<double>(0.1F);
  expect_scores(concat, 2 * std::tanh(tenth + 1.0), 2 * std::tanh(tenth + 0.25));
  AttentionProblem additive = small_problem(ScoringFunction::Additive);
  additive.scoring.w_query = Tensor({1, 2}, {0.5F, 0});
  additive.scoring.w_key = Tensor({1, 2}, {0, 0.25F});
  additive.scoring.v = Tensor({1}, {2});
  expect_scores(additive, 2 * std::tanh(1.5), 2 * std::tanh(0.75));
  additive.scoring.b = Tensor({1}, {-0.5F});
  expect_scores(additive, 2 * std::tanh(1.0), 2 * std::tanh(0.25));
}

TEST(ScoringMatrices, HaveShapesThatFollowFromTheWidths) {
  const AttentionShape widths{.n_k = 7, .d_k = 5, .d_q = 3, .d_a = 11};
  using enum ScoringFunction;
  EXPECT_EQ(scoring_matrix_shape(General, &Scoring::w, widths), (Shape{3, 5}));
  EXPECT_EQ(scoring_matrix_shape(Concat, &Scoring::w, widths), (Shape{11, 8}));
  EXPECT_EQ(scoring_matrix_shape(Concat, &Scoring::v, widths), (Shape{11}));
  EXPECT_EQ(scoring_matrix_shape(Additive, &Scoring::w_query, widths), (Shape{11, 3}));
  EXPECT_EQ(scoring_matrix_shape(Additive, &Scoring::w_key, widths), (Shape{11, 5}));
  EXPECT_EQ(scoring_matrix_shape(Location, &Scoring::w, widths), (Shape{7, 3}));
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    EXPECT_TRUE(scoring_matrix_shape(ScaledDot, info.tensor, widths).empty());
    EXPECT_TRUE(scoring_matrix_shape(Dot, info.tensor, widths).empty());
  }
}

TEST(ScoringMatrices, MayDifferPerHead) {
  const Tensor shared({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(scoring_matrix(shared, 2, 5).at(1, 0), 3.0F);
  const Tensor own({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(scoring_matrix(own, 2, 1).at(1, 0), 7.0F);
  EXPECT_EQ(scoring_matrix(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}), 1, 1).at(0, 2), 6.0F);
  EXPECT_EQ(scoring_matrix(Tensor({3}, {1, 2, 3}), 1, 1).at(0, 2), 3.0F);
}

TEST(Normalisers, DivideByTheTemperatureFirst) {
  Scoring scoring;
  scoring.temperature = 0.5F;
  const std::vector<double> shares = reference::normalised(scoring, 0, {0, 1}, {1, 1});
  EXPECT_NEAR(shares[1], 1 / (1 + std::exp(-2.0)), 1e-12);
}

TEST(Normalisers, ASinkTakesItsShareAndLeadsNowhere) {
  Scoring scoring;
  scoring.sinks = {0.0F};
  const std::vector<double> shares = reference::normalised(scoring, 0, {0, 0, 9}, {1, 1, 0});
  EXPECT_NEAR(shares[0], 1.0 / 3, 1e-12);
  EXPECT_EQ(shares[2], 0.0);
  scoring.sinks = {0.0F, 100.0F};
  EXPECT_LT(reference::normalised(scoring, 1, {0}, {1})[0], 1e-40);
}

TEST(Normalisers, SigmoidJudgesEachCellForItself) {
  Scoring scoring;
  scoring.normaliser = Normaliser::Sigmoid;
  const std::vector<double> shares = reference::normalised(scoring, 0, {0, 100, 0}, {1, 1, 0});
  EXPECT_EQ(shares, (std::vector<double>{0.5, 1.0, 0.0}));
}

// Worked example of Martins and Astudillo: (1, 0.5) gives (0.75, 0.25); gaps above 1 give 1 and 0.
TEST(Normalisers, SparsemaxGivesExactZeros) {
  Scoring scoring;
  scoring.normaliser = Normaliser::Sparsemax;
  std::vector<double> shares = reference::normalised(scoring, 0, {1, 0.5, 5}, {1, 1, 0});
  EXPECT_NEAR(shares[0], 0.75, 1e-12);
  EXPECT_NEAR(shares[1], 0.25, 1e-12);
  EXPECT_EQ(shares[2], 0.0);
  shares = reference::normalised(scoring, 0, {1e30, 0, -5}, {1, 1, 1});
  EXPECT_EQ(shares, (std::vector<double>{1, 0, 0}));
}

}  // namespace
}  // namespace attn::test
