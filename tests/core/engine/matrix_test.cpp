// Ids of matrices, and the cache of derivations.
#include "engine/matrix/matrix.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/matrix/derived.h"
#include "engine/matrix/pool.h"
#include "problems.h"

namespace attn::test {
namespace {

TEST(StageMatrix, IsTheStageOfItsHead) {
  AttentionProblem problem = qkv_problem(2, 3, 4, 5, 2, 7);
  problem.mask.causal = true;
  const ResultPtr result = computed(problem);
  const HeadAddress at{0, 1, 2};
  for (const Stage stage : result->stages()) {
    const MatrixPtr matrix = stage_matrix(result, {stage, at});
    ASSERT_NE(matrix, nullptr);
    const StageShape extents = matrix->extents();
    for (std::size_t row = 0; row < extents.rows; ++row) {
      for (std::size_t col = 0; col < extents.cols; ++col) {
        EXPECT_EQ(matrix->value(row, col), result->value(stage, at, row, col));
        const bool masked = stage == Stage::Masked || stage == Stage::Weights;
        EXPECT_EQ(matrix->hidden(row, col),
                  masked ? result->hidden(at, row, col) : HiddenRules{kVisible});
      }
    }
    EXPECT_EQ(matrix->summary()->low, result->range(stage, at)->low);
    EXPECT_EQ(matrix->summary()->high, result->range(stage, at)->high);
    EXPECT_EQ(matrix->formula(), formula_of(result->problem(), stage));
  }
}

TEST(StageMatrix, IsNotThereForHeadsAndStagesThatAreNot) {
  const ResultPtr result = computed(weights_problem({1, 1, 1, 1, 2}, {0.5F, 0.5F}));
  EXPECT_NE(stage_matrix(result, {Stage::Weights, {}}), nullptr);
  EXPECT_EQ(stage_matrix(result, {Stage::Query, {}}), nullptr);
  for (const HeadAddress& beyond : {HeadAddress{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}) {
    EXPECT_EQ(stage_matrix(result, {Stage::Weights, beyond}), nullptr);
  }
}

TEST(StoredMatrix, LeavesHiddenCellsOutOfItsRange) {
  MadeCells cells{2, 2, {0.5F, 9.0F, 0.25F, 0.75F}, Mask{}, "made"};
  cells.mask->causal = true;
  const MatrixPtr matrix = stored_matrix({}, cells);
  EXPECT_EQ(matrix->summary()->high, 0.75F);
  EXPECT_EQ(matrix->hidden(0, 1), kHiddenByCausal);
  EXPECT_EQ(matrix->formula(), "made");
  EXPECT_EQ(matrix->bytes(), 16U);
  const PooledCells pooled = pooled_by_rows(*matrix, {0, 0, 2, 2}, 1, 2, Pooling::Maximum);
  EXPECT_EQ(pooled.values, (std::vector<float>{0.5F, 0.75F}));
}

TEST(MatrixId, TextsTellAllMatricesApart) {
  const auto other = std::make_shared<const MatrixId>(MatrixId{Stage::Weights, {0, 0, 1}});
  const std::vector<MatrixId> ids = {
      {},
      {Stage::Scores, {}},
      {Stage::Weights, {1, 0, 0}},
      {Stage::Weights, {0, 1, 0}},
      {Stage::Weights, {0, 0, 1}},
      {Stage::Weights, {.attention = kSelfAttention}},
      {Stage::Weights, {}, made::FromWeights{Derived::Rollout, 0.5}},
      {Stage::Weights, {}, made::FromWeights{Derived::Rollout, 0.25}},
      {Stage::Weights, {}, made::FromWeights{Derived::HeadMean, 0.0}},
      {Stage::Weights, {}, made::FromPositions{}},
      {Stage::Weights, {}, made::PositionEncoding{}},
      {Stage::Weights, {}, made::UnderFunction{ScoringFunction::Dot}},
      {Stage::Weights, {}, made::Minus{other}},
  };
  std::set<std::string> texts;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    texts.insert(text_of(ids[i]));
    for (std::size_t j = 0; j < ids.size(); ++j) EXPECT_EQ(ids[i] == ids[j], i == j);
  }
  EXPECT_EQ(texts.size(), ids.size());
  const auto same = std::make_shared<const MatrixId>(*other);
  EXPECT_EQ(made::Minus{other}, made::Minus{same}) << "by what they are, not where they are kept";
}

// --- the cache -------------------------------------------------------------------------------

struct Weight final : Derivation {
  explicit Weight(std::uint64_t bytes) : size(bytes) {}
  std::uint64_t bytes() const override { return size; }
  std::uint64_t size;
};

DerivationPtr of_bytes(std::uint64_t bytes) { return std::make_shared<Weight>(bytes); }

TEST(Derivations, KeepWhatIsLookedAtAndTheNewestOfTheRest) {
  Derivations all;
  for (const char* key : {"a", "b", "c", "d"}) all.keep(key, of_bytes(10));
  EXPECT_EQ(all.get<Weight>("a")->size, 10U);
  const std::vector<std::string> wanted{"a"};
  all.mark_shown(wanted, 25);
  EXPECT_NE(all.find("a"), nullptr);
  EXPECT_EQ(all.find("b"), nullptr);
  EXPECT_EQ(all.find("c"), nullptr);
  EXPECT_NE(all.find("d"), nullptr);
  all.mark_shown(wanted, 1);
  EXPECT_EQ(all.size(), 1U) << "what is looked at stays whatever its size";
}

TEST(Derivations, ForgetWhatWentWrongOnceNobodyLooks) {
  Derivations all;
  Error error;
  error.message = "no";
  all.keep("a", error);
  const std::vector<std::string> wanted{"a"};
  all.mark_shown(wanted, 100);
  ASSERT_NE(all.find("a"), nullptr);
  EXPECT_EQ(all.get<Weight>("a"), nullptr);
  const std::uint64_t version = all.version();
  all.mark_shown({}, 100);
  EXPECT_EQ(all.find("a"), nullptr);
  all.keep("a", of_bytes(1));
  EXPECT_NE(all.version(), version);
}

}  // namespace
}  // namespace attn::test
