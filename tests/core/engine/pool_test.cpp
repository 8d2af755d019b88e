// Pooled cells against the cells under them.
#include "engine/matrix/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/special_numbers.h"
#include "engine/layer/caches.h"
#include "engine/matrix/difference.h"
#include "engine/read/derivation.h"
#include "engine/statistics.h"
#include "problems.h"

namespace attn::test {
namespace {

// A matrix of any numbers, as given weights of one head.
AttentionProblem matrix_problem(std::size_t rows, std::size_t cols, std::vector<float> values) {
  return weights_problem({1, 1, 1, rows, cols}, std::move(values));
}

PooledCells pooled(const AttentionProblem& problem, std::size_t max_rows, std::size_t max_cols,
                   Pooling pooling) {
  const ResultPtr result = computed(problem);
  const AttentionShape& s = problem.shape;
  return pooled_by_rows(*stage_matrix(result, {Stage::Weights, {}}), {0, 0, s.n_q, s.n_k}, max_rows,
                        max_cols, pooling);
}

TEST(Pool, WithStepsOfOneIsTheBlockItself) {
  AttentionProblem problem = matrix_problem(2, 3, {1, 2, kNaN, 4, -kInfinity, 6});
  problem.mask.causal = true;
  const PooledCells block = pooled(problem, 2, 3, Pooling::Mean);
  EXPECT_TRUE(same_bits(block.values, {1, 2, kNaN, 4, -kInfinity, 6}));
  EXPECT_EQ(block.hidden, (std::vector<std::uint8_t>{0, kHiddenByCausal, kHiddenByCausal, 0, 0,
                                                     kHiddenByCausal}));
}

TEST(Pool, ReadsAPartOfTheMatrix) {
  AttentionProblem problem = matrix_problem(3, 4, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  problem.mask.causal = true;
  const ResultPtr result = computed(problem);
  const PooledCells block = pooled_by_rows(*stage_matrix(result, {Stage::Weights, {}}),
                                           {1, 1, 2, 2}, 9, 9, Pooling::Maximum);
  EXPECT_EQ(block.values, (std::vector<float>{11, 12, 21, 22}));
  EXPECT_EQ(block.hidden, (std::vector<std::uint8_t>{0, kHiddenByCausal, 0, 0}));
}

// A large fall must survive next to a small rise.
TEST(Pool, KeepsTheLargestMagnitudeOfADifference) {
  const auto stored = [](std::vector<float> values) {
    return stored_matrix({Stage::Weights, {}}, {4, 4, std::move(values), {}});
  };
  std::vector<float> changes(16, 0.25F);
  changes[5] = -0.5F;
  changes[10] = kNaN;
  const MatrixId id{Stage::Weights, {}, made::Minus{std::make_shared<MatrixId>()}};
  const MatrixPtr difference =
      Difference::unseen(stored(changes), stored(std::vector<float>(16)), id).value();
  const PooledCells pairs = pooled_by_rows(*difference, {0, 0, 4, 4}, 2, 2, Pooling::Maximum);
  EXPECT_EQ(pairs.values, (std::vector<float>{-0.5F, 0.25F, 0.25F, 0.25F}));
  EXPECT_EQ(coarsened(pairs, 2, 2).values, (std::vector<float>{-0.5F}));
  EXPECT_EQ(with_steps(pairs, {4, 4}, 4, 4, Pooling::Maximum).values, (std::vector<float>{-0.5F}));
  EXPECT_EQ(pooled_by_rows(*difference, {0, 0, 4, 4}, 1, 1, Pooling::Maximum).values,
            (std::vector<float>{-0.5F}));
}

TEST(Pool, KeepsTheMaximumUnderEachCellAndTheRestAtTheEnd) {
  const AttentionProblem problem =
      matrix_problem(3, 5, {1, 2, 3, 4, 5, 9, 8, 7, 6, 0, 2, 1, 4, 3, 6});
  const PooledCells block = pooled(problem, 2, 3, Pooling::Maximum);
  EXPECT_EQ(block.row_step, 2U);
  EXPECT_EQ(block.col_step, 2U);
  EXPECT_EQ(block.rows, 2U);
  EXPECT_EQ(block.cols, 3U);
  EXPECT_EQ(block.values, (std::vector<float>{9, 7, 5, 2, 4, 6}));
}

TEST(Pool, KeepsTheLargestMagnitudeOfSignedWeights) {
  const AttentionProblem problem = matrix_problem(2, 4, {1, -2, 3, 0, 0.5F, 1, -1, 2});
  const PooledCells block = pooled(problem, 1, 2, Pooling::Maximum);
  EXPECT_TRUE(block.by_magnitude);
  EXPECT_EQ(block.values, (std::vector<float>{-2, 3}));
}

TEST(Pool, AveragesWhatIsThere) {
  const AttentionProblem problem = matrix_problem(2, 3, {1, 2, 3, 5, 6, 9});
  EXPECT_EQ(pooled(problem, 1, 2, Pooling::Mean).values, (std::vector<float>{3.5F, 6.0F}));
}

TEST(Pool, NoHotCellDisappears) {
  std::vector<float> values(97 * 101, 0.0F);
  for (std::size_t hot = 0; hot < values.size(); hot += 131) values[hot] = 1.0F;
  const PooledCells block = pooled(matrix_problem(97, 101, values), 10, 7, Pooling::Maximum);
  ASSERT_LE(block.rows, 10U);
  ASSERT_LE(block.cols, 7U);
  for (std::size_t hot = 0; hot < values.size(); hot += 131) {
    const std::size_t row = hot / 101 / block.row_step;
    const std::size_t col = hot % 101 / block.col_step;
    EXPECT_EQ(block.values[row * block.cols + col], 1.0F);
  }
}

TEST(Pool, OfPooledMaximaIsPoolingAtOnce) {
  Random random(5);
  std::vector<float> values(50 * 70);
  for (float& value : values) value = random.uniform();
  for (std::size_t i = 0; i < values.size(); i += 13) values[i] = kNaN;
  AttentionProblem problem = matrix_problem(50, 70, values);
  problem.mask.causal = true;
  const PooledCells once = pooled(problem, 9, 12, Pooling::Maximum);  // steps of 6
  const PooledCells twice = coarsened(pooled(problem, 25, 35, Pooling::Maximum), 3, 3);
  EXPECT_EQ(twice.row_step, once.row_step);
  EXPECT_EQ(twice.col_step, once.col_step);
  EXPECT_TRUE(same_bits(twice.values, once.values));
  EXPECT_EQ(twice.hidden, once.hidden);
}

TEST(Pool, IsNaNOnlyWhereEveryCellIsNaNOrHidden) {
  AttentionProblem problem = matrix_problem(1, 6, {kNaN, 2, kNaN, kNaN, 7, kNaN});
  problem.mask.key_padding = {{1, 1, 1, 1, 0, 1}};
  for (const Pooling pooling : {Pooling::Maximum, Pooling::Mean}) {
    const PooledCells block = pooled(problem, 1, 3, pooling);
    EXPECT_TRUE(same_bits(block.values, {2, kNaN, kNaN}));
    EXPECT_EQ(block.hidden, (std::vector<std::uint8_t>{0, 0, 0}));
  }
}

TEST(Pool, IsHiddenWhereEveryCellIsAndSaysByWhichRules) {
  AttentionProblem problem = matrix_problem(1, 6, {1, 2, 3, 4, 5, 6});
  problem.mask.key_padding = {{1, 1, 0, 0, 0, 1}};
  problem.mask.visible = BoolTensor({6}, {1, 0, 1, 0, 1, 0});
  const PooledCells block = pooled(problem, 1, 3, Pooling::Maximum);
  EXPECT_EQ(block.values[0], 1.0F);
  EXPECT_TRUE(std::isnan(block.values[1]) && std::isnan(block.values[2]));
  EXPECT_EQ(block.hidden, (std::vector<std::uint8_t>{0, kHiddenByKeyPadding,
                                                     kHiddenByKeyPadding | kHiddenByHand}));
}

TEST(Pool, InfinitiesDoNotVanish) {
  const AttentionProblem problem =
      matrix_problem(1, 6, {kInfinity, 1, -kInfinity, 1, kInfinity, -kInfinity});
  EXPECT_EQ(pooled(problem, 1, 3, Pooling::Mean).values,
            (std::vector<float>{kInfinity, -kInfinity, kInfinity}));
  EXPECT_EQ(pooled(problem, 1, 3, Pooling::Maximum).values,
            (std::vector<float>{kInfinity, 1, kInfinity}));
}

TEST(Pool, ScoresBeforeTheMaskKeepTheirValuesUnderIt) {
  AttentionProblem problem = qkv_problem(1, 1, 4, 4, 8, 1);
  problem.mask.causal = true;
  const ResultPtr result = computed(problem);
  for (const Stage stage : {Stage::Scores, Stage::Scaled}) {
    const PooledCells block =
        pooled_by_rows(*stage_matrix(result, {stage, {}}), {0, 0, 4, 4}, 2, 2, Pooling::Maximum);
    EXPECT_EQ(block.hidden, std::vector<std::uint8_t>(4, 0));
    float most = result->value(stage, {}, 0, 2);
    for (const auto& [row, col] : {std::pair{0U, 3U}, {1U, 2U}, {1U, 3U}}) {
      most = std::max(most, result->value(stage, {}, row, col));
    }
    EXPECT_EQ(block.values[1], most);
  }
  const PooledCells masked = pooled_by_rows(*stage_matrix(result, {Stage::Masked, {}}),
                                            {0, 0, 4, 4}, 2, 2, Pooling::Maximum);
  EXPECT_EQ(masked.hidden, (std::vector<std::uint8_t>{0, kHiddenByCausal, 0, 0}));
}

TEST(Pool, StagesThatAreNotTokenByTokenHaveNoHiddenCells) {
  AttentionProblem problem = qkv_problem(1, 1, 4, 4, 8, 1);
  problem.mask.causal = true;
  const ResultPtr result = computed(problem);
  const PooledCells block = pooled_by_rows(*stage_matrix(result, {Stage::Output, {}}), {0, 0, 4, 8},
                                           2, 2, Pooling::Maximum);
  EXPECT_EQ(block.hidden, std::vector<std::uint8_t>(4, 0));
  for (const float value : block.values) EXPECT_TRUE(std::isfinite(value));
}

PooledCells cells_of_mebibytes(std::size_t mebibytes) {
  const std::size_t count = (mebibytes << 20U) / (sizeof(float) + sizeof(HiddenRules));
  PooledCells cells;
  cells.rows = 1;
  cells.cols = count;
  cells.values.assign(count, 0.0F);
  cells.hidden.assign(count, kVisible);
  return cells;
}

bool knows(PoolCache& cache, std::size_t head) {
  PooledCells out;
  out.rows = 1;
  return cache.read({head, {}, 1, 1}, out).empty();
}

TEST(PoolCache, ForgetsWhatWasNotAskedForLongestButNeverTheLast) {
  PoolCache cache;
  for (const std::size_t head : {0U, 1U}) cache.keep({head, {}, 1, 1}, cells_of_mebibytes(12));
  EXPECT_TRUE(knows(cache, 0));
  cache.keep({2, {}, 1, 1}, cells_of_mebibytes(12));
  EXPECT_TRUE(knows(cache, 0));
  EXPECT_FALSE(knows(cache, 1)) << "all three take more than 32 MiB";
  EXPECT_TRUE(knows(cache, 2));
  cache.keep({3, {}, 1, 1}, cells_of_mebibytes(40));
  EXPECT_FALSE(knows(cache, 2));
  EXPECT_TRUE(knows(cache, 3)) << "or it would be made anew for every frame";
}

TEST(PoolCache, TakesOverAllButTheRowsThatLieOverChangedOnes) {
  PooledCells cells;
  cells.rows = 4;
  cells.cols = 1;
  cells.values.assign(4, 1.0F);
  cells.hidden.assign(4, kVisible);
  const PoolCache::Question question{0, {2, 0, 8, 1}, 2, 1};
  PoolCache before, cache;
  before.keep(question, cells);
  const std::size_t changed[] = {0, 5, 9, 20};
  cache.take_over(0, before, changed);
  PooledCells out;
  out.rows = 4;
  std::vector<std::size_t> ends;
  for (const RowSpan& rows : cache.read(question, out)) {
    ends.insert(ends.end(), {rows.begin, rows.end});
  }
  EXPECT_EQ(ends, (std::vector<std::size_t>{1, 2, 3, 4}));
  EXPECT_EQ(out.values, cells.values);
}

TEST(PooledMemo, ForgetsWhatWasNotAskedForLongestBeyondThirtyTwoMebibytes) {
  PooledMemo memo;
  const auto keep = [&](const std::string& key) {
    auto made = std::make_shared<Statistics>();
    made->values.resize(std::size_t{3} << 20U);  // 12 MiB
    memo.keep(key, std::move(made));
  };
  keep("a");
  keep("b");
  EXPECT_NE(memo.find("a"), nullptr);
  keep("c");
  EXPECT_NE(memo.find("a"), nullptr);
  EXPECT_EQ(memo.find("b"), nullptr);
  EXPECT_NE(memo.find("c"), nullptr);
}

}  // namespace
}  // namespace attn::test
