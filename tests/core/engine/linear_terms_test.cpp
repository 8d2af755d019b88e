// Summands of linear maps against the computed stages.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "engine/terms.h"
#include "problems.h"

namespace attn::test {
namespace {

constexpr Stage kLinear[] = {Stage::Query,  Stage::Key,  Stage::Value,      Stage::Projected,
                             Stage::Hidden, Stage::Gate, Stage::FeedForward};

double total_of(const LinearTerms& terms) {
  double sum = terms.bias;
  for (const ScoreTerm& term : terms.terms) sum += term.product();
  return sum;
}

double magnitude_of(const LinearTerms& terms) {
  double sum = std::abs(terms.bias);
  for (const ScoreTerm& term : terms.terms) sum += std::abs(term.product());
  return sum;
}

// Compares every cell of every linear stage; counts the stages that had summands.
void expect_sums(const AttentionResult& result, std::size_t attention, std::map<Stage, int>& seen,
                 std::uint64_t seed) {
  for (const Stage stage : kLinear) {
    for (const HeadAddress& head : heads_of(result.shape(), attention)) {
      if (!result.has(stage, head)) continue;
      const StageShape extent = result.stage_shape(stage, head);
      for (std::size_t row = 0; row < extent.rows; ++row) {
        for (std::size_t col = 0; col < extent.cols; ++col) {
          const LinearTerms terms = linear_terms(result, stage, head, row, col);
          if (terms.terms.empty()) continue;
          ++seen[stage];
          const auto value = static_cast<double>(result.value(stage, head, row, col));
          ASSERT_NEAR(total_of(terms), value, 1e-5 * (1e-3 + magnitude_of(terms)))
              << stage_info(stage).name << ", seed " << seed << ", row " << row << ", column "
              << col;
        }
      }
    }
  }
}

TEST(LinearTerms, AddUpToEveryNumberOfALinearStage) {
  std::map<Stage, int> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const auto make : {random_problem, stack_problem, decoder_problem, recurrent_problem}) {
      const AttentionProblem problem = gated(make(seed), seed);
      const ResultPtr result = computed(problem);
      for (const AttentionInfo& info : attentions_of(problem)) {
        expect_sums(*result, info.attention, seen, seed);
      }
    }
  }
  for (const Stage stage : kLinear) EXPECT_GT(seen[stage], 0) << stage_info(stage).name;
}

TEST(LinearTerms, AreNoneWhereNumbersWereGivenOrNothingIsLinear) {
  const ResultPtr result = computed(qkv_problem(1, 1, 2, 2, 2, 2));
  EXPECT_TRUE(linear_terms(*result, Stage::Query, {}, 0, 0).terms.empty());
  EXPECT_TRUE(linear_terms(*result, Stage::Weights, {}, 0, 0).terms.empty());
  EXPECT_TRUE(linear_terms(*result, Stage::Output, {}, 0, 0).terms.empty());
}

}  // namespace
}  // namespace attn::test
