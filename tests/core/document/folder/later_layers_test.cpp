// Blocks that are computed when they are read have the bits of those that were computed at once.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "engine/layers_result.h"

namespace attn {
namespace {

AttentionProblem five_blocks() {
  return make_problem(read_document(R"({"tokens": ["a", "b", "c", "d"], "d_model": 8, "heads": 2,
      "blocks": 5, "norms": {"order": "pre", "final": {}}})",
                                    "test")
                          ->document);
}

std::vector<float> cells(const AttentionResult& result, Stage stage, const HeadAddress& at) {
  const StageShape shape = result.stage_shape(stage);
  std::vector<float> values(shape.rows * shape.cols);
  result.read(stage, at, {0, 0, shape.rows, shape.cols}, values.data());
  return values;
}

TEST(LaterLayers, HaveTheSameBitsWhenTheyAreRead) {
  const AttentionProblem problem = five_blocks();
  const ResultPtr whole = compute(problem).value();
  for (const std::size_t layers : {0U, 1U, 3U}) {
    const ResultPtr some = compute(problem, {.layers = layers}).value();
    for (const std::size_t layer : {0U, 3U, 1U, 4U}) {
      for (const Stage stage : whole->stages()) {
        const HeadAddress at{layer, 0, stage_info(stage).per_head ? std::size_t{1} : 0};
        EXPECT_EQ(cells(*some, stage, at), cells(*whole, stage, at)) << layers << " " << layer;
      }
    }
    EXPECT_EQ(some->range(Stage::Weights, {4, 0, 0})->high,
              whole->range(Stage::Weights, {4, 0, 0})->high);
  }
}

TEST(LaterLayers, MayBeReadFirst) {
  const AttentionProblem problem = five_blocks();
  const ResultPtr whole = compute(problem).value();
  const auto some = [&] { return compute(problem, {.layers = 1}).value(); };
  EXPECT_EQ(some()->range(Stage::Weights, {4, 0, 0})->high,
            whole->range(Stage::Weights, {4, 0, 0})->high);
  EXPECT_EQ(cells(*some(), Stage::FinalNorm, {}), cells(*whole, Stage::FinalNorm, {}));
  EXPECT_EQ(some()->non_finite_count(Stage::Weights), 0U);
}

TEST(LaterLayers, AreComputedOnceForAllThreads) {
  const AttentionProblem problem = five_blocks();
  const std::vector<float> expected = cells(*compute(problem).value(), Stage::Weights, {4, 0, 1});
  const ResultPtr some = compute(problem, {.layers = 1}).value();
  std::vector<std::vector<float>> found(8);
  std::vector<std::thread> readers;
  for (std::vector<float>& one : found) {
    readers.emplace_back([&] { one = cells(*some, Stage::Weights, {4, 0, 1}); });
  }
  for (std::thread& reader : readers) reader.join();
  for (const std::vector<float>& one : found) EXPECT_EQ(one, expected);
}

TEST(LaterLayers, AreNoReasonToReuseWrongOnes) {
  const AttentionProblem problem = five_blocks();
  const ResultPtr whole = compute(problem).value();
  const ResultPtr some = compute(problem, {.layers = 2}).value();
  const ResultPtr again = compute(problem, {.before = some}).value();
  EXPECT_EQ(cells(*again, Stage::FinalNorm, {}), cells(*whole, Stage::FinalNorm, {}));
}

TEST(LaterLayers, ThatAreThereAreReused) {
  const AttentionProblem problem = five_blocks();
  const ResultPtr some = compute(problem, {.layers = 2}).value();
  EXPECT_EQ(some->layers_ready(), 2U);
  const ResultPtr rest = compute(problem, {.before = some}).value();
  EXPECT_EQ(rest->layers_ready(), 5U);
  EXPECT_EQ(some->layers_ready(), 2U) << "computing the others reads none of it";
  const auto& known = dynamic_cast<const LayersResult&>(*some);
  const auto& now = dynamic_cast<const LayersResult&>(*rest);
  for (std::size_t layer = 0; layer < 5; ++layer) {
    EXPECT_EQ(known.layers({})[layer] == now.layers({})[layer], layer < 2) << layer;
  }
}

}  // namespace
}  // namespace attn
