// Logits in parts: of vocabularies and texts larger than what is computed at once.
#include "kinds/parts/logits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "engine/kernels/parallel.h"
#include "tests/core/document/folder/model_folder.h"

namespace attn {
namespace {

constexpr std::size_t kLongText = 300, kManyTokens = 2500, kNarrow = 8;

// A model of one layer with a head of its own.
ResultPtr computed(float of_head = 1.0F) {
  Random random(3);
  test::Arrays arrays;
  const auto add = [&](const std::string& name, const Shape& shape) {
    std::vector<float> numbers(element_count(shape));
    for (float& number : numbers) number = random.normal();
    arrays[name] = {shape, std::move(numbers)};
  };
  add("model.embed_tokens.weight", {kManyTokens, kNarrow});
  add("lm_head.weight", {kManyTokens, kNarrow});
  add("model.norm.weight", {kNarrow});
  for (const char* name : {"input_layernorm", "post_attention_layernorm"}) {
    add("model.layers.0." + std::string(name) + ".weight", {kNarrow});
  }
  for (const char* name : {"q", "k", "v", "o"}) {
    add("model.layers.0.self_attn." + std::string(name) + "_proj.weight", {kNarrow, kNarrow});
  }
  for (const char* name : {"gate", "up", "down"}) {
    add("model.layers.0.mlp." + std::string(name) + "_proj.weight", {kNarrow, kNarrow});
  }
  arrays["lm_head.weight"].numbers[5] *= of_head;
  const test::ModelFolder folder(R"({"model_type": "llama", "hidden_size": 8,
      "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8})",
                                 arrays);
  ReadOptions options;
  for (std::size_t i = 0; i < kLongText; ++i) options.input.ids.push_back(i * 7 % kManyTokens);
  return *compute(make_problem(open_document(folder.path(), options)->document));
}

TEST(Logits, AreThoseOfOneRowAfterTheOther) {
  const ResultPtr result = computed();
  const AttentionProblem& problem = result->problem();
  const auto whole = logits_of(*result, last_rows(problem, 0, 0, kLongText), nullptr);
  const Tensor& head = problem.vocabulary->head;
  for (const std::size_t row : {0U, 255U, 256U, 299U}) {
    const auto one = logits_of(*result, last_rows(problem, 0, row, 1), nullptr);
    EXPECT_TRUE(std::ranges::equal(
        one->logits, std::span(whole->logits).subspan(row * kManyTokens, kManyTokens)));
    double sum = 0;
    for (std::size_t id = 0; id < kManyTokens; ++id) {
      double logit = 0;
      for (std::size_t c = 0; c < kNarrow; ++c) {
        logit += static_cast<double>(result->value(Stage::FinalNorm, {}, row, c)) *
                 static_cast<double>(head[id * kNarrow + c]);
      }
      EXPECT_NEAR(one->logits[id], logit, 1e-5 * (1 + std::abs(logit)));
      sum += std::exp(logit);
    }
    EXPECT_NEAR(one->log_sums[0], std::log(sum), 1e-5);
  }
}

TEST(Logits, HaveTheSameBitsOnAnyNumberOfThreads) {
  const ResultPtr result = computed();
  const PredictedRows rows = last_rows(result->problem(), 0, 0, kLongText);
  use_threads(1);
  const auto expected = logits_of(*result, rows, nullptr);
  for (const unsigned threads : {2U, 8U}) {
    use_threads(threads);
    EXPECT_EQ(logits_of(*result, rows, nullptr)->logits, expected->logits) << threads;
  }
  use_threads(0);
}

TEST(Logits, HaveTheLikeliestOfAllParts) {
  const ResultPtr result = computed();
  const PredictedRows rows{0, 0, 2, 10, 280};
  const auto all = logits_of(*result, rows, nullptr);
  const auto found = predictions_of(*result, rows, 7, nullptr);
  ASSERT_EQ(found->tokens.size(), rows.count() * 7);
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const std::vector<std::uint32_t> ids = likeliest(*all, row, 7);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ASSERT_EQ(found->of(row)[i].id, ids[i]) << row;
      ASSERT_NEAR(found->of(row)[i].share, all->share(row, ids[i]), 1e-12);
    }
  }
}

TEST(Logits, ThatAreNoNumbersAreNeverLikely) {
  const ResultPtr result = computed(std::nanf(""));
  const PredictedRows rows = last_rows(result->problem(), 0, 0, 3);
  const auto all = logits_of(*result, rows, nullptr);
  ASSERT_TRUE(std::isnan(all->logits[0]));
  EXPECT_NE(likeliest(*all, 0, 1).front(), 0U);
  EXPECT_TRUE(std::isnan(all->share(0, 1)));
  EXPECT_TRUE(std::isnan(predictions_of(*result, rows, 1, nullptr)->of(0)[0].share));
}

TEST(Logits, EndWhenTheyAreCancelled) {
  const ResultPtr result = computed();
  Progress progress;
  progress.cancelled = true;
  EXPECT_TRUE(
      predictions_of(*result, last_rows(result->problem(), 0, 0, 3), 1, &progress)->tokens.empty());
}

}  // namespace
}  // namespace attn
