// A − B, cell by cell, against both matrices read by single cells.
#include "engine/matrix/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/special_numbers.h"
#include "engine/matrix/comparison.h"
#include "support/fake_result.h"
#include "tests/core/engine/problems.h"

namespace attn {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using DifferencePtr = std::shared_ptr<const Difference>;

// Two heads of three queries and three keys; their numbers are `cell(head, row, col)`.
template <class Cell>
ResultPtr weights_of(Cell cell, Mask mask = {}, std::size_t n_k = 3) {
  AttentionProblem problem;
  problem.shape.heads = problem.shape.kv_heads = 2;
  problem.shape.n_q = 3;
  problem.shape.n_k = n_k;
  problem.mask = std::move(mask);
  auto result = std::make_shared<test::FakeResult>(problem);
  result->with(Stage::Weights, [&](const HeadAddress& at, std::size_t row, std::size_t col) {
    return static_cast<float>(cell(at.head, row, col));
  });
  return result;
}

MatrixPtr head(const ResultPtr& result, std::size_t index) {
  return stage_matrix(result, {Stage::Weights, {0, 0, index}});
}

DifferencePtr minus(const MatrixPtr& a, const MatrixPtr& b, std::size_t most_changes = 20) {
  MatrixId id = a->id();
  id.making = made::Minus{std::make_shared<const MatrixId>(b->id())};
  return std::dynamic_pointer_cast<const Difference>(*Difference::compared(a, b, id, most_changes));
}

TEST(Difference, IsWhatBothMatricesSayOfEveryStageOfRandomProblems) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ResultPtr result = test::computed(test::random_problem(seed));
    const AttentionShape& s = result->shape();
    for (const Stage stage : result->stages()) {
      const MatrixPtr a = stage_matrix(result, {stage, {}});
      const MatrixPtr b = stage_matrix(result, {stage, {s.layers - 1, s.samples - 1, s.heads - 1}});
      const DifferencePtr made = minus(a, b);
      const StageShape shape = made->extents();
      for (std::size_t row = 0; row < shape.rows; ++row) {
        for (std::size_t col = 0; col < shape.cols; ++col) {
          const float after = a->value(row, col), before = b->value(row, col);
          const float by = made->value(row, col);
          if (after == before) {
            EXPECT_EQ(by, 0.0F);
          } else if (std::isfinite(after - before)) {
            EXPECT_EQ(by, after - before) << seed;
            EXPECT_LE(made->summary()->low, made->hidden(row, col) == kVisible ? by : 0.0F);
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 1000U);
}

TEST(Difference, ListsTheLargestChangesOfEitherSignInOrder) {
  const ResultPtr result = weights_of([](std::size_t h, std::size_t row, std::size_t col) {
    const double first[3][3] = {{0, 0.5, 0.5}, {0.25, 0.25, 0.5}, {1, 0, 0}};
    return h == 0 ? first[row][col] : (row == 2 ? (col == 1 ? 1.0 : 0.0) : first[row][2 - col]);
  });
  const DifferencePtr made = minus(head(result, 1), head(result, 0), 3);
  ASSERT_EQ(made->largest().size(), 3U);
  EXPECT_EQ(made->largest()[0].row, 2U);
  EXPECT_EQ(made->largest()[0].col, 0U);
  EXPECT_EQ(made->largest()[0].by, -1.0F);
  EXPECT_EQ(made->largest()[1].col, 1U);
  EXPECT_EQ(made->largest()[1].by, 1.0F);
  EXPECT_EQ(made->largest()[2].row, 0U);
  EXPECT_EQ(made->largest()[2].col, 0U);
  EXPECT_EQ(made->largest()[2].before, 0.0F);
  EXPECT_EQ(made->largest()[2].after, 0.5F);
  EXPECT_EQ(made->changed_count(), 6U);
  EXPECT_EQ(made->cell_count(), 9U);
  EXPECT_EQ(made->summary()->low, -1.0F);
  EXPECT_EQ(made->summary()->high, 1.0F);
}

TEST(Difference, EqualMatricesHaveNoneNotEvenOfInfinitiesAndNan) {
  const ResultPtr result = weights_of([](std::size_t, std::size_t row, std::size_t col) {
    return row == 0 ? kNan : row == 1 ? -kInfinity : 0.1F * static_cast<float>(col);
  });
  const DifferencePtr made = minus(head(result, 0), head(result, 1));
  EXPECT_EQ(made->changed_count(), 0U);
  EXPECT_TRUE(made->largest().empty());
  EXPECT_EQ(made->value(0, 0), 0.0F);
  EXPECT_EQ(made->summary()->non_finite, 0U);
}

TEST(Difference, WhatIsNotFiniteOnOneSideIsCountedButNoLargestChange) {
  const ResultPtr result = weights_of([](std::size_t h, std::size_t row, std::size_t col) {
    return h == 0 && row == 0 && col < 2 ? (col == 0 ? kNan : kInfinity) : 0.5F;
  });
  const DifferencePtr made = minus(head(result, 0), head(result, 1));
  EXPECT_EQ(made->summary()->non_finite, 2U);
  EXPECT_EQ(made->changed_count(), 2U);
  EXPECT_TRUE(made->largest().empty());
}

TEST(Difference, HidesOnlyWhatBothHide) {
  Mask causal;
  causal.causal = true;
  const ResultPtr a = weights_of(
      [](std::size_t h, std::size_t row, std::size_t col) {
        return col <= row ? 0.5 + 0.1 * static_cast<double>(h) : 0.0;
      },
      causal);
  const DifferencePtr same = minus(head(a, 0), head(a, 1));
  EXPECT_EQ(same->cell_count(), 6U);
  EXPECT_NE(same->hidden(0, 1), kVisible);
  const ResultPtr open = weights_of([](auto...) { return 0.25; });
  const DifferencePtr other = minus(head(a, 0), head(open, 0));
  EXPECT_EQ(other->cell_count(), 9U);
  EXPECT_EQ(other->hidden(0, 1), kVisible);
  EXPECT_EQ(other->value(0, 1), -0.25F);
}

TEST(Difference, ExtentsThatDifferAreRefusedWithBoth) {
  const ResultPtr three = weights_of([](auto...) { return 0.0; });
  const ResultPtr five = weights_of([](auto...) { return 0.2; }, {}, 5);
  const auto refused = Difference::compared(head(three, 0), head(five, 0), {}, 5);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_EQ(refused.error().found, "(3, 3) and (3, 5)");
}

TEST(Difference, EndsWhenNobodyWantsItAnyMore) {
  const ResultPtr result = weights_of([](auto...) { return 0.0; });
  Progress progress;
  progress.cancelled = true;
  const auto ended = Difference::compared(head(result, 0), head(result, 1), {}, 5, &progress);
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().kind, ErrorKind::Interrupted);
}

TEST(Comparison, OfNoRowsFindsNothing) {
  AttentionProblem problem;
  problem.shape.n_k = 3;
  auto none = std::make_shared<test::FakeResult>(problem);
  none->with(Stage::Weights, [](const auto&...) { return 0.5F; });
  ASSERT_EQ(head(none, 0)->extents().rows, 0U);
  const Comparison of_none = compare_cells(*head(none, 0), *head(none, 0));
  EXPECT_EQ(of_none.cells, 0U);
  EXPECT_EQ(of_none.mean, 0.0);
  EXPECT_EQ(of_none.mean_divergence, 0.0);
}

TEST(Comparison, HasTheFarthestCellTheMeanAndTheDivergenceOfRows) {
  const ResultPtr a = weights_of([](auto, auto row, auto col) { return row == col ? 0.5 : 0.25; });
  const ResultPtr b = weights_of([](auto head, auto row, auto col) {
    if (head == 0 || row != 1) return row == col ? 0.5 : 0.25;
    return col == 2 ? 0.5 : 0.25;
  });
  const Comparison same = compare_cells(*head(a, 0), *head(b, 0));
  EXPECT_EQ(same.cells, 9U);
  EXPECT_EQ(same.changed, 0U);
  EXPECT_EQ(same.largest, 0.0);
  EXPECT_EQ(same.largest_divergence, 0.0);
  const Comparison other = compare_cells(*head(a, 1), *head(b, 1));
  EXPECT_EQ(other.changed, 2U);
  EXPECT_EQ(other.largest, 0.25);
  EXPECT_EQ(other.row, 1U);
  EXPECT_EQ(other.col, 1U);
  EXPECT_EQ(other.a, 0.5F);
  EXPECT_EQ(other.b, 0.25F);
  EXPECT_DOUBLE_EQ(other.mean, 0.5 / 9.0);
  const double divergence = 0.5 * std::log(2.0) + 0.25 * std::log(0.5);
  EXPECT_DOUBLE_EQ(other.largest_divergence, divergence);
  EXPECT_DOUBLE_EQ(other.mean_divergence, divergence / 3.0);
  EXPECT_EQ(other.divergence_row, 1U);
}

TEST(Comparison, LeavesOutWhatBothHideAndCountsWhatOneHides) {
  Mask causal;
  causal.causal = true;
  const auto lower = [](auto, auto row, auto col) {
    return col > row ? 0.0 : 1.0 / static_cast<double>(row + 1);
  };
  const ResultPtr a = weights_of(lower, causal);
  const ResultPtr b = weights_of([](auto, auto, auto) { return 1.0 / 3.0; });
  const Comparison same = compare_cells(*head(a, 0), *head(a, 1));
  EXPECT_EQ(same.cells, 6U);
  EXPECT_EQ(same.hidden_in_one, 0U);
  const Comparison other = compare_cells(*head(a, 0), *head(b, 0));
  EXPECT_EQ(other.cells, 9U);
  EXPECT_EQ(other.hidden_in_one, 3U);
  EXPECT_FLOAT_EQ(static_cast<float>(other.largest), 2.0F / 3.0F);
  EXPECT_DOUBLE_EQ(other.largest_divergence, std::log(3.0F * (1.0F / 3.0F)) + std::log(3.0));
  EXPECT_EQ(compare_cells(*head(b, 0), *head(a, 0)).largest_divergence,
            std::numeric_limits<double>::infinity());
}

TEST(Comparison, CountsANumberThatOnlyOneHasAsInfinitelyFar) {
  const ResultPtr a =
      weights_of([](auto, auto row, auto col) { return row + col > 3 ? kNan : 0.5F; });
  const ResultPtr b = weights_of(
      [](auto head, auto row, auto col) { return head == 0 && row + col > 3 ? kNan : 0.5F; });
  const Comparison same = compare_cells(*head(a, 0), *head(b, 0));
  EXPECT_EQ(same.largest, 0.0);
  EXPECT_TRUE(std::isnan(same.largest_divergence));
  const Comparison other = compare_cells(*head(a, 1), *head(b, 1));
  EXPECT_EQ(other.largest, std::numeric_limits<double>::infinity());
  EXPECT_EQ(other.row, 2U);
  EXPECT_EQ(other.col, 2U);
}

}  // namespace
}  // namespace attn
