// The models of assets/models: the program computes the numbers of their training scripts in double
// precision, and what docs/MODELS.md claims of their heads is true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "document/folder/source.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "kinds/parts/atlas.h"
#include "kinds/parts/logits.h"
#include "kinds/parts/vocabulary.h"
#include "support/paths.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using nlohmann::json;

// A text as a model reads it, computed.
struct Reads {
  Document document;
  ResultPtr result;

  std::vector<float> row(std::size_t layer, std::size_t head, std::size_t query) const {
    std::vector<float> weights(tokens_of(document, Side::Key).size());
    result->read(Stage::Weights, {layer, 0, head}, {query, 0, 1, weights.size()}, weights.data());
    return weights;
  }
  // Likeliest tokens at a place.
  std::shared_ptr<Predictions> predictions(std::size_t place, std::size_t most) const {
    return predictions_of(*result, last_rows(result->problem(), 0, place, 1), most, nullptr);
  }
  std::string likeliest(std::size_t place) const {
    return document.source_model->vocabulary->tokenizer->token(predictions(place, 1)->tokens[0].id);
  }
};

std::size_t largest(const std::vector<float>& numbers) {
  return static_cast<std::size_t>(std::ranges::max_element(numbers) - numbers.begin());
}

// A head that docs/MODELS.md names, and how often its largest weight is where it says.
struct Claim {
  const char *question, *place;
  std::size_t layer, head;  // from 0
  double share, mean;       // at least
};

struct Model {
  const char* name;
  std::size_t questions;
  std::vector<Claim> claims;
};

class OwnModels : public testing::TestWithParam<Model> {
 protected:
  // Written by the script of the model in assets/examples-sources.
  json expected = json::parse(test::read_text(
      test::source_folder() + "/tests/core/document/golden/" + GetParam().name + ".json"));

  Document opened =
      open_document(test::source_folder() + "/assets/models/" + GetParam().name)->document;

  Reads read(const std::string& text) const {
    Document document = *with_text(opened, text, kUsualMemoryLimitBytes);
    ResultPtr result = *compute(make_problem(document));
    return {std::move(document), std::move(result)};
  }
  static void expect_near(const std::vector<float>& numbers, const json& wanted, double most) {
    ASSERT_EQ(numbers.size(), wanted.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(numbers[i]), wanted[i].get<double>(), most) << i;
    }
  }
};

TEST_P(OwnModels, ReadTextsAsTheScriptDoes) {
  for (const json& text : expected["texts"]) {
    SCOPED_TRACE(text["text"]);
    const Reads reads = read(text["text"]);
    EXPECT_EQ(json(reads.document.source_model->ids), text["ids"]);
    EXPECT_EQ(json(tokens_of(reads.document, Side::Query).texts()), text["tokens"]);
    if (!text.contains("rows")) continue;
    for (std::size_t layer = 0; layer < 3; ++layer) {
      for (std::size_t head = 0; head < 4; ++head) {
        expect_near(reads.row(layer, head, text["row"]), text["rows"][layer][head], 2e-5);
      }
    }
  }
}

TEST_P(OwnModels, HaveTheWeightsOfTheScript) {
  const Reads reads = read(expected["texts"][0]["text"]);
  ASSERT_EQ(expected["attention"].size(), 3U);
  for (std::size_t layer = 0; layer < 3; ++layer) {
    for (std::size_t head = 0; head < 4; ++head) {
      const json& rows = expected["attention"][layer][head];
      for (std::size_t query = 0; query < rows.size(); ++query) {
        SCOPED_TRACE(query);
        expect_near(reads.row(layer, head, query), rows[query], 2e-5);
      }
    }
  }
}

TEST_P(OwnModels, SayTheWordsOfTheScript) {
  std::size_t count = 0;
  for (const json& text : expected["texts"]) {
    if (!text.contains("likeliest")) continue;
    SCOPED_TRACE(text["text"]);
    const json& wanted = text["likeliest"];
    const std::size_t place = text.contains("mask") ? text["mask"] : text["row"];
    const auto found = read(text["text"]).predictions(place, wanted.size());
    ASSERT_EQ(found->tokens.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto logit = wanted[i]["logit"].get<float>();
      EXPECT_EQ(found->tokens[i].id, wanted[i]["id"]) << i;
      EXPECT_NEAR(found->tokens[i].logit, logit, 1e-4F * (1 + std::abs(logit))) << i;
    }
    ++count;
  }
  EXPECT_GE(count, 4U);
}

// Reads sentences whose pairs of words were not together in training.
TEST_P(OwnModels, HaveTheHeadsThatAreClaimed) {
  for (const Claim& claim : GetParam().claims) {
    double found = 0.0, sum = 0.0, count = 0.0;
    for (const json& asked : expected["asked"]) {
      if (asked["question"] != claim.question) continue;
      const json& place = asked["places"][claim.place];
      const std::vector<float> row = read(asked["text"]).row(claim.layer, claim.head, place[0]);
      if (largest(row) == place[1]) ++found;
      sum += static_cast<double>(row[place[1]]);
      ++count;
    }
    EXPECT_GE(found / count, claim.share) << claim.question << " " << claim.place;
    EXPECT_GE(sum / count, claim.mean) << claim.question << " " << claim.place;
  }
}

TEST_P(OwnModels, AnswerWhatIsAsked) {
  std::map<std::string, std::pair<double, double>> right;  // of how many
  for (const json& asked : expected["asked"]) {
    if (!asked.contains("right")) continue;
    const Reads reads = read(asked["text"]);
    const std::string word = reads.likeliest(tokens_of(reads.document, Side::Query).size() - 1);
    auto& [found, count] = right[asked["question"]];
    for (const json& one : asked["right"]) found += one == word ? 1.0 : 0.0;
    ++count;
  }
  right.erase("pair");  // of any names, of which docs/MODELS.md says how many are right
  for (const auto& [question, counts] : right) {
    EXPECT_GE(counts.first / counts.second, 0.9) << question;
  }
  EXPECT_EQ(right.size(), GetParam().questions);
}

// Mean divergences without each head, over texts and the places that they ask about, by 4·layer +
// head.
std::vector<double> mean_effects(const std::vector<Reads>& all,
                                 const std::vector<std::size_t>& at) {
  std::vector<double> means(12);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto atlas = atlas_of(all[i].result, {{}, at[i]}, nullptr).value();
    for (std::size_t head = 0; head < means.size(); ++head) {
      means[head] += atlas->effects[head].divergence / static_cast<double>(all.size());
    }
  }
  return means;
}

// Heads with their means as docs/MODELS.md states them, and the largest mean of any other.
struct Effects {
  const char* question;
  std::vector<std::pair<std::size_t, double>> heads;
  double others;
};

void expect_effects(std::vector<double> means, const Effects& claimed) {
  for (const auto& [head, mean] : claimed.heads) {
    EXPECT_NEAR(means[head], mean, 0.051) << claimed.question << " " << head;
    means[head] = 0.0;
  }
  EXPECT_LT(*std::ranges::max_element(means), claimed.others) << claimed.question;
}

TEST_P(OwnModels, NeedTheHeadsThatAreClaimed) {
  const bool is_encoder = std::string_view(GetParam().name) == "pronoun-encoder";
  const std::vector<Effects> claims =
      is_encoder
          ? std::vector<Effects>{{"it", {{5, 0.84}, {10, 0.79}, {9, 0.18}}, 0.1}}
          : std::vector<Effects>{{"tom was hungry of 2", {{3, 2.8}, {1, 2.4}, {11, 0.9}}, 0.1},
                                 {"tom was hungry of 4", {{3, 3.5}, {1, 2.6}, {11, 1.3}}, 0.1},
                                 {"hungry tom of 2", {{3, 2.2}, {1, 2.8}, {11, 2.3}}, 0.2},
                                 {"hungry tom of 4", {{3, 3.6}, {1, 2.1}, {11, 1.5}}, 0.2},
                                 {"name", {{3, 2.0}, {1, 1.1}}, 0.21},
                                 {"verb", {{2, 3.5}, {0, 0.8}}, 0.06}};
  for (const Effects& claimed : claims) {
    std::vector<Reads> all;
    std::vector<std::size_t> places;
    for (const json& asked : expected["asked"]) {
      if (asked["question"] != claimed.question || all.size() == (is_encoder ? 30U : 20U)) continue;
      const std::string text = asked["text"];
      const std::size_t end = text.rfind(' '), begin = text.rfind(' ', end - 1) + 1;
      all.push_back(read(is_encoder
                             ? text + " so the [MASK] was " + text.substr(begin, end - begin) + " ."
                             : text));
      const TokenList& tokens = tokens_of(all.back().document, Side::Query);
      places.push_back(tokens.size() - (is_encoder ? 5 : 1));
      EXPECT_TRUE(!is_encoder || tokens[places.back()] == "[MASK]");
    }
    expect_effects(mean_effects(all, places), claimed);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Package, OwnModels,
    testing::Values(Model{"pronoun-encoder", 0, {{"it", "noun", 2, 1, 0.97, 0.85}}},
                    Model{"stories-decoder",
                          6,
                          {{"verb", "noun", 2, 3, 0.9, 0.9},
                           {"tom was hungry of 2", "state", 2, 0, 0.9, 0.9},
                           {"tom was hungry of 4", "state", 2, 0, 0.9, 0.9},
                           {"hungry tom of 4", "state", 2, 0, 0.9, 0.9},
                           {"tom was hungry of 2", "stop", 1, 0, 0.9, 0.6}}}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace attn
