// The engine against other programs' results of trained models.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "document/load/read.h"
#include "document/problem.h"
#include "problems.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

using nlohmann::json;

constexpr double kTolerance = 2e-6;

std::vector<float> numbers(const json& flat) {
  std::vector<float> values;
  for (const json& value : flat) {
    values.push_back(value.is_string() ? -std::numeric_limits<float>::infinity()
                                       : value.get<float>());
  }
  return values;
}

void expect_near(const std::vector<float>& got, const std::vector<float>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;  // infinities too
    const double size = std::abs(static_cast<double>(expected[i]));
    ASSERT_NEAR(got[i], expected[i], kTolerance + kTolerance * size) << "element " << i;
  }
}

TEST(RealData, StoriesLayerWithGroupedQueriesAgreesWithAnIndependentImplementation) {
  const auto path = shared_file("data/stories260k_layer1.attn.json");
  const auto expected_path = shared_file("data/stories260k_layer1.expected.json");
  ATTNSCOPE_SKIP_WITHOUT(path && expected_path);
  const Result<Reading> read = read_document(read_text(*path), *path);
  ASSERT_TRUE(read) << describe(read.error());
  const ResultPtr result = computed(make_problem(read->document));
  const json expected = json::parse(read_text(*expected_path));
  ASSERT_EQ(result->shape().heads, 8U);
  ASSERT_EQ(result->shape().kv_heads, 4U);
  for (std::size_t head = 0; head < 8; ++head) {
    for (std::size_t q = 0; q < result->shape().n_q; ++q) {
      std::vector<float> weights(result->shape().n_k);
      result->read(Stage::Weights, {0, 0, head}, {q, 0, 1, weights.size()}, weights.data());
      expect_near(weights, numbers(expected.at("weights").at(head).at(q)));
      std::vector<float> output(result->shape().d_v);
      result->read(Stage::Output, {0, 0, head}, {q, 0, 1, output.size()}, output.data());
      expect_near(output, numbers(expected.at("output").at(head).at(q)));
    }
  }
}

// Raw scores as queries with the identity as keys make the stages after the scores those of GPT-2.
TEST(RealData, StagesOfAllHeadsOfGpt2FollowFromItsRawScores) {
  const auto path = shared_file("data/gpt2_small_0.json");
  ATTNSCOPE_SKIP_WITHOUT(path);
  const json outputs = json::parse(read_text(*path)).at("outputs");
  AttentionProblem problem = qkv_problem(12, 12, 6, 6, 6, 1);
  problem.q = Tensor({12, 12, 6, 6}, numbers(outputs.at("scores_raw").at("data")));
  std::vector<float> identity;
  for (std::size_t i = 0; i < 144 * 36; ++i) identity.push_back(i % 36 % 7 == 0 ? 1.0F : 0.0F);
  problem.k = Tensor({12, 12, 6, 6}, identity);
  problem.scoring.scale = 0.125F;
  problem.mask.causal = true;
  const ResultPtr result = computed(problem);
  const std::pair<const char*, Stage> stages[] = {{"scores_raw", Stage::Scores},
                                                  {"scores", Stage::Scaled},
                                                  {"masked_scores", Stage::Masked},
                                                  {"weights", Stage::Weights}};
  for (const auto& [name, stage] : stages) {
    std::vector<float> got;
    for (const HeadAddress& head : heads_of(problem.shape)) {
      const std::vector<float> matrix = cells(*result, stage, head);
      got.insert(got.end(), matrix.begin(), matrix.end());
    }
    SCOPED_TRACE(name);
    expect_near(got, numbers(outputs.at(name).at("data")));
  }
}

}  // namespace
}  // namespace attn::test
