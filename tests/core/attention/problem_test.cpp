// Scales, stored stages and predicted costs of problems.
#include "attention/problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "attention/stage.h"
#include "kinds/blocks/model.h"
#include "kinds/recurrent/model.h"

namespace attn::test {
namespace {

AttentionProblem layer_problem() {
  AttentionProblem problem;
  problem.kind = &kLayerProblems;
  problem.shape = {1, 2, 4, 2, 5, 7, 3, 6, 8, 10};
  problem.projections.w_o = Tensor({24, 10}, std::vector<float>(240));
  return problem;
}

TEST(Scale, IsOneOverTheRootOfTheKeyWidthUnlessGiven) {
  AttentionProblem problem;
  problem.shape.d_k = 64;
  EXPECT_EQ(scale_of(problem), 0.125F);
  problem.shape.d_k = 2;
  EXPECT_FLOAT_EQ(scale_of(problem), 0.70710678F);
  problem.scoring.scale = -3.0F;
  EXPECT_EQ(scale_of(problem), -3.0F);
  problem.scoring.scale = 0.0F;
  EXPECT_EQ(scale_of(problem), 0.0F);
}

TEST(Scale, IsOneWhereThereIsNoKeyWidth) { EXPECT_EQ(scale_of(AttentionProblem{}), 1.0F); }

TEST(StoredStages, OfQkvLeaveOutWhatIsGiven) {
  AttentionProblem problem;
  problem.shape = {1, 1, 12, 12, 128, 128, 64, 64, 0, 0};
  std::vector<Stage> stages;
  for (const StoredStage& stored : stored_stages(problem)) stages.push_back(stored.stage);
  EXPECT_EQ(stages, (std::vector<Stage>{Stage::Scores, Stage::Scaled, Stage::Masked, Stage::Weights,
                                        Stage::Output}));
  EXPECT_EQ(predicted_bytes(problem), 4U * (4U * 12 * 128 * 128 + 12U * 128 * 64));
}

TEST(StoredStages, OfALayerHoldProjectionsOnce) {
  const AttentionProblem problem = layer_problem();
  const std::uint64_t square = 2U * 4 * 5 * 7;
  const std::uint64_t q = 2U * 5 * 4 * 3;
  const std::uint64_t k = 2U * 7 * 2 * 3;
  const std::uint64_t v = 2U * 7 * 2 * 6;
  const std::uint64_t output = 2U * 5 * 4 * 6;
  const std::uint64_t projected = 2U * 5 * 10;
  EXPECT_EQ(predicted_bytes(problem), 4 * (q + k + v + 4 * square + output + projected));
}

TEST(StoredStages, ASoftcapCostsOneMatrixMore) {
  AttentionProblem problem = layer_problem();
  const std::uint64_t before = predicted_bytes(problem);
  problem.scoring.softcap = 30.0F;
  EXPECT_EQ(predicted_bytes(problem) - before, 4U * 2 * 4 * 5 * 7);
}

TEST(StoredStages, GivenWeightsCostNothing) {
  AttentionProblem problem;
  problem.kind = &kWeightsProblems;
  problem.shape = {12, 1, 12, 12, 64, 64, 0, 0, 0, 0};
  EXPECT_EQ(predicted_bytes(problem), 0U);
}

TEST(StoredStages, LeaveOutMapsThatAreComputedWhenTheyAreRead) {
  AttentionProblem problem = layer_problem();
  EXPECT_TRUE(materialises_maps(problem));
  problem.most_materialised_map_bytes = 4U * 4 * 2 * 4 * 5 * 7 - 1;
  EXPECT_FALSE(materialises_maps(problem));
  std::vector<Stage> stages;
  for (const StoredStage& stored : stored_stages(problem)) stages.push_back(stored.stage);
  EXPECT_EQ(stages, (std::vector<Stage>{Stage::Query, Stage::Key, Stage::Value}));
}

TEST(PredictedBytes, SaturatesInsteadOfWrapping) {
  AttentionProblem problem;
  problem.most_materialised_map_bytes = std::numeric_limits<std::uint64_t>::max();
  problem.shape = {1, 1, 1, 1, std::size_t{1} << 40, std::size_t{1} << 40, 1, 1, 0, 0};
  EXPECT_EQ(predicted_bytes(problem), std::numeric_limits<std::uint64_t>::max());
  problem.shape.n_q = std::size_t{1} << 31;  // fits in elements, not in bytes
  problem.shape.n_k = std::size_t{1} << 31;
  EXPECT_EQ(predicted_bytes(problem), std::numeric_limits<std::uint64_t>::max());
}

TEST(PredictedMultiplyAdds, CountScoresOutputAndProjections) {
  AttentionShape shape{1, 1, 12, 12, 128, 128, 64, 64, 0, 0};
  EXPECT_EQ(predicted_multiply_adds(ScoringFunction::ScaledDot, shape),
            12U * 128 * 128 * (64 + 64));
  shape = layer_problem().shape;
  const std::uint64_t attention = 2U * 4 * 5 * 7 * (3 + 6);
  const std::uint64_t inputs = 2U * 5 * 8 * 4 * 3 + 2U * 7 * 8 * 2 * (3 + 6);
  const std::uint64_t output = 2U * 5 * 4 * 6 * 10;
  EXPECT_EQ(predicted_multiply_adds(ScoringFunction::ScaledDot, shape),
            attention + inputs + output);
}

Tensor zeros(std::size_t rows, std::size_t cols) {
  return Tensor({rows, cols}, std::vector<float>(rows * cols));
}

// An encoder of 3 units that reads 4 columns, a decoder of 5 that reads 2 and the context of 3.
TEST(PredictedMultiplyAdds, OfARecurrentModelCountEveryStepOfItsCells) {
  AttentionProblem problem;
  problem.kind = &kRecurrentProblems;
  problem.shape = {1, 2, 1, 1, 6, 7, 3, 3, 2, 8, 5, 0, 4, 4};
  problem.recurrent.encoder = {zeros(4, 9), zeros(3, 9), {}, {}};
  problem.recurrent.decoder = {zeros(2 + 3, 15), zeros(5, 15), {}, {}};
  problem.recurrent.w_output = zeros(5 + 3, 8);
  const std::uint64_t encoder = 7U * (4 * 9 + 3 * 9);
  const std::uint64_t decoder = 6U * (5 * 15 + 5 * 15 + 8 * 8);
  const std::uint64_t attention = 6U * 7 * (3 + 3);
  EXPECT_EQ(predicted_multiply_adds(problem), 2 * (encoder + 2 * decoder + attention))
      << "the decoder runs with attention and without";
}

TEST(Stages, AreListedInOrderAndFoundByName) {
  std::size_t number = 0;
  for (const StageInfo& info : all_stages()) {
    EXPECT_EQ(static_cast<std::size_t>(info.stage), number++);
    EXPECT_EQ(&stage_info(info.stage), &info);
    EXPECT_EQ(stage_named(info.name), info.stage);
    EXPECT_FALSE(info.label.empty() || info.formula.empty() || info.sentence.empty());
  }
  EXPECT_EQ(number, kStageCount);
  EXPECT_EQ(stage_named("attention"), std::nullopt);
}

TEST(Stages, KnowTheirShape) {
  EXPECT_TRUE(stage_info(Stage::Scores).token_by_token());
  EXPECT_TRUE(stage_info(Stage::Weights).token_by_token());
  EXPECT_FALSE(stage_info(Stage::Output).token_by_token());
  EXPECT_TRUE(stage_info(Stage::Output).per_head);
  EXPECT_FALSE(stage_info(Stage::Concat).per_head);
  EXPECT_FALSE(stage_info(Stage::Projected).per_head);
}

TEST(Stages, FollowFromTheProblem) {
  using enum Stage;
  AttentionProblem problem;
  EXPECT_EQ(stages_of(problem), (std::vector{Query, Key, Scores, Scaled, Masked, Weights}));
  problem.shape.d_v = 2;
  EXPECT_EQ(stages_of(problem),
            (std::vector{Query, Key, Value, Scores, Scaled, Masked, Weights, Output}));
  problem.position.kind = PositionKind::Rope;
  problem.scoring.softcap = 30.0F;
  EXPECT_EQ(stages_of(problem), (std::vector{Query, Key, Value, RotatedQuery, RotatedKey, Scores,
                                             Scaled, Softcapped, Masked, Weights, Output}));
  EXPECT_EQ(query_stage(problem), RotatedQuery);
  problem.position.kind = PositionKind::Sinusoidal;
  problem.kind = &kLayerProblems;
  problem.scoring.softcap.reset();
  EXPECT_EQ(stages_of(problem), (std::vector{QueryInput, KeyInput, ValueInput, Query, Key, Value,
                                             Scores, Scaled, Masked, Weights, Output, Concat}));
  problem.kind = &kWeightsProblems;
  EXPECT_EQ(stages_of(problem), (std::vector{Weights}));
}

TEST(Formulas, SayWhatTheProblemComputes) {
  AttentionProblem problem;
  problem.shape.d_k = 4;
  EXPECT_EQ(formula_of(problem, Stage::Scores), "QKᵀ");
  EXPECT_EQ(formula_of(problem, Stage::Scaled), "QKᵀ · 0.5");
  EXPECT_EQ(formula_of(problem, Stage::Weights), "softmax(x)");
  problem.scoring.function = ScoringFunction::Additive;
  problem.scoring.temperature = 0.5F;
  problem.scoring.sinks = {0.0F};
  EXPECT_EQ(formula_of(problem, Stage::Scores), "vᵀ tanh(W_q q + W_k k + b)");
  EXPECT_EQ(formula_of(problem, Stage::Scaled), "vᵀ tanh(W_q q + W_k k + b) · 1");
  EXPECT_EQ(formula_of(problem, Stage::Weights), "softmax(x) with x / 0.5 with a sink");
}

TEST(Stages, OfADecoderAreThoseOfOneAttentionAmongAllOfTheBlock) {
  AttentionProblem problem;
  problem.kind = &kBlockProblems;
  problem.shape.d_model = problem.shape.d_out = problem.shape.d_v = 2;
  problem.position.kind = PositionKind::Rope;
  problem.stack.blocks.resize(1);
  problem.stack.blocks.front().cross.emplace();
  problem.stack.order = NormOrder::Pre;
  using enum Stage;
  EXPECT_EQ(stages_of(problem), (std::vector{BlockInput,      AttentionNorm, AttentionResidual,
                                             CrossNorm,       Query,         Key,
                                             Value,           Scores,        Scaled,
                                             Masked,          Weights,       Output,
                                             Concat,          Projected,     CrossResidual,
                                             FeedForwardNorm, Hidden,        Activated,
                                             FeedForward,     BlockOutput}));
  EXPECT_EQ(stages_of(problem, {.attention = kSelfAttention}),
            (std::vector{BlockInput,   AttentionNorm, Query,           Key,       Value,
                         RotatedQuery, RotatedKey,    Scores,          Scaled,    Masked,
                         Weights,      Output,        Concat,          Projected, AttentionResidual,
                         CrossNorm,    CrossResidual, FeedForwardNorm, Hidden,    Activated,
                         FeedForward,  BlockOutput}));
  problem.stack.order = NormOrder::Post;
  EXPECT_EQ(formula_of(problem, CrossNorm), "LayerNorm(x + cross-attention)");
  EXPECT_EQ(formula_of(problem, CrossResidual), "x + cross-attention");
}

TEST(Stages, OfRecurrentModelsHaveMemoriesWhereTheirCellsHave) {
  AttentionProblem problem;
  problem.kind = &kRecurrentProblems;
  problem.recurrent.encoder.w_h = problem.recurrent.decoder.w_h = zeros(2, 8);
  const auto has = [&](Stage stage) { return std::ranges::count(stages_of(problem), stage) == 1; };
  EXPECT_FALSE(has(Stage::EncoderCell) || has(Stage::DecoderCell) || has(Stage::FixedCell));
  problem.recurrent.cell = CellKind::Lstm;
  EXPECT_TRUE(has(Stage::EncoderCell) && has(Stage::DecoderCell) && has(Stage::FixedCell));
}

TEST(SelfAttention, IsOfTheDecodersOwnRowsUnderTheirOwnMask) {
  const HeadAddress self{.attention = kSelfAttention};
  AttentionProblem problem;
  problem.shape.n_q = 3;
  problem.shape.n_k = 5;
  problem.shape.key_width = 7;
  problem.self_mask.causal = true;
  problem.self_mask.causal_offset = {2};
  problem.mask.causal_offset = {4};
  EXPECT_EQ(shape_of(problem, self), problem.shape);  // no decoder yet
  EXPECT_EQ(first_position(problem, 0), 4);
  problem.stack.blocks.resize(1);
  problem.stack.blocks.front().cross.emplace();
  EXPECT_EQ(shape_of(problem, self).n_k, 3U);
  EXPECT_EQ(shape_of(problem, self).key_width, 0U);
  EXPECT_TRUE(mask_of(problem, self).causal);
  EXPECT_FALSE(attends_across(problem, self));
  EXPECT_EQ(shape_of(problem, {}), problem.shape);
  EXPECT_TRUE(attends_across(problem, {}));
  EXPECT_EQ(first_position(problem, 0), 2);
}

}  // namespace
}  // namespace attn::test
