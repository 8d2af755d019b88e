// The trained example: the program computes the numbers of its training script in double precision,
// and the description of the model is true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "document/load/open.h"
#include "document/problem.h"
#include "document/token_ids.h"
#include "engine/compute.h"
#include "engine/measures.h"
#include "support/paths.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::size_t kPositions = 19;  // <s> and nine words, twice
constexpr std::size_t kRound = 9;

class TrainedExample : public ::testing::Test {
 protected:
  Document document = open_document("example:trained-transformer")->document;
  ResultPtr result = *compute(make_problem(document));
  // Written by assets/examples-sources/trained_transformer.py.
  json expected = json::parse(test::read_text(
      test::source_folder() + "/tests/core/document/golden/trained-transformer.json"));

  HeadMeasures measures(std::size_t layer, std::size_t head) const {
    const HeadAddress at{layer, 0, head};
    return measure_head(*result, at, token_ids(document, at));
  }
  double weight(std::size_t layer, std::size_t head, std::size_t query, std::size_t key) const {
    return static_cast<double>(result->value(Stage::Weights, {layer, 0, head}, query, key));
  }

  // Softmax of what the last norm gives times the embeddings, which are the output matrix too.
  std::vector<double> next_word(std::size_t query) const {
    std::vector<double> chances;
    double sum = 0.0;
    for (const json& word : expected["embeddings"]) {
      double logit = 0.0;
      for (std::size_t c = 0; c < word.size(); ++c) {
        logit += word[c].get<double>() *
                 static_cast<double>(result->value(Stage::FinalNorm, {1, 0, 0}, query, c));
      }
      sum += chances.emplace_back(std::exp(logit));
    }
    for (double& chance : chances) chance /= sum;
    return chances;
  }
  std::string likeliest(std::size_t query) const {
    const std::vector<double> chances = next_word(query);
    const auto best = std::ranges::max_element(chances) - chances.begin();
    return expected["vocabulary"][static_cast<std::size_t>(best)];
  }
};

TEST_F(TrainedExample, HasTheWeightsOfTheScript) {
  const json& weights = expected["weights"];
  ASSERT_EQ(weights.size(), 2U);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    ASSERT_EQ(weights[layer].size(), 4U);
    for (std::size_t head = 0; head < 4; ++head) {
      for (std::size_t q = 0; q < kPositions; ++q) {
        for (std::size_t k = 0; k < kPositions; ++k) {
          EXPECT_NEAR(weight(layer, head, q, k), weights[layer][head][q][k].get<double>(), 2e-5)
              << layer << " " << head << " " << q << " " << k;
        }
      }
    }
  }
}

TEST_F(TrainedExample, PredictsTheWordsOfTheScript) {
  for (std::size_t q = 0; q < kPositions; ++q) {
    const std::vector<double> chances = next_word(q);
    ASSERT_EQ(chances.size(), expected["next"][q].size());
    for (std::size_t word = 0; word < chances.size(); ++word) {
      EXPECT_NEAR(chances[word], expected["next"][q][word].get<double>(), 2e-4) << q << " " << word;
    }
  }
}

TEST_F(TrainedExample, HeadsOfLayer1LookAtTheWordBefore) {
  for (const std::size_t head : {0U, 1U}) EXPECT_GT(measures(0, head).previous_token.weight, 0.9);
  for (const std::size_t head : {2U, 3U}) EXPECT_LT(measures(0, head).previous_token.weight, 0.2);
}

TEST_F(TrainedExample, HeadsOfLayer2LookAtWhatFollowedAndAtTheFirstWord) {
  for (const std::size_t head : {1U, 2U}) {
    EXPECT_GT(measures(1, head).induction.weight, 0.8);
    for (std::size_t q = kRound + 1; q < kPositions; ++q) {
      EXPECT_GT(weight(1, head, q, q - kRound + 1), 0.6) << head << " " << q;
    }
  }
  for (std::size_t q = 2; q <= kRound; ++q) EXPECT_GT(weight(1, 3, q, 1), 0.7) << q;
}

TEST_F(TrainedExample, PredictsEveryWordOfTheSecondRound) {
  const TokenList& tokens = tokens_of(document, Side::Query);
  for (std::size_t q = kRound + 1; q + 1 < kPositions; ++q)
    EXPECT_EQ(likeliest(q), tokens[q + 1]) << q;
  EXPECT_EQ(likeliest(kPositions - 1), tokens[1]) << "a third round";
  for (std::size_t q = 3; q <= kRound; ++q) EXPECT_EQ(likeliest(q), tokens[1]) << "or a second one";
}

}  // namespace
}  // namespace attn
