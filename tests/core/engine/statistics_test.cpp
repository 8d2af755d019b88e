// Statistics of cells against plain loops in double.
#include "engine/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "engine/kernels/parallel.h"
#include "support/fake_result.h"

namespace attn::test {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

AttentionProblem causal_problem(std::size_t n_q, std::size_t n_k) {
  AttentionProblem problem;
  problem.shape.heads = problem.shape.kv_heads = 2;
  problem.shape.n_q = n_q;
  problem.shape.n_k = n_k;
  problem.shape.d_k = problem.shape.d_v = 2;
  problem.mask.causal = true;
  return problem;
}

float some_value(const HeadAddress& at, std::size_t q, std::size_t k) {
  const auto number = static_cast<float>((q * 7919 + k * 104'729 + at.head * 31) % 10'007);
  if (q % 50 == 49 && k == 3) return k % 2 == 1 ? kNotANumber : 1.0F;
  return static_cast<float>(1 + at.head) * (number - 500.0F) / 10'007.0F;
}

// Statistics by code independent of the tested one.
struct Plain {
  std::vector<double> cells;  // ascending
  std::uint64_t hidden = 0;
};

Plain plain_of(const AttentionResult& result, Stage stage, std::size_t heads,
               std::size_t row_step = 1) {
  Plain plain;
  const StageShape shape = result.stage_shape(stage);
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t q = 0; q < shape.rows; q += row_step) {
      for (std::size_t k = 0; k < shape.cols; ++k) {
        const float value = some_value({0, 0, head}, q, k);
        if (result.hidden({0, 0, head}, q, k) != kVisible) {
          ++plain.hidden;
        } else if (std::isfinite(value)) {
          plain.cells.push_back(static_cast<double>(value));
        }
      }
    }
  }
  std::ranges::sort(plain.cells);
  return plain;
}

void expect_same(const Statistics& seen, const Plain& plain) {
  const std::vector<double>& cells = plain.cells;
  EXPECT_EQ(seen.cells, cells.size());
  EXPECT_EQ(seen.hidden, plain.hidden);
  EXPECT_EQ(static_cast<double>(seen.low), cells.front());
  EXPECT_EQ(static_cast<double>(seen.high), cells.back());
  const auto above_0 =
      static_cast<std::uint64_t>(cells.end() - std::ranges::upper_bound(cells, 0.0));
  EXPECT_EQ(seen.above(0.0F), above_0);
}

TEST(Statistics, AreThoseOfAPlainLoop) {
  for (const auto& [n_q, n_k] : {std::pair(9U, 7U), std::pair(300U, 400U), std::pair(800U, 900U)}) {
    const FakeResult result = FakeResult(causal_problem(n_q, n_k))
                                  .with(Stage::Scores, some_value)
                                  .with(Stage::Weights, some_value);
    for (const Stage stage : {Stage::Scores, Stage::Weights}) {
      SCOPED_TRACE(std::string(stage_info(stage).name) + " of " + std::to_string(n_q));
      const MatrixPtr matrix = stage_matrix(borrowed(result), {stage, {}});
      expect_same(statistics_of(*matrix, &result), plain_of(result, stage, 1));
      expect_same(statistics_of(*matrix, &result, {true}), plain_of(result, stage, 2));
      const Statistics some = statistics_of(*matrix, &result, {}, 4);
      EXPECT_EQ(some.cells, plain_of(result, stage, 1, 4).cells.size());
      EXPECT_EQ(some.rows_read, (n_q + 3) / 4);
    }
  }
}

TEST(Statistics, HaveTheSameBitsForAnyNumberOfThreads) {
  const FakeResult result = FakeResult(causal_problem(3000, 3000)).with(Stage::Weights, some_value);
  const MatrixPtr matrix = stage_matrix(borrowed(result), {Stage::Weights, {}});
  std::vector<Statistics> all;
  for (const unsigned threads : {1U, 2U, 3U}) {
    use_threads(threads);
    all.push_back(statistics_of(*matrix, &result));
  }
  use_threads(0);
  for (const Statistics& other : all) {
    EXPECT_EQ(other.low, all[0].low);
    EXPECT_EQ(other.high, all[0].high);
    ASSERT_EQ(other.counted.size(), all[0].counted.size());
    for (std::size_t i = 0; i < other.counted.size(); ++i) {
      EXPECT_EQ(other.counted[i].cells, all[0].counted[i].cells);
    }
  }
}

TEST(Statistics, JoinAsIfTheCellsWereOfOneMatrix) {
  const std::vector<float> values{0.5F, -2.0F, 0.0F, 3.0F, 0.25F, 1e-3F, kNotANumber};
  const std::vector<HiddenRules> rules{0, 0, 0, kHiddenByCausal, 0, 0, 0};
  Statistics both = of_cells(std::span(values).first(3), std::span(rules).first(3));
  join(both, of_cells(std::span(values).subspan(3), std::span(rules).subspan(3)));
  const Statistics whole = of_cells(values, rules);
  EXPECT_EQ(both.cells, whole.cells);
  EXPECT_EQ(both.hidden, 1U);
  EXPECT_EQ(both.low, -2.0F);
  EXPECT_EQ(both.high, 0.5F);
  for (const float value : {-1.0F, 0.0F, 0.3F}) {
    EXPECT_EQ(both.above(value), whole.above(value));
    EXPECT_EQ(both.below(value), whole.below(value));
  }
}

TEST(Statistics, OfNothingAreZero) {
  const Statistics seen = of_cells({}, {});
  EXPECT_EQ(seen.high, 0.0F);
  EXPECT_EQ(seen.above(0.0F), 0U);
}

std::vector<std::uint64_t> binned(const Statistics& seen, double low, double high,
                                  std::size_t bins) {
  return seen.histogram(bins, [=](double value) { return (value - low) / (high - low); });
}

TEST(Histogram, CountsEveryFiniteCellInItsBin) {
  std::vector<float> values;
  std::vector<std::uint64_t> wanted(10);
  for (std::size_t i = 0; i < 600; ++i) {
    const std::size_t bin = (i * i) % 10;
    values.push_back((static_cast<float>(bin) + 0.5F) / 10.0F);
    ++wanted[bin];
  }
  values[599] = kNotANumber;
  --wanted[(599 * 599) % 10];
  EXPECT_EQ(binned(of_cells(values, {}), 0.0, 1.0, 10), wanted);
  std::vector<float> many;
  for (int i = 0; i < 500; ++i) many.insert(many.end(), values.begin(), values.end());
  for (std::uint64_t& cells : wanted) cells *= 500;
  EXPECT_EQ(binned(of_cells(many, {}), 0.0, 1.0, 10), wanted) << "counted by rounded values";
}

TEST(Histogram, PutsEveryValueWhereItsPlaceIs) {
  Random random(3);
  std::vector<float> values;
  for (int i = 0; i < 20'000; ++i) values.push_back(random.normal());
  values.insert(values.end(), {0.0F, -0.0F, 1e-45F, -1e-45F, 1.0F, -1.0F});
  const Statistics seen = of_cells(values, {});
  const auto root = [](double value) { return std::copysign(std::sqrt(std::abs(value)), value); };
  // Wide, from zero, and between numbers that share their upper half of bits.
  for (const auto& [low, high] :
       {std::pair(-1.0, 1.0), {0.0, 2.5}, {0.7001, 0.7002}, {-0.3, -0.2}}) {
    for (const bool curved : {false, true}) {
      const auto place = [&, low = low, high = high](double value) {
        const double from = curved ? root(low) : low, to = curved ? root(high) : high;
        return ((curved ? root(value) : value) - from) / (to - from);
      };
      std::vector<std::uint64_t> wanted(37);
      for (const float value : values) {
        const double at = place(static_cast<double>(value));
        if (at >= 0.0 && at <= 1.0)
          ++wanted[std::min(static_cast<std::size_t>(at * 37.0), std::size_t{36})];
      }
      EXPECT_EQ(seen.histogram(37, place), wanted) << low << " to " << high << curved;
    }
  }
}

TEST(Histogram, KeepsTheEndsOfTheScaleInAndWhatIsBeyondOut) {
  const std::vector<float> few{-2, -0.61F, 0.1F, 0.3F, 0.617F, 5};
  const double low = static_cast<double>(few[1]), high = static_cast<double>(few[4]);
  EXPECT_EQ(binned(of_cells(few, {}), low, high, 4), (std::vector<std::uint64_t>{1, 0, 2, 1}));
  std::vector<float> many;
  for (int i = 0; i < 50'000; ++i) many.insert(many.end(), few.begin(), few.end());
  EXPECT_EQ(binned(of_cells(many, {}), low, high, 4),
            (std::vector<std::uint64_t>{50'000, 0, 100'000, 50'000}));
}

TEST(Histogram, OfPartsOfRowsIsOfTheirLargest) {
  const MatrixPtr matrix = stored_matrix({}, {2, 3, {0.001F, 0.01F, 0.0F, 0.2F, 0.05F, 0.1F}, {}});
  StatisticsOptions options;
  options.parts_of_rows = true;
  EXPECT_EQ(binned(statistics_of(*matrix, nullptr, options), 0.0, 1.0, 4),
            (std::vector<std::uint64_t>{2, 1, 1, 2}));
}

TEST(Sampling, RowsOfACoarserStepAreAmongThoseOfAFinerOne) {
  std::size_t finer = 1;
  for (const std::size_t most : {1000000UL, 400000UL, 90000UL, 5000UL, 10UL}) {
    const std::size_t step = sampling_step({5000, 100}, 1, most);
    EXPECT_EQ(step % finer, 0U);
    EXPECT_LE((5000 + step - 1) / step * 100, std::max<std::size_t>(most, 100) + 100);
    finer = step;
  }
}

}  // namespace
}  // namespace attn::test
