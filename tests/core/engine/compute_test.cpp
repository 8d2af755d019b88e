// Contracts of compute() other than the numbers: stages, notes, ranges, limits, cancellation.
#include "engine/compute.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "base/special_numbers.h"
#include "problems.h"
#include "support/sanitizers.h"

namespace attn::test {
namespace {

// Two heads of width 1 from embeddings of width 2, projected to 3 columns.
AttentionProblem layer_problem() {
  AttentionProblem problem;
  problem.kind = &kLayerProblems;
  problem.shape = {1, 1, 2, 2, 2, 3, 1, 1, 2, 3};
  problem.query_embeddings = Tensor({1, 2, 2}, {1, 2, 3, 4});
  problem.key_embeddings = Tensor({1, 3, 1}, {1, 2, 3});
  problem.value_embeddings = problem.key_embeddings;
  problem.projections.w_q = Tensor({2, 2}, {1, 0, 0, 1});
  problem.projections.w_k = Tensor({1, 2}, {1, -1});
  problem.projections.w_v = Tensor({1, 2}, {10, 100});
  problem.projections.w_o = Tensor({2, 3}, {1, 0, 1, 0, 1, 1});
  return problem;
}

TEST(Compute, GivesTheWeightsOfTheWorkedExample) {
  AttentionProblem problem = qkv_problem(1, 1, 3, 3, 2, 1);
  problem.q = Tensor({1, 1, 3, 2}, {1, 0, 0, 1, 1, 1});
  problem.k = Tensor({1, 1, 3, 2}, {1, 0, 0, 1, 0.5F, 0.5F});
  const ResultPtr result = computed(problem);
  EXPECT_NEAR(result->value(Stage::Weights, {}, 0, 0), 0.4555, 5e-5);
  EXPECT_NEAR(result->value(Stage::Weights, {}, 0, 1), 0.2246, 5e-5);
  EXPECT_NEAR(result->value(Stage::Weights, {}, 0, 2), 0.3199, 5e-5);
  EXPECT_NEAR(result->value(Stage::Weights, {}, 2, 0), 1.0 / 3, 1e-6);
}

TEST(Compute, RowsAreQueriesAndColumnsAreKeys) {
  AttentionProblem problem = qkv_problem(1, 1, 2, 3, 1, 1);
  problem.q = Tensor({1, 1, 2, 1}, {1, 10});
  problem.k = Tensor({1, 1, 3, 1}, {1, 2, 3});
  const ResultPtr result = computed(problem);
  EXPECT_EQ(cells(*result, Stage::Scores, {}), (std::vector<float>{1, 2, 3, 10, 20, 30}));
  std::vector<float> part(2);
  result->read(Stage::Scores, {}, {0, 1, 2, 1}, part.data());
  EXPECT_EQ(part, (std::vector<float>{2, 20}));
}

TEST(Compute, HasTheStagesOfQkv) {
  AttentionProblem problem = qkv_problem(1, 1, 2, 3, 1, 1);
  using enum Stage;
  EXPECT_EQ(computed(problem)->stages(),
            (std::vector{Query, Key, Value, Scores, Scaled, Masked, Weights, Output}));
  problem.scoring.softcap = 2.0F;
  EXPECT_EQ(computed(problem)->stages(),
            (std::vector{Query, Key, Value, Scores, Scaled, Softcapped, Masked, Weights, Output}));
}

TEST(Compute, HasTheStagesOfALayer) {
  AttentionProblem problem = layer_problem();
  const ResultPtr result = computed(problem);
  EXPECT_TRUE(result->has(Stage::Projected));
  EXPECT_EQ(cells(*result, Stage::Query, {0, 0, 1}), (std::vector<float>{2, 4}));
  EXPECT_EQ(cells(*result, Stage::Key, {0, 0, 1}), (std::vector<float>{-1, -2, -3}));
  EXPECT_EQ(cells(*result, Stage::Value, {0, 0, 0}), (std::vector<float>{10, 20, 30}));
  const float head_0 = result->value(Stage::Output, {0, 0, 0}, 1, 0);
  const float head_1 = result->value(Stage::Output, {0, 0, 1}, 1, 0);
  EXPECT_EQ(result->value(Stage::Concat, {}, 1, 0), head_0);
  EXPECT_EQ(result->value(Stage::Concat, {}, 1, 1), head_1);
  EXPECT_EQ(result->value(Stage::Projected, {}, 1, 2), head_0 + head_1);
  problem.projections.w_o = Tensor();
  problem.shape.d_out = 0;
  EXPECT_FALSE(computed(problem)->has(Stage::Projected));
  EXPECT_TRUE(computed(problem)->has(Stage::Concat));
}

TEST(Compute, ShowsGivenWeightsAsTheyAre) {
  AttentionProblem problem =
      weights_problem({2, 1, 2, 1, 2}, {0.5F, 0.5F, 0.9F, 0.3F, kNaN, 0.1F, -2, 7});
  problem.mask.causal = true;
  const ResultPtr result = computed(problem);
  EXPECT_EQ(result->stages(), std::vector{Stage::Weights});
  EXPECT_EQ(cells(*result, Stage::Weights, {0, 0, 1}), (std::vector<float>{0.9F, 0.3F}));
  EXPECT_EQ(cells(*result, Stage::Weights, {1, 0, 1}), (std::vector<float>{-2, 7}));
  EXPECT_EQ(result->hidden({0, 0, 0}, 0, 1), kHiddenByCausal);
  EXPECT_EQ(result->range(Stage::Weights, {1, 0, 1})->high, -2.0F);  // 7 is hidden
  EXPECT_EQ(result->non_finite_count(Stage::Weights), 1U);
}

TEST(Range, TakesFiniteVisibleCellsOnly) {
  AttentionProblem problem = qkv_problem(1, 1, 2, 4, 1, 1);
  problem.q = Tensor({1, 1, 2, 1}, {1, 2});
  problem.k = Tensor({1, 1, 4, 1}, {1, -5, kNaN, kInfinity});
  problem.mask.key_padding = {{1, 0, 1, 1}};
  const ResultPtr result = computed(problem);
  EXPECT_EQ(result->range(Stage::Scores, {})->low, 1.0F);
  EXPECT_EQ(result->range(Stage::Scores, {})->high, 2.0F);
  EXPECT_EQ(result->range(Stage::Key, {})->low, -5.0F);
  EXPECT_EQ(result->non_finite_count(Stage::Key), 2U);
  EXPECT_EQ(result->non_finite_count(Stage::Scores), 4U);
  EXPECT_EQ(result->non_finite_count(Stage::Masked), 4U);   // hidden -inf do not count
  EXPECT_EQ(result->range(Stage::Weights, {})->low, 0.0F);  // all NaN: no range
  EXPECT_EQ(result->range(Stage::Weights, {})->high, 0.0F);
}

TEST(Range, IsThatOfTheCellsReadForRandomProblems) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const AttentionProblem problem = extreme_problem(seed);
    const ResultPtr result = computed(problem);
    for (const Stage stage : result->stages()) {
      const bool hides = stage_info(stage).token_by_token();
      std::uint64_t non_finite = 0;
      for (const HeadAddress& head : heads_of(problem.shape)) {
        if (!stage_info(stage).per_head && head.head > 0) continue;
        float low = kInfinity;
        float high = -kInfinity;
        const std::vector<float> values = cells(*result, stage, head);
        const std::size_t cols = result->stage_shape(stage).cols;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const bool hidden = hides && result->hidden(head, i / cols, i % cols) != kVisible;
          if (!std::isfinite(values[i])) {
            non_finite += hidden && stage == Stage::Masked ? 0 : 1;
          } else if (!hidden) {
            low = std::min(low, values[i]);
            high = std::max(high, values[i]);
          }
        }
        EXPECT_EQ(result->range(stage, head)->low, low > high ? 0.0F : low);
        EXPECT_EQ(result->range(stage, head)->high, low > high ? 0.0F : high);
      }
      EXPECT_EQ(result->non_finite_count(stage), non_finite) << stage_info(stage).name;
    }
  }
}

TEST(Notes, AreEmptyWhenThereIsNothingToSay) {
  EXPECT_TRUE(computed(qkv_problem(1, 2, 3, 3, 2, 1))->notes().empty());
  EXPECT_TRUE(
      computed(weights_problem({1, 1, 1, 2, 2}, {0.5F, 0.5F, 0.9995F, 0}))->notes().empty());
}

TEST(Notes, MentionRowsThatDoNotSumToOne) {
  const auto notes =
      computed(weights_problem({1, 1, 2, 2, 2}, {0.5F, 0.5F, 0.9F, 0.105F, 1, 0, 0, 1}))->notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].level, ResultNote::Level::Note);
  EXPECT_EQ(notes[0].text,
            "1 row of 4 of the weights does not sum to 1 and is shown as given (worst: head 1, "
            "query 2 sums to 1.005)");
}

TEST(Notes, WarnWhenRowsAreFarFromOneAndNameTheWorst) {
  const auto notes =
      computed(weights_problem({1, 2, 1, 2, 2}, {0.5F, 0.5F, 0.9F, 0.2F, 3, 0, 0, 1.002F}))
          ->notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].level, ResultNote::Level::Warning);
  EXPECT_EQ(notes[0].text,
            "3 rows of 4 of the weights do not sum to 1 and are shown as given (worst: sample 2, "
            "query 1 sums to 3)");
}

TEST(Notes, RowsOfZerosAndNegativeWeightsAreToldAsSuch) {
  const auto notes =
      computed(weights_problem({1, 1, 1, 4, 2}, {0.5F, 0.5F, 0, 0, 1.5F, -0.5F, 2, -1}))->notes();
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].text, "1 row of 4 of the weights sees keys and is all 0 (first: query 2)");
  EXPECT_EQ(notes[1].text, "2 rows of 4 have negative weights (first: query 3)");
  AttentionProblem padded = weights_problem({1, 1, 1, 2, 2}, {0.5F, 0.5F, 0, 0});
  padded.mask.query_padding = {{1, 0}};
  ASSERT_EQ(computed(padded)->notes().size(), 1U);
  EXPECT_EQ(computed(padded)->notes()[0].text, "1 row of 2 sees no key (first: query 2)");
}

TEST(Notes, ExpectNoSumOfARowThatSeesNoKey) {
  AttentionProblem problem = weights_problem({1, 1, 1, 2, 2}, {0.5F, 0.5F, 0, 0});
  problem.mask.query_padding = {{1, 0}};
  const auto notes = computed(problem)->notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text, "1 row of 2 sees no key (first: query 2)");
}

TEST(Notes, FlagQueriesThatSeeNoKey) {
  AttentionProblem problem = qkv_problem(2, 2, 3, 3, 2, 1);
  problem.mask.causal = true;
  problem.mask.causal_offset = {0, -1};
  const auto notes = computed(problem)->notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].level, ResultNote::Level::Note);
  EXPECT_EQ(notes[0].text,
            "2 rows of 12 see no key: weights and output are 0 there (first: sample 2, head 1, "
            "query 1)");
}

TEST(Notes, CountNonFiniteCellsByStage) {
  AttentionProblem problem = qkv_problem(1, 1, 2, 2, 2, 1);
  problem.q = problem.q.with(0, kNaN);
  const auto notes = computed(problem)->notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].level, ResultNote::Level::Warning);
  EXPECT_EQ(notes[0].text,
            "Cells that are NaN or ±Inf: 1 in q, 2 in scores, 2 in scaled, 2 in masked, 2 in "
            "weights, 2 in output");
}

TEST(MemoryLimit, RefusesBeforeAllocatingWithTheFigures) {
  AttentionProblem problem;
  problem.shape = {1, 1, 12, 12, 100'000, 100'000, 64, 64, 0, 0};
  problem.most_materialised_map_bytes = std::numeric_limits<std::uint64_t>::max();
  const Result<ResultPtr> result = compute(problem);
  ASSERT_FALSE(result);
  const Error& error = result.error();
  EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(error.message,
            "the stages need 1.7 TiB (1,920,307,200,000 bytes), more than the limit allows");
  EXPECT_EQ(error.found, "scores 447 GiB, scaled 447 GiB, masked 447 GiB");
  EXPECT_EQ(error.expected, "at most 4.0 GiB (4,294,967,296 bytes) in all");
  EXPECT_FALSE(error.hint.empty());
}

TEST(MemoryLimit, IsInclusive) {
  const AttentionProblem problem = qkv_problem(1, 1, 4, 4, 2, 1);
  ComputeOptions options;
  options.memory_limit_bytes = predicted_bytes(problem);
  EXPECT_TRUE(compute(problem, options));
  --options.memory_limit_bytes;
  EXPECT_FALSE(compute(problem, options));
}

TEST(MemoryLimit, WhatTheSystemCannotGiveIsAnErrorToo) {
#ifdef ATTNSCOPE_SANITIZED_ALLOCATOR
  GTEST_SKIP() << "the sanitizer's allocator does not fail, it aborts";
#endif
  AttentionProblem problem;
  problem.shape = {1, 1, 1, 1, std::size_t{1} << 28, std::size_t{1} << 28, 1, 1, 0, 0};
  problem.most_materialised_map_bytes = std::numeric_limits<std::uint64_t>::max();
  ComputeOptions options;
  options.memory_limit_bytes = std::numeric_limits<std::uint64_t>::max();
  const Result<ResultPtr> result = compute(problem, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::OverMemoryLimit);
}

TEST(Cancelling, EndsInInterrupted) {
  Progress progress;
  progress.cancelled = true;
  ComputeOptions options;
  options.progress = &progress;
  for (const AttentionProblem& problem : {qkv_problem(1, 2, 100, 100, 8, 1), layer_problem(),
                                          weights_problem({1, 1, 1, 1, 1}, {1.0F})}) {
    const Result<ResultPtr> result = compute(problem, options);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Interrupted);
  }
}

// Progress of stacks, single layers and encoder–decoders consists of parts.
TEST(Progress, NeverGoesBack) {
  for (const AttentionProblem& problem :
       {stack_problem(4), stack_problem(8), layer_problem(), recurrent_problem(2)}) {
    Progress progress;
    ComputeOptions options;
    options.progress = &progress;
    options.threads = 1;
    std::atomic<bool> finished{false};
    float last = 0.0F;
    bool back = false;
    std::thread watcher([&] {
      while (!finished) {
        const float now = progress.fraction;
        back = back || now < last;
        last = now;
      }
    });
    EXPECT_TRUE(compute(problem, options));
    finished = true;
    watcher.join();
    EXPECT_FALSE(back);
    EXPECT_NEAR(progress.fraction, 1.0F, 1e-5F);
  }
}

TEST(Cancelling, WorksFromAnotherThread) {
  Progress progress;
  ComputeOptions options;
  options.progress = &progress;
  std::thread canceller([&] {
    while (progress.fraction == 0.0F) std::this_thread::yield();
    progress.cancelled = true;
  });
  AttentionProblem problem = qkv_problem(1, 40, 400, 400, 8, 1);
  problem.most_materialised_map_bytes = std::numeric_limits<std::uint64_t>::max();
  const Result<ResultPtr> result = compute(std::move(problem), options);
  canceller.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Interrupted);
}

}  // namespace
}  // namespace attn::test
