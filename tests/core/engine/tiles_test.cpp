// Cells computed when read against results that materialise every stage.
#include <gtest/gtest.h>

#include <algorithm>

#include "attention/mask.h"
#include "base/special_numbers.h"
#include "engine/matrix/matrix.h"
#include "engine/matrix/pool.h"
#include "problems.h"

namespace attn::test {
namespace {

constexpr std::uint64_t kProblems = 80;

AttentionProblem by_tiles(AttentionProblem problem) {
  problem.most_materialised_map_bytes = 0;
  return problem;
}

CellRange some_range(const StageShape& shape, Random& random) {
  CellRange range;
  range.row = uniform(random, 0, shape.rows - 1);
  range.col = uniform(random, 0, shape.cols - 1);
  range.row_step = uniform(random, 1, 3);
  range.rows = uniform(random, 1, (shape.rows - range.row - 1) / range.row_step + 1);
  range.cols = uniform(random, 1, shape.cols - range.col);
  return range;
}

std::vector<float> read(const AttentionResult& result, Stage stage, const HeadAddress& head,
                        const CellRange& range) {
  std::vector<float> values(range.rows * range.cols);
  result.read(stage, head, range, values.data());
  return values;
}

// Some ranges of every stage of every head, before and after other reads.
void expect_same(const AttentionResult& tiles, const AttentionResult& whole, std::uint64_t seed,
                 std::size_t attention) {
  Random random(seed);
  for (const HeadAddress& head : heads_of(whole.shape(), attention)) {
    ASSERT_EQ(tiles.stages(head), whole.stages(head));
    for (const Stage stage : whole.stages(head)) {
      const StageShape shape = whole.stage_shape(stage, head);
      if (shape.rows == 0 || shape.cols == 0) continue;
      for (int times = 0; times < 3; ++times) {
        const CellRange range = some_range(shape, random);
        ASSERT_TRUE(same_bits(read(tiles, stage, head, range), read(whole, stage, head, range)))
            << stage_info(stage).name << " from " << range.row << ", " << range.col << ": "
            << range.rows << " × " << range.cols;
      }
      ASSERT_TRUE(same_bits(cells(tiles, stage, head), cells(whole, stage, head)))
          << stage_info(stage).name;
    }
  }
}

void expect_same(const AttentionProblem& problem, std::uint64_t seed,
                 std::size_t attention = kLastAttention) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const ResultPtr tiles = computed(by_tiles(problem), seed % 4 + 1);
  expect_same(*tiles, *computed(problem), seed, attention);
}

TEST(Tiles, HaveTheBitsOfResultsThatKeepEveryStage) {
  for (std::uint64_t seed = 0; seed < kProblems && !HasFatalFailure(); ++seed) {
    expect_same(random_problem(seed), seed);
  }
}

TEST(Tiles, HaveThemAmongExtremeValues) {
  for (std::uint64_t seed = 0; seed < kProblems && !HasFatalFailure(); ++seed) {
    expect_same(extreme_problem(seed), seed);
  }
}

TEST(Tiles, HaveThemInStacksOfBlocks) {
  for (std::uint64_t seed = 0; seed < 30 && !HasFatalFailure(); ++seed) {
    expect_same(stack_problem(seed), seed);
    expect_same(extreme_stack_problem(seed), seed);
  }
}

TEST(Tiles, HaveThemInBothAttentionsOfDecoders) {
  for (std::uint64_t seed = 0; seed < 20 && !HasFatalFailure(); ++seed) {
    expect_same(decoder_problem(seed), seed, kLastAttention);
    expect_same(decoder_problem(seed), seed, kSelfAttention);
  }
}

// Longer than a chunk, so that norms are combined, with windows cut at its border.
AttentionProblem long_problem(std::uint64_t seed) {
  AttentionProblem problem = qkv_problem(1, 1, 12, 17'000, 3, seed);
  problem.mask.causal_offset = {static_cast<std::int64_t>(seed % 3) * 9'000};
  problem.mask.causal = seed % 2 == 0;
  if (seed % 3 == 1) problem.mask.window = Window{700, 8'000, 1 + seed % 2};
  if (seed % 5 == 4) problem.mask.sink_tokens = 3;
  if (seed % 4 == 3) problem.scoring.sinks = {2.0F};
  problem.scoring.normaliser = static_cast<Normaliser>(seed % 7 == 6 ? 2 : 0);
  return problem;
}

TEST(Tiles, HaveThemInRowsOfManyChunks) {
  for (std::uint64_t seed = 0; seed < 12 && !HasFatalFailure(); ++seed) {
    expect_same(long_problem(seed), seed);
  }
}

TEST(Tiles, HaveThemWhereSumsAreInFloat) {
  for (std::uint64_t seed = 0; seed < 25 && !HasFatalFailure(); ++seed) {
    expect_same(float_problem(seed), seed);
  }
}

void expect_same_pooled(const AttentionProblem& problem, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const ResultPtr tiles = computed(by_tiles(problem));
  const ResultPtr whole = computed(problem);
  for (const HeadAddress& head : heads_of(problem.shape)) {
    for (int times = 0; times < 3; ++times) {
      const CellRange range = some_range(whole->stage_shape(Stage::Weights), random);
      const std::size_t rows = uniform(random, 1, range.rows);
      const std::size_t cols = uniform(random, 1, range.cols);
      const MatrixId id{Stage::Weights, head};
      const auto pooled = [&](const ResultPtr& result) {
        return pooled_by_rows(*stage_matrix(result, id), range, rows, cols, Pooling::Maximum);
      };
      const PooledCells got = pooled(tiles);
      const PooledCells expected = pooled(whole);
      ASSERT_TRUE(same_bits(got.values, expected.values)) << range.rows << " × " << range.cols;
      ASSERT_EQ(got.hidden, expected.hidden) << range.rows << " × " << range.cols;
      const CellRange some = some_range(whole->stage_shape(Stage::Weights), random);
      ASSERT_TRUE(same_bits(read(*tiles, Stage::Weights, head, some),
                            read(*whole, Stage::Weights, head, some)));
    }
  }
}

TEST(Tiles, ArePooledAsTheirCellsAre) {
  for (std::uint64_t seed = 0; seed < 30 && !HasFatalFailure(); ++seed) {
    expect_same_pooled(float_problem(seed), seed);
  }
}

TEST(Tiles, ArePooledAsTheirCellsAreAmongExtremeValues) {
  constexpr float kExtremes[] = {1e30F, -1e30F, kNaN, kInfinity, -kInfinity, -0.0F};
  for (std::uint64_t seed = 0; seed < 15 && !HasFatalFailure(); ++seed) {
    Random random(seed);
    AttentionProblem problem = float_problem(seed);
    for (Tensor* tensor : {&problem.q, &problem.k}) {
      const std::size_t at = uniform(random, 0, tensor->size() - 1);
      *tensor = tensor->with(at, kExtremes[uniform(random, 0, 5)]);
    }
    expect_same_pooled(problem, seed);
  }
}

TEST(Tiles, ArePooledAsTheirCellsAreInRowsOfManyChunks) {
  for (std::uint64_t seed = 0; seed < 12 && !HasFatalFailure(); ++seed) {
    expect_same_pooled(long_problem(seed), seed);
  }
}

TEST(Tiles, TellNoRangeThatNobodyHasSeen) {
  const ResultPtr tiles = computed(by_tiles(qkv_problem(1, 2, 5, 6, 4, 1)));
  EXPECT_FALSE(tiles->range(Stage::Weights, {}).has_value());
  EXPECT_FALSE(tiles->non_finite_count(Stage::Scores).has_value());
  EXPECT_TRUE(tiles->range(Stage::Query, {}).has_value());
  EXPECT_TRUE(computed(qkv_problem(1, 2, 5, 6, 4, 1))->range(Stage::Weights, {}).has_value());
}

// Rules of masks for any part of a row, and reachable keys.
TEST(Mask, AnswersForAnyPartOfARow) {
  for (std::uint64_t seed = 0; seed < 200 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const AttentionProblem problem = random_problem(seed);
    const AttentionShape& s = problem.shape;
    if (s.n_q == 0 || s.n_k == 0) continue;
    Random random(seed);
    for (const HeadAddress& head : heads_of(s)) {
      const std::size_t q = uniform(random, 0, s.n_q - 1);
      const std::size_t first = uniform(random, 0, s.n_k - 1);
      std::vector<HiddenRules> all(s.n_k), part(s.n_k - first);
      std::vector<float> bias(s.n_k), bias_part(s.n_k - first);
      hidden_row(problem.mask, head, q, all);
      hidden_row(problem.mask, head, q, part, first);
      bias_row(problem.mask, head, q, bias);
      bias_row(problem.mask, head, q, bias_part, first);
      ASSERT_TRUE(std::equal(part.begin(), part.end(), all.begin() + static_cast<long>(first)));
      ASSERT_TRUE(
          std::equal(bias_part.begin(), bias_part.end(), bias.begin() + static_cast<long>(first)));
      const KeyReach reach(problem.mask, head.sample, s.n_k);
      const KeySpan keys = reach.of({q, q + 1});
      const KeySpan of_more = reach.of({q, s.n_q});
      for (std::size_t k = 0; k < s.n_k; ++k) {
        const bool inside = k >= keys.begin && k < keys.end;
        ASSERT_TRUE(inside || all[k] != kVisible) << q << ", " << k;
        ASSERT_TRUE(!inside || !reach.is_exact() || all[k] == kVisible) << q << ", " << k;
        ASSERT_TRUE(!inside || (k >= of_more.begin && k < of_more.end)) << q << ", " << k;
        ASSERT_EQ(all[k], hidden_by(problem.mask, head, q, k)) << q << ", " << k;
      }
    }
  }
}

TEST(Mask, ReachesNoFurtherThanTheRulesOfPlaceLet) {
  Mask mask;
  mask.causal = true;
  const auto keys = [&](std::size_t q, std::size_t end) {
    const KeySpan span = reachable_keys(mask, 0, {q, end}, 100);
    return std::pair(span.begin, span.end);
  };
  EXPECT_EQ(keys(10, 12), std::pair(std::size_t{0}, std::size_t{12}));
  mask.causal_offset = {-20};
  EXPECT_EQ(keys(10, 12).second, 0U);
  mask.prefix = {5};
  EXPECT_EQ(keys(10, 12).second, 5U);
  mask = {};
  mask.window = Window{3, 4, 1};
  EXPECT_EQ(keys(10, 12), std::pair(std::size_t{7}, std::size_t{16}));
  mask.window = Window{3, 4, 5};  // distances of 15 to 19 count as 3 steps
  EXPECT_EQ(keys(30, 31), std::pair(std::size_t{11}, std::size_t{55}));
  mask.sink_tokens = 2;
  EXPECT_EQ(keys(30, 31), std::pair(std::size_t{0}, std::size_t{55}));
  mask.causal_offset = {std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(keys(30, 31).second, 100U);
}

}  // namespace
}  // namespace attn::test
