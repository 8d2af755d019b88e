// Summands of a score against the score.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/kernels/score.h"
#include "engine/terms.h"
#include "problems.h"
#include "support/oracle/reference.h"

namespace attn::test {
namespace {

double sum_of(const std::vector<ScoreTerm>& terms) {
  double sum = 0.0;
  for (const ScoreTerm& term : terms) sum += term.product();
  return sum;
}

TEST(ScoreTerms, AddUpToTheScoreForRandomProblems) {
  std::set<ScoringFunction> functions;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const AttentionProblem problem = random_problem(seed);
    if (!has_scores(problem)) continue;
    const ResultPtr result = computed(problem);
    functions.insert(problem.scoring.function);
    for (const HeadAddress& head : heads_of(problem.shape)) {
      const reference::Matrix scores = reference::compute(problem, Stage::Scores, head);
      double largest = 0.0;
      for (const double score : scores.values) largest = std::max(largest, std::abs(score));
      for (std::size_t i = 0; i < scores.values.size(); ++i) {
        const std::size_t q = i / scores.cols, k = i % scores.cols;
        const double sum = sum_of(score_terms(*result, head, q, k));
        const auto score = static_cast<double>(result->value(Stage::Scores, head, q, k));
        const double rounding = 1e-6 * (1.0 + largest) + 2e-5 * std::abs(score);
        ASSERT_NEAR(sum, score, rounding) << "seed " << seed << ", cell " << i;
        ASSERT_NEAR(sum, scores.values[i], rounding) << "seed " << seed << ", cell " << i;
      }
    }
  }
  EXPECT_EQ(functions.size(), all_scoring_functions().size()) << "every function was drawn";
}

TEST(ScoreTerms, AreOfProductsWhereTheKernelMultiplies) {
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    EXPECT_EQ(info.plain, scores_are_products(info.function)) << info.name;
  }
}

TEST(ScoreTerms, AreTheProductsWrittenOutByHand) {
  AttentionProblem problem = qkv_problem(1, 1, 1, 1, 2, 1);
  problem.q = Tensor({1, 1, 1, 2}, {2, 3});
  problem.k = Tensor({1, 1, 1, 2}, {5, -1});
  const auto terms = [&] { return score_terms(*computed(problem), {}, 0, 0); };
  ASSERT_EQ(terms().size(), 2U);
  EXPECT_EQ(terms()[0].product(), 10.0);
  EXPECT_EQ(terms()[1].product(), -3.0);

  problem.scoring.function = ScoringFunction::General;
  problem.scoring.w = Tensor({2, 2}, {1, 2, 0, 1});
  EXPECT_EQ(terms()[0].left, 2.0);  // q W = (2, 7)
  EXPECT_EQ(terms()[1].product(), -7.0);

  problem.scoring.function = ScoringFunction::Location;
  EXPECT_EQ(terms()[1].product(), 6.0) << "row 0 of W is (1, 2)";

  problem.scoring.function = ScoringFunction::Concat;
  problem.scoring.w = Tensor({1, 4}, {0.1F, 0, 0, 0.3F});
  problem.scoring.v = Tensor({1}, {4});
  problem.shape.d_a = 1;
  ASSERT_EQ(terms().size(), 1U);
  EXPECT_NEAR(terms()[0].product(), 4.0 * std::tanh(0.2 - 0.3), 1e-7);
}

TEST(ScoreTerms, ReadQueriesAndKeysAsTheyAreTurned) {
  AttentionProblem problem = qkv_problem(1, 1, 3, 3, 4, 7);
  problem.position.kind = PositionKind::Rope;
  const ResultPtr result = computed(problem);
  EXPECT_NEAR(sum_of(score_terms(*result, {}, 2, 1)),
              static_cast<double>(result->value(Stage::Scores, {}, 2, 1)), 1e-5);
}

TEST(ScoreTerms, GivenWeightsHaveNone) {
  EXPECT_TRUE(score_terms(*computed(weights_problem({1, 1, 1, 1, 1}, {1})), {}, 0, 0).empty());
}

}  // namespace
}  // namespace attn::test
