// Histograms and sums along diagonals against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "engine/matrix/matrix.h"
#include "engine/measures.h"
#include "engine/statistics.h"

namespace attn {
namespace {

ResultPtr result_of_text(const char* json) {
  return compute(make_problem(read_document(json, "curves").value().document)).value();
}

constexpr const char* kHiddenRowsAndKeys =
    R"({"tokens": ["a", "b", "c", "d", "e", "f", "g"], "d_model": 8, "heads": 2,
        "mask": {"causal": true, "window": [3, 0], "key_lengths": 5, "query_lengths": 6}})";

std::vector<float> visible_cells(const AttentionResult& result, Stage stage,
                                 const HeadAddress& head) {
  std::vector<float> cells;
  const StageShape shape = result.stage_shape(stage);
  for (std::size_t q = 0; q < shape.rows; ++q) {
    for (std::size_t k = 0; k < shape.cols; ++k) {
      if (result.hidden(head, q, k) == kVisible) cells.push_back(result.value(stage, head, q, k));
    }
  }
  return cells;
}

TEST(Distribution, HasItsOwnEndsWhereThoseAskedForLeaveNothing) {
  const ResultPtr result = result_of_text(kHiddenRowsAndKeys);
  const MatrixPtr matrix = stage_matrix(result, {Stage::Weights, {}});
  const Distribution usual = distribution_of(*matrix, {7});
  BinOptions beyond{7};
  beyond.low = 10.0;
  const Distribution asked = distribution_of(*matrix, beyond);
  EXPECT_EQ(asked.low, usual.low);
  EXPECT_EQ(asked.cells, usual.cells);
}

TEST(Distribution, OfOneLargeNumberHasABin) {
  const ResultPtr result = result_of_text(
      R"({"tokens": ["a", "b"], "q": [[1], [1]], "k": [[1], [1]], "v": [[1e20], [1e20]]})");
  const Distribution numbers = distribution_of(*stage_matrix(result, {Stage::Value, {}}), {4});
  EXPECT_LT(numbers.low, numbers.high);
  EXPECT_EQ(std::accumulate(numbers.cells.begin(), numbers.cells.end(), std::uint64_t{0}), 2U);
}

TEST(Distribution, CountsEveryVisibleCellInItsBin) {
  const ResultPtr result = result_of_text(kHiddenRowsAndKeys);
  const HeadAddress head{0, 0, 1};
  for (const Stage stage : {Stage::Weights, Stage::Masked}) {
    const MatrixPtr matrix = stage_matrix(result, {stage, head});
    const std::vector<float> cells = visible_cells(*result, stage, head);
    const Distribution numbers = distribution_of(*matrix, {7});
    const auto [low, high] = std::ranges::minmax(cells);
    EXPECT_EQ(numbers.low, static_cast<double>(low));
    EXPECT_EQ(numbers.high, static_cast<double>(high));
    std::vector<std::uint64_t> expected(7);
    double sum = 0.0;
    for (const float cell : cells) {
      const double place = (static_cast<double>(cell) - numbers.low) / (numbers.high - numbers.low);
      ++expected[std::min<std::size_t>(static_cast<std::size_t>(place * 7.0), 6)];
      sum += static_cast<double>(cell);
    }
    EXPECT_EQ(numbers.cells, expected);
    EXPECT_DOUBLE_EQ(numbers.mean, sum / static_cast<double>(cells.size()));
    EXPECT_EQ(numbers.hidden, 49 - cells.size());
    EXPECT_EQ(numbers.finite(), cells.size());
  }
}

MatrixPtr cells_of(std::size_t cols, std::vector<float> values) {
  const std::size_t rows = values.size() / cols;
  return stored_matrix({Stage::Query, {}}, MadeCells{rows, cols, std::move(values), std::nullopt});
}

TEST(Distribution, SaysWhatLiesBeyondTheEndsAndWhatIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const MatrixPtr matrix = cells_of(4, {-2, 0, 1, 2, 3, 4, nan, infinite});
  const Distribution numbers = distribution_of(*matrix, {2, 0.0, 2.0});
  EXPECT_EQ(numbers.cells, (std::vector<std::uint64_t>{1, 2})) << "0 | 1 2";
  EXPECT_EQ(numbers.below, 1U);
  EXPECT_EQ(numbers.above, 2U);
  EXPECT_EQ(numbers.non_finite, 2U);
  EXPECT_EQ(numbers.finite(), 6U);
  EXPECT_DOUBLE_EQ(numbers.mean, 8.0 / 6.0);
}

TEST(Distribution, OfOneNumberOrNoneHasEnds) {
  const Distribution one = distribution_of(*cells_of(2, {3, 3}), {4});
  EXPECT_EQ(one.low, 2.5);
  EXPECT_EQ(one.high, 3.5);
  EXPECT_EQ(one.deviation, 0.0);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Distribution none = distribution_of(*cells_of(2, {nan, nan}), {4});
  EXPECT_LT(none.low, none.high);
  EXPECT_EQ(none.finite(), 0U);
}

TEST(Distribution, OfSomeRowsIsThatOfThoseRows) {
  const MatrixPtr matrix = cells_of(1, {1, 9, 2, 9, 3});
  const Distribution some = distribution_of(*matrix, {1}, 2);
  EXPECT_EQ(some.rows_read, 3U);
  EXPECT_EQ(some.mean, 2.0);
}

TEST(Distribution, StopsWhenItIsCancelled) {
  Progress progress;
  progress.cancelled = true;
  EXPECT_EQ(distribution_of(*cells_of(1, {1, 2}), {1}, 1, &progress).finite(), 0U);
}

TEST(DistanceProfile, AddsUpTheVisibleCellsOfEachDiagonal) {
  const ResultPtr result = result_of_text(kHiddenRowsAndKeys);
  const HeadAddress head{0, 0, 1};
  const DistanceProfile profile = distance_profile(*result, head);
  ASSERT_EQ(profile.tokens, 7U);
  for (std::size_t i = 0; i < profile.cells.size(); ++i) {
    double weight = 0.0, equal = 0.0;
    std::uint64_t cells = 0;
    for (std::size_t q = 0; q < 7; ++q) {
      std::size_t seen = 0;
      for (std::size_t k = 0; k < 7; ++k) seen += result->hidden(head, q, k) == kVisible ? 1 : 0;
      for (std::size_t k = 0; k < 7; ++k) {
        const std::int64_t distance = static_cast<std::int64_t>(q) - static_cast<std::int64_t>(k);
        if (distance != profile.distance_at(i) || result->hidden(head, q, k) != kVisible) continue;
        weight += static_cast<double>(result->value(Stage::Weights, head, q, k));
        equal += 1.0 / static_cast<double>(seen);
        ++cells;
      }
    }
    EXPECT_EQ(profile.weight[i], weight) << profile.distance_at(i);
    EXPECT_EQ(profile.equal[i], equal) << profile.distance_at(i);
    EXPECT_EQ(profile.cells[i], cells) << profile.distance_at(i);
  }
  EXPECT_EQ(profile.cells[5], 0U) << "later tokens are hidden";
}

// A query that sees only the key at its own position attends at distance 0, also with an offset.
TEST(DistanceProfile, CountsFromWhereTheOffsetPutsQueries) {
  const auto ends_of = [](const char* text) {
    const ResultPtr result = result_of_text(text);
    const DistanceProfile profile = distance_profile(*result, {});
    std::vector<std::int64_t> seen;
    for (std::size_t i = 0; i < profile.cells.size(); ++i) {
      if (profile.cells[i] > 0) seen.push_back(profile.distance_at(i));
    }
    return std::pair{seen.front(), seen.back()};
  };
  using Ends = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(ends_of(R"({"tokens": ["a", "b", "c", "d"], "heads": 1,
                        "mask": {"window": [0, 0], "causal_offset": 1}})"),
            (Ends{0, 0}));
  EXPECT_EQ(ends_of(R"({"tokens": ["a", "b", "c", "d"], "heads": 1,
                        "mask": {"causal": true, "causal_offset": 1}})"),
            (Ends{0, 4}));
  EXPECT_EQ(ends_of(R"({"tokens": ["a", "b"], "mask": {"causal_offset": -9000000000000000000}})"),
            (Ends{-(std::int64_t{1} << 52U) - 1, -(std::int64_t{1} << 52U) + 1}));
}

// GPT-2's weights are causal without a mask: equal weights count nearer keys only.
TEST(DistanceProfile, ComparesFinishedCausalWeightsWithTheKeysThatTheySee) {
  const ResultPtr result =
      result_of_text(R"({"attention": [[1, 0, 0], [0.5, 0.5, 0], [0.5, 0.25, 0.25]]})");
  const DistanceProfile profile = distance_profile(*result, {});
  EXPECT_EQ(profile.cells, (std::vector<std::uint64_t>{0, 0, 3, 2, 1}));
  EXPECT_DOUBLE_EQ(profile.equal[2] / 3.0, (1.0 + 1.0 / 2.0 + 1.0 / 3.0) / 3.0);
  EXPECT_DOUBLE_EQ(profile.equal[4], 1.0 / 3.0);
}

TEST(DistanceProfile, LeavesOutQueriesWithoutFiniteWeights) {
  const ResultPtr result =
      result_of_text(R"({"tokens": ["a", "b"], "attention": [["nan", 1], [0.25, 0.75]]})");
  const DistanceProfile profile = distance_profile(*result, {});
  EXPECT_EQ(profile.rows_left_out, 1U);
  EXPECT_EQ(profile.weight, (std::vector<double>{0.0, 0.75, 0.25}));
  EXPECT_EQ(profile.cells, (std::vector<std::uint64_t>{0, 1, 1}));
}

TEST(DistanceProfile, IsOfOneSequenceOnly) {
  const auto why = [](const char* json) {
    return nothing_at_distances(result_of_text(json)->problem());
  };
  EXPECT_EQ(why(R"({"tokens": ["a", "b"], "d_model": 2})"), "");
  EXPECT_NE(why(R"({"query_tokens": ["a"], "key_tokens": ["b", "c"], "d_model": 2})"), "");
  EXPECT_NE(why(R"({"query_tokens": ["a"], "key_tokens": ["b"], "d_model": 2})"), "")
      << "as many, but others";
}

TEST(DistanceProfile, OfSomeQueriesIsThatOfThoseQueries) {
  const ResultPtr result = result_of_text(
      R"({"tokens": ["a", "b", "c"], "attention": [[1, 0, 0], [0, 1, 0], [0.5, 0, 0.5]]})");
  const DistanceProfile some = distance_profile(*result, {}, 2);
  EXPECT_EQ(some.rows_read, 2U);
  EXPECT_EQ(some.weight, (std::vector<double>{0.0, 0.0, 1.5, 0.0, 0.5}));
}

TEST(Distribution, OfScoresLeavesOutWhatTheMaskHides) {
  const ResultPtr result = result_of_text(
      R"({"tokens": ["a", "b", "c"], "q": [[1, 0], [0, 1], [1, -1]],
          "k": [[1, 0.5], [0, 1], [9, 9]], "v": [[1, 2], [3, 4], [5, 6]],
          "mask": {"causal": true}, "scoring": {"scale": 1}})");
  const MatrixPtr scores = stage_matrix(result, {Stage::Scores, {}});
  const Distribution numbers = distribution_of(*as_seen(scores, *result), {4});
  EXPECT_EQ(numbers.finite(), 6U);
  EXPECT_EQ(numbers.hidden, 3U);
  EXPECT_NEAR(numbers.mean, 1.0 / 3.0, 1e-7);
  EXPECT_EQ(numbers.high, 1.0);
  EXPECT_EQ(statistics_of(*scores, result.get()).high, 1.0F) << "and so does the colour bar";
}

TEST(Distribution, KeepsTheDeviationOfLargeCloseNumbers) {
  std::vector<float> cells;
  for (int i = 0; i < 200; ++i) cells.push_back(10'000'000.0F + static_cast<float>(i % 3));
  const Distribution numbers =
      distribution_of(*stored_matrix({}, {200, 1, std::move(cells), {}}), {3});
  EXPECT_NEAR(numbers.deviation, 0.8155, 1e-4);
}

}  // namespace
}  // namespace attn
