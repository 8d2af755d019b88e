// The arithmetic behind a cell agrees with the computed stages.
#include "plot/account/sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "engine/measures.h"
#include "figure/text.h"

namespace attn {
namespace {

ResultPtr computed(const std::string& json) {
  return *compute(make_problem(read_document(json, "test")->document));
}

constexpr const char* kPlain = R"({"tokens": ["a", "b", "c"], "d_model": 6, "heads": 2})";
constexpr const char* kSinks = R"({"tokens": ["a", "b", "c"], "d_model": 4, "heads": 1,
  "scoring": {"temperature": 0.5, "sinks": [0.25], "softcap": 3, "scale": 2},
  "mask": {"causal": true, "alibi": true}})";
constexpr const char* kAdditive = R"({"tokens": ["a", "b", "c"], "d_model": 4, "heads": 1,
  "scoring": {"function": "additive"}})";

SoftmaxSum sum_of_row(const AttentionResult& result, std::size_t q) {
  return softmax_sum(result.problem(), {}, row_of_stage(result, Stage::Masked, {}, q));
}

std::string value_of(const std::vector<SumLine>& lines, std::string_view name) {
  const auto line = std::ranges::find(lines, name, &SumLine::name);
  return line == lines.end() ? "" : line->value;
}

TEST(CellSum, EveryLineIsTheTensorsNumber) {
  for (const char* json : {kPlain, kSinks, kAdditive}) {
    const ResultPtr result = computed(json);
    for (std::size_t q = 0; q < 3; ++q) {
      for (std::size_t k = 0; k < 3; ++k) {
        const CellHit cell{{Stage::Weights, {}}, q, k};
        const std::vector<SumLine> lines = sum_of(*result, cell);
        for (const Stage stage :
             {Stage::Scores, Stage::Scaled, Stage::Softcapped, Stage::Weights}) {
          if (!result->has(stage)) continue;
          EXPECT_EQ(value_of(lines, stage_info(stage).name),
                    with_minus(short_text(static_cast<double>(result->value(stage, {}, q, k)))));
        }
      }
    }
  }
}

TEST(CellSum, TheWeightIsTheExponentialByTheSum) {
  for (const char* json : {kPlain, kSinks, kAdditive}) {
    const ResultPtr result = computed(json);
    const auto temperature = static_cast<double>(result->problem().scoring.temperature.value_or(1));
    for (std::size_t q = 0; q < 3; ++q) {
      const SoftmaxSum sum = sum_of_row(*result, q);
      for (std::size_t k = 0; k <= q; ++k) {
        const double x = static_cast<double>(result->value(Stage::Masked, {}, q, k)) / temperature;
        EXPECT_NEAR(std::exp(x - sum.subtracted) / sum.sum,
                    static_cast<double>(result->value(Stage::Weights, {}, q, k)), 1e-6);
      }
    }
  }
}

TEST(CellSum, LargeScoresStayFinite) {
  const ResultPtr result = computed(
      R"({"tokens": ["a", "b"], "q": [[900], [1]], "k": [[900], [899]], "v": [[1], [2]]})");
  const SoftmaxSum sum = sum_of_row(*result, 0);
  EXPECT_EQ(sum.subtracted, 810000.0);
  EXPECT_EQ(sum.sum, 1.0);
}

TEST(CellSum, TheTemperatureStandsBesideWhatIsSubtracted) {
  const ResultPtr result = computed(R"({"tokens": ["a", "b"], "q": [[300], [1]], "k": [[1], [0.5]],
      "v": [[1], [2]], "scoring": {"scale": 1, "temperature": 2}})");
  const std::vector<SumLine> lines = sum_of(*result, {{Stage::Weights, {}}, 0, 0});
  const auto line = std::ranges::find(lines, "exp", &SumLine::name);
  ASSERT_NE(line, lines.end());
  EXPECT_EQ(line->label, "exp(x / 2 − 150)");
  EXPECT_EQ(line->latex, "\\exp(x / 2 - 150)");
  EXPECT_EQ(line->value, "1");
}

TEST(CellSum, OtherNormalisersNameTheTemperature) {
  const auto formula = [](const std::string& scoring) {
    const ResultPtr result = computed(
        R"({"tokens": ["a", "b"], "q": [[3], [1]], "k": [[1], [0.5]], "v": [[1], [2]],
            "scoring": )" +
        scoring + "}");
    const std::vector<SumLine> lines = sum_of(*result, {{Stage::Weights, {}}, 0, 0});
    const auto line = std::ranges::find(lines, "normaliser", &SumLine::name);
    return line->label + ", " + line->latex;
  };
  EXPECT_EQ(formula(R"({"normaliser": "sigmoid", "temperature": 2})"),
            "1 / (1 + exp(−x / 2)), \\frac{1}{1 + \\exp(-x / 2)}");
  EXPECT_EQ(formula(R"({"normaliser": "sparsemax", "temperature": 0.5})"),
            "max(0, x / 0.5 − τ), \\max(0,\\ x / 0.5 - \\tau)");
  EXPECT_EQ(formula(R"({"normaliser": "sigmoid"})"), "1 / (1 + e⁻ˣ), \\frac{1}{1 + \\exp(-x)}");
}

TEST(CellSum, AHiddenCellSaysItsRuleAndAddsNothing) {
  const ResultPtr result = computed(kSinks);
  const std::vector<SumLine> lines = sum_of(*result, {{Stage::Weights, {}}, 0, 2});
  EXPECT_EQ(value_of(lines, "masked"), "hidden by causal mask");
  EXPECT_EQ(value_of(lines, "weights"), "0");
  EXPECT_EQ(value_of(lines, "adds"), "");
  const std::vector<SumLine> seen = sum_of(*result, {{Stage::Weights, {}}, 2, 0});
  EXPECT_EQ(value_of(seen, "masked"), "not masked");
  const auto bias = static_cast<double>(bias_at(result->problem().mask, {}, 2, 0));
  EXPECT_EQ(value_of(seen, "bias"), with_minus(short_text(bias)));
}

// The bias would be lost in a float sum with a score of three millions.
TEST(CellSum, TheBiasIsThatOfTheMask) {
  const ResultPtr result = computed(R"({"tokens": ["a"], "q": [[3000000]], "k": [[1]],
      "v": [[1]], "scoring": {"scale": 1}, "mask": {"bias": [[0.1]]}})");
  EXPECT_EQ(value_of(sum_of(*result, {{Stage::Weights, {}}, 0, 0}), "bias"), "0.1");
}

TEST(CellSum, ARowWithoutASumSaysWhy) {
  const ResultPtr infinite = computed(
      R"({"tokens": ["a", "b"], "q": [[1e30], [1]], "k": [[1], [1e30]], "v": [[1], [2]]})");
  const std::vector<SumLine> lines = sum_of(*infinite, {{Stage::Weights, {}}, 0, 0});
  EXPECT_EQ(value_of(lines, "weights"), "NaN");
  EXPECT_EQ(value_of(lines, "reason"), "the logit of k₂ is infinite");
  EXPECT_EQ(value_of(lines, "adds"), "");
}

TEST(CellSum, TheThresholdOfARowIsThatOfItsLargestWeight) {
  const ResultPtr result = computed(R"({"tokens": ["a", "b", "c"], "q": [[1], [1], [1]],
      "k": [[1.5], [1], [-1]], "v": [[1], [1], [1]],
      "scoring": {"scale": 1, "normaliser": "sparsemax"}})");
  for (std::size_t key = 0; key < 3; ++key) {
    EXPECT_EQ(value_of(sum_of(*result, {{Stage::Weights, {}}, 0, key}), "threshold"), "τ = 0.75");
  }
}

TEST(CellSum, SaysThatTheFactorsItShowsAreRounded) {
  const auto terms = [](const char* q) {
    const ResultPtr result = computed(R"({"tokens": ["a"], "q": [[)" + std::string(q) +
                                      R"(]], "k": [[2]], "v": [[1]]})");
    return value_of(sum_of(*result, {{Stage::Weights, {}}, 0, 0}), "terms");
  };
  EXPECT_EQ(terms("0.256"), "0.256·2");
  EXPECT_EQ(terms("0.2561"), "≈ 0.256·2");
}

TEST(CellSum, SubscriptsAreTheNumbersOfTokensWithoutNames) {
  const auto label = [](const std::string& tokens) {
    const std::string text = R"({"q": [[1], [2]], "k": [[3], [4]], "v": [[5], [6]], "tokens": )";
    const Document document = read_document(text + tokens + "}", "test")->document;
    const ResultPtr result = *compute(make_problem(document));
    return sum_of(*result, {{Stage::Weights, {}}, 0, 1}).front().label;
  };
  EXPECT_EQ(label(R"(["a", "b"])"), "q₁ · k₂");
  EXPECT_EQ(label(R"({"count": 2})"), "q₁ · k₂");
}

TEST(CellSum, GivenWeightsHaveNothingBehindThem) {
  const ResultPtr result =
      computed(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.25, 0.75]]})");
  const std::vector<SumLine> lines = sum_of(*result, {{Stage::Weights, {}}, 1, 1});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].value, "0.75");
}

TEST(CellSum, TheSummandsOfAnOutputAddUpToIt) {
  const ResultPtr result = computed(kPlain);
  for (std::size_t col = 0; col < 3; ++col) {
    const CellHit cell{{Stage::Output, {0, 0, 1}}, 2, col};
    double sum = 0.0;
    for (const ScoreTerm& term : output_terms(*result, cell)) sum += term.product();
    EXPECT_NEAR(sum, static_cast<double>(result->value(Stage::Output, {0, 0, 1}, 2, col)), 1e-6);
  }
  EXPECT_TRUE(output_terms(*result, {{Stage::Query, {}}, 0, 0}).empty());
}

TEST(CellSum, OfOutputsAndProjectionsIsTheTensorsNumber) {
  const ResultPtr result = computed(R"({"tokens": ["a", "b", "c"], "d_model": 6, "heads": 2,
    "embeddings": [[1, 2, 3, 4, 5, 6], [0, 1, 0, -1, 0, 1], [2, 2, 2, 2, 2, 2]],
    "projections": {"b_q": [1, 2, 3, 4, 5, 6]}})");
  for (const Stage stage :
       {Stage::Output, Stage::Query, Stage::Key, Stage::Value, Stage::Projected}) {
    const CellHit cell{{stage, {}}, 1, 1};
    const std::vector<SumLine> lines = sum_of(*result, cell);
    const std::string value =
        with_minus(short_text(static_cast<double>(result->value(stage, {}, 1, 1))));
    EXPECT_EQ(value_of(lines, "total"), value) << stage_info(stage).name;
    EXPECT_EQ(value_of(lines, "bias"), stage == Stage::Query ? "2" : "") << stage_info(stage).name;
    const auto terms = std::ranges::find(lines, "terms", &SumLine::name);
    ASSERT_NE(terms, lines.end());
    EXPECT_EQ(terms->terms.size(), stage == Stage::Output ? 3U : 6U) << stage_info(stage).name;
  }
}

TEST(CellSum, TheRankCountsLargerVisibleWeights) {
  const ResultPtr result = computed(
      R"({"tokens": ["a", "b", "c", "d"], "q": [[1], [1], [1], [1]], "k": [[2], [3], [1], [9]],
          "v": [[1], [1], [1], [1]], "mask": {"causal": true}})");
  const auto rank = [&](std::size_t q, std::size_t k) {
    return weights_row(*result, {{Stage::Weights, {}}, q, k});
  };
  EXPECT_EQ(rank(2, 1)->rank, 1U);
  EXPECT_EQ(rank(2, 0)->rank, 2U);
  EXPECT_EQ(rank(2, 2)->rank, 3U);
  EXPECT_EQ(rank(2, 2)->visible, 3U) << "what is hidden does not count";
  EXPECT_EQ(rank(2, 3)->rank, 0U);
  EXPECT_FALSE(weights_row(*result, {{Stage::Scores, {}}, 0, 0}));
}

TEST(CellSum, IsCopiedWithAllOfItsNumbers) {
  const ResultPtr result = computed(
      R"({"tokens": ["a", "b"], "q": [[2, -0.5], [0, 1]], "k": [[1, 4], [0, 1]],
          "v": [[1, 0], [0, 1]]})");
  const std::vector<SumLine> lines = sum_of(*result, {{Stage::Weights, {}}, 0, 0});
  const auto written = [&](std::string_view name) {
    const auto formats = all_sum_formats();
    return std::ranges::find(formats, name, &SumFormat::name)->write("“a” takes it", lines);
  };
  const std::string text = written("text");
  EXPECT_TRUE(text.starts_with("“a” takes it\nq₁ · k₁ = 2·1 + (-0.5)·4 = 0\n÷ √dₖ = √2 = 0\n"))
      << text;
  const std::string latex = written("latex");
  EXPECT_NE(latex.find("q_{1} \\cdot k_{1} &= 2 \\cdot 1 + (-0.5) \\cdot 4 &= 0 \\\\\n"),
            std::string::npos)
      << latex;
  EXPECT_EQ(latex.find("−"), std::string::npos) << "LaTeX has its own minus";
  const ResultPtr tiny = computed(
      R"({"tokens": ["a"], "q": [[1e-6]], "k": [[-6.144]], "v": [[1]], "scoring": {"scale": 1}})");
  const std::string power =
      all_sum_formats()[1].write("", sum_of(*tiny, {{Stage::Weights, {}}, 0, 0}));
  EXPECT_NE(power.find("&= 1 \\cdot 10^{-6} \\cdot (-6.144) &= -6.144 \\cdot 10^{-6} "),
            std::string::npos)
      << power;
  const std::string markdown = written("markdown");
  EXPECT_NE(markdown.find("| q₁ · k₁ = 2·1 + (-0.5)·4 | 0 |\n"), std::string::npos) << markdown;
}

TEST(CellSum, EntropyIsThatOfTheMeasures) {
  for (const char* json : {kPlain, kSinks}) {
    const ResultPtr result = computed(json);
    const HeadMeasures measures = measure_head(*result, {});
    for (std::size_t q = 0; q < 3; ++q) {
      const auto row = weights_row(*result, {{Stage::Weights, {}}, q, 0});
      ASSERT_TRUE(row);
      EXPECT_NEAR(row->entropy, measures.row_entropy[q], 1e-12);
    }
  }
  EXPECT_NEAR(weights_row(*computed(kSinks), {{Stage::Weights, {}}, 1, 0})->most, std::log(2.0),
              1e-12);
}

}  // namespace
}  // namespace attn
