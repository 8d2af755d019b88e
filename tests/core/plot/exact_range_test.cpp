// Ranges, percentiles and rows found by counting, against all cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "plot/colors/value_counts.h"
#include "plot/colors/weight_range.h"
#include "plot/parts/range_needs.h"
#include "support/fake_result.h"

namespace attn::test {
namespace {

AttentionProblem long_problem() {
  AttentionProblem problem;
  problem.shape.heads = problem.shape.kv_heads = 2;
  problem.shape.n_q = 700;
  problem.shape.n_k = 600;
  problem.shape.d_k = problem.shape.d_v = 2;
  problem.mask.causal = true;
  return problem;
}

AttentionProblem small_problem() {
  AttentionProblem problem = long_problem();
  problem.shape.n_q = problem.shape.n_k = 2;
  problem.mask = {};
  return problem;
}

float some_weight(const HeadAddress& at, std::size_t q, std::size_t k) {
  const auto number = static_cast<float>((q * 7919 + k * 104'729 + at.head * 31) % 10'007);
  if (q == 500 && k == 3) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(1 + at.head) * (number - 500.0F) / 10'007.0F;
}

TEST(ExactRange, IsThatOfAllCellsGathered) {
  const FakeResult result =
      FakeResult(long_problem()).with(Stage::Scores, some_weight).with(Stage::Weights, some_weight);
  for (const Stage stage : {Stage::Weights, Stage::Scores}) {
    const MatrixPtr matrix = stage_matrix(borrowed(result), {stage, {}});
    for (const ColorSpan span : {ColorSpan::Automatic, ColorSpan::Unit, ColorSpan::Head,
                                 ColorSpan::Heads, ColorSpan::Rows, ColorSpan::Percentile}) {
      const KeptRange gathered = kept_range(*matrix, span, &result);
      const KeptRange exact = exact_range(*matrix, span, &result);
      EXPECT_EQ(exact.range.low, gathered.range.low) << static_cast<int>(span);
      EXPECT_EQ(exact.range.high, gathered.range.high) << static_cast<int>(span);
      EXPECT_EQ(exact.range.basis, gathered.range.basis);
      if (span == ColorSpan::Heads) {  // which is of several, the second twice as strong
        EXPECT_GT(exact.range.high,
                  1.5F * exact_range(*matrix, ColorSpan::Head, &result).range.high);
        continue;
      }
      EXPECT_EQ(exact.least, gathered.least);
      EXPECT_EQ(exact.summary.low, gathered.summary.low);
      EXPECT_EQ(exact.summary.high, gathered.summary.high);
      EXPECT_EQ(exact.summary.non_finite, gathered.summary.non_finite);
    }
  }
}

TEST(ColorRange, OfScoresIsOfAllHeadsWhereThatIsAsked) {
  const FakeResult result =
      FakeResult(small_problem()).with(Stage::Scores, [](auto& at, auto row, auto col) {
        return (at.head == 0 ? 1.0F : -3.0F) * (row == col ? 1.0F : 0.5F);
      });
  PlotOptions options;
  options.stage = Stage::Scores;
  options.colormap = "viridis";
  for (const ColorSpan span : {ColorSpan::Head, ColorSpan::Heads}) {
    options.range = span;
    const ColorRange range = color_range(result, options);
    EXPECT_EQ(range.low, span == ColorSpan::Heads ? -3.0F : 0.5F);
    EXPECT_EQ(range.high, 1.0F);
    EXPECT_EQ(range.basis, span == ColorSpan::Heads ? "all heads" : "this head");
  }
}

TEST(ExactRange, FindsEveryPlaceOfSortedValues) {
  Random random(5);
  std::vector<float> values;
  for (int i = 0; i < 3000; ++i) {
    const auto number = static_cast<float>(random.next() % 2000) - 1000.0F;
    values.push_back(number * 1e-3F);
  }
  ValueCounts counts;
  for (const float value : values) counts.add(value);
  counts.add(std::numeric_limits<float>::infinity());
  ASSERT_EQ(counts.total(), values.size());
  std::vector<float> sorted = values;
  std::ranges::sort(sorted);
  for (const std::size_t place : {0U, 1U, 700U, 1499U, 1500U, 2985U, 2999U}) {
    ExactPlace found(counts, place);
    for (const float value : values) found.add(value);
    EXPECT_EQ(found.value(), sorted[place]);
    EXPECT_EQ(found.above(), static_cast<std::uint64_t>(std::ranges::count_if(
                                 values, [&](float value) { return value > sorted[place]; })));
  }
}

TEST(ExactRange, EndsWhenItIsCalledOff) {
  const FakeResult result = FakeResult(long_problem()).with(Stage::Weights, some_weight);
  RangeQuestion question{{{Stage::Weights, {}}, {700, 600}}, ColorSpan::Percentile};
  for (const std::vector<Need>& needs :
       {range_needs(question), spread_needs(question, false), unseeing_needs(result, {})}) {
    ASSERT_FALSE(needs.empty());
    Progress progress;
    progress.cancelled = true;
    const auto made = needs.front().derive({}, borrowed(result), &progress);
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().kind, ErrorKind::Interrupted);
  }
}

// Masks of all rules, whole rows hidden among them.
std::vector<Mask> masks() {
  std::vector<Mask> all(5);
  all[0].causal = true;
  all[0].causal_offset = {-20};
  all[1].window = Window{5, 5, 1};
  all[2].key_padding = {std::vector<std::uint8_t>(600, 0)};
  all[2].key_padding[0][300] = 1;
  all[2].causal = true;
  all[3].query_padding = {std::vector<std::uint8_t>(700, 1)};
  all[3].query_padding[0][17] = all[3].query_padding[0][650] = 0;
  all[4].window = Window{3, std::nullopt, 2};
  all[4].sink_tokens = 1;
  all[4].causal = true;
  return all;
}

TEST(UnseeingRows, AreThoseThatTheResultNames) {
  for (const Mask& mask : masks()) {
    AttentionProblem problem = long_problem();
    problem.mask = mask;
    const FakeResult result = FakeResult(problem).with(Stage::Weights, some_weight);
    std::vector<std::size_t> expected;
    for (std::size_t row = 0; row < 700; ++row) {
      if (result.sees_no_key({}, row)) expected.push_back(row);
    }
    Derivations known;
    EXPECT_TRUE(unseeing_rows(&known, result, {}).empty()) << "not known yet";
    for (const Need& need : unseeing_needs(result, {})) {
      known.keep(need.key, need.derive({}, borrowed(result), nullptr));
    }
    EXPECT_EQ(unseeing_rows(&known, result, {}), expected);
  }
}

}  // namespace
}  // namespace attn::test
