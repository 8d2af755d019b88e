// The plot of one weight: its numbers are those of the tensors, and reveal nothing that is
// concealed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/special_numbers.h"
#include "lesson/concealed.h"
#include "plot/account/equation.h"
#include "plot/account/steps.h"
#include "plot/account/sums.h"
#include "support/fake_result.h"
#include "support/figure_items.h"
#include "tests/core/plot/computed_case.h"

namespace attn {
namespace {

using test::computed_json;
using test::ComputedCase;
using test::FixedMetrics;
using test::items_of;
using test::says;

constexpr const char* kLove = R"({"title": "I love cats", "tokens": ["I", "love", "cats"],
    "q": [[1, 0], [2, 2], [1, 1]], "k": [[0.5, 0], [0, 0], [1, 1]], "v": [[1, 0], [0, 1], [4, 2]],
    "scoring": {"scale": 0.5}})";

CellHit weight_cell(std::size_t row, std::size_t col, HeadAddress at = {}) {
  return {{Stage::Weights, at}, row, col};
}

Figure why(const ComputedCase& of, const CellHit& cell) {
  PlotOptions options;
  options.pins = {cell};
  options.at = cell.matrix.head;
  return test::draw("why", of.input(), options, FixedMetrics()).value();
}

std::string text_of_equation(const ComputedCase& of, const CellHit& cell,
                             EquationFormat format = EquationFormat::Text) {
  return equation_of(of.input(), cell, format);
}

constexpr const char* kScorings[] = {R"({"function": "scaled_dot"})",
                                     R"({"function": "additive"})",
                                     R"({"function": "general"})",
                                     R"({"function": "concat", "temperature": 0.5})",
                                     R"({"function": "dot", "softcap": 2, "sinks": [0.5]})",
                                     R"({"normaliser": "sigmoid"})",
                                     R"({"normaliser": "sparsemax"})"};

ComputedCase scored(const char* scoring) {
  return computed_json(
      R"({"tokens": ["a", "b", "c", "d"], "d_model": 6, "heads": 2, "mask": {"causal":
      true, "alibi": true}, "scoring": )" +
      std::string(scoring) + "}");
}

TEST(Why, TheDecimalsAreThoseOfTheEquation) {
  const ComputedCase of = computed_json(kLove);
  PlotOptions options;
  options.pins = {weight_cell(1, 2)};
  for (const int decimals : {0, 2, 4, 6}) {
    options.decimals = decimals;
    const Figure figure = test::draw("why", of.input(), options, FixedMetrics()).value();
    const double weight = static_cast<double>(of.result->value(Stage::Weights, {}, 1, 2));
    const std::string end = "= " + fixed_text(weight, decimals);
    ASSERT_EQ(figure.equation.size(), 3U);
    for (const std::string& equation : figure.equation) {
      EXPECT_NE((equation + "$").find(end + (equation.ends_with('$') ? "$" : "")),
                std::string::npos)
          << equation;
      EXPECT_NE(equation.find("(" + fixed_text(2.0, decimals) + ")"), std::string::npos)
          << equation;
    }
    EXPECT_TRUE(says(figure, end)) << end;
  }
}

TEST(Why, TermsHaveTheNamesThatTheyHaveInTheFlow) {
  for (const char* scoring : kScorings) {
    const ComputedCase of = scored(scoring);
    PlotOptions options;
    options.pins = {weight_cell(2, 1)};
    const auto words = [&](const char* plot) {
      return test::texts_of(test::draw(plot, of.input(), options, FixedMetrics()).value());
    };
    const auto numbers = account_of(*of.result, weight_cell(2, 1));
    const FittedView view(of.input(), options);
    for (const char* plot : {"why", "flow"}) {
      const std::vector<std::string> texts = words(plot);
      for (std::size_t i = 0; i < std::min<std::size_t>(numbers.terms.size(), 2); ++i) {
        const std::string name = name_of_term(view, numbers.terms[i].index);
        EXPECT_EQ(name, std::to_string(numbers.terms[i].index + 1)) << "counted from 1";
        EXPECT_GT(std::ranges::count(texts, name), 0) << plot << scoring << name;
      }
      const bool by_units = std::ranges::count(texts, "unit") > 0;
      EXPECT_EQ(by_units, has_hidden_units(of.result->problem().scoring.function))
          << plot << scoring;
    }
  }
}

TEST(Why, TheSummandsAreTheScoreAndItsStepsAreTheStages) {
  for (const char* scoring : kScorings) {
    const ComputedCase of = scored(scoring);
    const CellHit cell = weight_cell(3, 1, {0, 0, 1});
    const Account numbers = account_of(*of.result, cell);
    double sum = 0.0;
    for (const ScoreTerm& term : numbers.terms) sum += term.product();
    EXPECT_NEAR(sum, numbers.number(Stage::Scores, cell.col), 1e-5) << scoring;
    for (const Account::Step& step : numbers.steps) {
      const float value = of.result->value(step.stage, cell.matrix.head, cell.row, cell.col);
      EXPECT_EQ(step.row[cell.col], value) << scoring;
    }
    EXPECT_TRUE(std::ranges::is_sorted(numbers.terms, std::ranges::greater{},
                                       [](const ScoreTerm& t) { return std::abs(t.product()); }));
  }
}

// The engine's weight of the same row with another score of this key, which a bias makes.
Account account_without_terms(const AttentionResult& result, const CellHit& cell) {
  Account account = account_of(result, cell);
  add_without(account, result);
  return account;
}

TEST(Why, WithoutADimensionIsWhatTheEngineWouldGive) {
  for (const char* scoring : kScorings) {
    const ComputedCase of = scored(scoring);
    const Account numbers = account_without_terms(*of.result, weight_cell(3, 1));
    ASSERT_FALSE(numbers.without.empty()) << scoring;
    RowOfLogits row{numbers.logits(), numbers.hidden, 1,
                    static_cast<double>(bias_at(of.result->problem().mask, {}, 3, 1))};
    const double score = numbers.number(Stage::Scores, 1);
    EXPECT_NEAR(weight_with_score(of.result->problem(), {}, row, score), numbers.weight, 1e-6)
        << scoring;
    EXPECT_EQ(numbers.without[0],
              weight_with_score(of.result->problem(), {}, row, score - numbers.terms[0].product()));
  }
  const ComputedCase love =
      computed_json(kLove);  // logits 0.5, 0, 2: without a half of the last, 1
  const Account numbers = account_without_terms(*love.result, weight_cell(1, 2));
  const double expected = std::exp(1.0) / (std::exp(0.5) + 1.0 + std::exp(1.0));
  EXPECT_NEAR(static_cast<double>(numbers.without[0]), expected, 1e-6);
}

// The logits are 0.5, 0 and 2.
TEST(Why, HasTheSumOfTheInspectorAndTheFlow) {
  const ComputedCase of = computed_json(kLove);
  const std::vector<SumLine> lines = sum_of(*of.result, weight_cell(1, 2));
  const auto sum = std::ranges::find(lines, "row_sum", &SumLine::name);
  ASSERT_NE(sum, lines.end());
  EXPECT_EQ(sum->value, "10.04");
  EXPECT_TRUE(test::has_text(why(of, weight_cell(1, 2)), "10.04"));
  PlotOptions options;
  options.pins = {weight_cell(1, 2)};
  const Figure flow = test::draw("flow", of.input(), options, FixedMetrics()).value();
  EXPECT_TRUE(test::has_text(flow, "Σ 10.04"));
}

TEST(Why, TheFigureHasTheNumbersOfTheTensors) {
  const ComputedCase of = computed_json(kLove);
  const Figure figure = why(of, weight_cell(1, 2));
  const double weight = static_cast<double>(of.result->value(Stage::Weights, {}, 1, 2));
  const double output = static_cast<double>(of.result->value(Stage::Output, {}, 1, 0));
  for (const std::string& text :
       {std::string("2.00"), fixed_text(weight, 3), fixed_text(4.0 * weight, 2),
        fixed_text(output, 2), fixed_text(400.0 * weight / output, 1) + " %"}) {
    EXPECT_TRUE(test::has_text(figure, text)) << text;
  }
  std::vector<std::size_t> keys;
  for (const RectItem& item : items_of<RectItem>(figure)) {
    const auto* cell = std::get_if<CellHit>(&item.hit);
    if (cell == nullptr) continue;
    EXPECT_EQ(cell->matrix, (MatrixId{Stage::Weights, {}}));
    EXPECT_EQ(cell->row, 1U);
    keys.push_back(cell->col);
  }
  EXPECT_EQ(keys, (std::vector<std::size_t>{0, 1, 2})) << "a click explains another cell";
}

TEST(Why, WithoutAPinItIsTheLargestWeightOfTheLastQuery) {
  const ComputedCase of = computed_json(kLove);
  const Figure figure = test::draw("why", of.input(), {}, FixedMetrics()).value();
  EXPECT_TRUE(says(figure, "“cats” (query 3) takes"));
  EXPECT_TRUE(says(figure, "from “cats” (key 3)"));
  PlotOptions elsewhere;
  elsewhere.pins = {{{Stage::Output, {}}, 0, 1}};
  EXPECT_TRUE(says(test::draw("why", of.input(), elsewhere, FixedMetrics()).value(), "(query 3)"));
}

TEST(Why, WithoutAPinTheQueryOfTheViewIsShown) {
  const ComputedCase of = computed_json(kLove);
  PlotOptions options;
  options.token = "query 1";
  EXPECT_TRUE(says(test::draw("why", of.input(), options, FixedMetrics()).value(), "(query 2)"));
  options.token = "query 99";
  EXPECT_TRUE(says(test::draw("why", of.input(), options, FixedMetrics()).value(), "(query 3)"));
}

TEST(Why, LongRowsAndWideHeadsAreSummedUp) {
  const ComputedCase of = computed_json(R"({"tokens": 300, "d_model": 128, "heads": 1})");
  const Figure figure = why(of, weight_cell(7, 200));
  EXPECT_TRUE(says(figure, "… 292 more"));
  EXPECT_TRUE(says(figure, "… 120 more"));
  EXPECT_TRUE(says(figure, "The largest 8 of 128 dimensions."));
  EXPECT_TRUE(says(figure, "[294")) << "in the equation";
  EXPECT_TRUE(test::has_text(figure, "1.000"));
}

TEST(Why, SaysWhatIsHiddenOrGiven) {
  const ComputedCase hidden = scored(kScorings[0]);
  const Figure figure = why(hidden, weight_cell(1, 3));
  EXPECT_TRUE(says(figure, "cannot see “d” (key 4): hidden by causal mask"));
  EXPECT_TRUE(says(figure, "2 keys are hidden and have no weight."));
  EXPECT_FALSE(says(figure, "without"));
  const ComputedCase given =
      computed_json(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.25, 0.75]]})");
  const Figure row = why(given, weight_cell(1, 1));
  EXPECT_TRUE(says(row, "as it was given"));
  EXPECT_TRUE(test::has_text(row, "0.250"));
  EXPECT_FALSE(says(row, "The score"));
}

// --- equations

TEST(Equation, IsTheSoftmaxOfTheRow) {
  const ComputedCase of = computed_json(kLove);
  const CellHit cell = weight_cell(1, 2);
  EXPECT_EQ(text_of_equation(of, cell),
            "weights[\"love\", \"cats\"] = exp(2.00) / (exp(0.50) + exp(0.00) + exp(2.00)) = 0.74");
  const std::string latex =
      "\\mathrm{weights}[\\text{love},\\ \\text{cats}] = "
      "\\frac{\\exp(2.00)}{\\exp(0.50) + \\exp(0.00) + \\exp(2.00)} = 0.74";
  EXPECT_EQ(text_of_equation(of, cell, EquationFormat::Latex), latex);
  EXPECT_EQ(text_of_equation(of, cell, EquationFormat::Markdown), "$" + latex + "$");
  EXPECT_EQ(text_of_equation(of, {{Stage::Query, {}}, 1, 1}), "");
}

TEST(Equation, EscapesTokens) {
  EXPECT_EQ(latex_text("a_b & 5% #1 {x} \\ ~^ $ 猫"),
            "a\\_b \\& 5\\% \\#1 \\{x\\} \\textbackslash{} \\textasciitilde{}\\textasciicircum{} "
            "\\$ 猫");
  const ComputedCase of =
      computed_json(R"({"tokens": ["a_b", "Ġ50%"], "attention": [[1, 0], [0.25, 0.75]]})");
  EXPECT_EQ(text_of_equation(of, weight_cell(1, 0), EquationFormat::Latex),
            "\\mathrm{weights}[\\text{50\\%},\\ \\text{a\\_b}] = 0.25");
}

TEST(Equation, OfOtherNormalisersAndOfWhatIsHidden) {
  const auto number = [](const ComputedCase& of, Stage stage) {
    return fixed_text(static_cast<double>(of.result->value(stage, {}, 3, 1)), 2);
  };
  const ComputedCase sigmoid = scored(kScorings[5]);
  const double logit = static_cast<double>(sigmoid.result->value(Stage::Masked, {}, 3, 1));
  EXPECT_EQ(text_of_equation(sigmoid, weight_cell(3, 1)),
            "weights[head 1, \"d\", \"b\"] = 1 / (1 + exp(" + fixed_text(-logit, 2) +
                ")) = " + number(sigmoid, Stage::Weights));
  const std::string sinks = text_of_equation(scored(kScorings[4]), weight_cell(3, 1));
  EXPECT_NE(sinks.find(" [sink]) = "), std::string::npos) << sinks;
  const std::string temperature = text_of_equation(scored(kScorings[3]), weight_cell(3, 1));
  EXPECT_NE(temperature.find(" / 0.50)"), std::string::npos) << temperature;
  EXPECT_EQ(text_of_equation(scored(kScorings[0]), weight_cell(0, 2)),
            "weights[head 1, \"a\", \"c\"] = 0.00  (hidden by causal mask)");
  const ComputedCase large = computed_json(
      R"({"tokens": ["a", "b"], "q": [[900], [1]], "k": [[900], [899]], "v": [[1], [2]]})");
  EXPECT_NE(text_of_equation(large, weight_cell(0, 0)).find("exp(8.1e+05 - 8.1e+05)"),
            std::string::npos);
}

TEST(Why, ARowWithoutNumbersSaysWhy) {
  ComputedCase of = computed_json(kLove);
  Tensor& k = std::get<GivenQkv>(of.document.model).k;
  k = Tensor(k.shape(), {kNaN, 0, 0, 0, 1, 1});
  of = test::computed_case(of.document);
  EXPECT_EQ(text_of_equation(of, weight_cell(1, 2)),
            "weights[\"love\", \"cats\"] = NaN  (the logit of “I” is NaN)");
  EXPECT_NE(equation_of(of.input(), weight_cell(1, 2), EquationFormat::Latex).find("\\mathrm{NaN}"),
            std::string::npos);
  const Figure figure = why(of, weight_cell(1, 2));
  EXPECT_TRUE(says(figure, "takes no number (NaN) from"));
  EXPECT_TRUE(says(figure, "does not sum to a number: the logit of “I” is NaN."));
  EXPECT_FALSE(test::has_text(figure, "0.000")) << "a sum of some";
  EXPECT_TRUE(std::isnan(account_of(*of.result, weight_cell(1, 2)).exponential(1)));
}

TEST(Why, TokensWithoutNamesAreCalledAsInThePlot) {
  const ComputedCase of = computed_json(R"({"tokens": 2, "d_model": 2, "heads": 1})");
  EXPECT_EQ(text_of_equation(of, weight_cell(0, 1)).substr(0, 26), "weights[token 1, token 2] ");
}

// --- what is concealed

ComputedCase concealing(Stage stage, const CellRange& cells) {
  ComputedCase of = computed_json(kLove);
  of.result = concealed(of.result, {{stage, {}, cells}});
  return of;
}

TEST(Why, AConcealedWeightIsNotToldByItsRow) {
  for (const Stage stage : {Stage::Weights, Stage::Masked, Stage::Scores}) {
    for (const std::size_t other : {2U, 0U}) {  // of the cell, or of another one of its row
      const ComputedCase of = concealing(stage, {1, other, 1, 1});
      EXPECT_EQ(text_of_equation(of, weight_cell(1, 2)),
                "weights[\"love\", \"cats\"] = ?  (not shown until revealed)");
      const Account numbers = account_without_terms(*of.result, weight_cell(1, 2));
      EXPECT_TRUE(numbers.without.empty());
      const Figure figure = why(of, weight_cell(1, 2));
      EXPECT_TRUE(says(figure, "takes ? from"));
      EXPECT_TRUE(says(figure, "Not shown until revealed"));
      const ComputedCase whole = computed_json(kLove);
      for (std::size_t key = 0; key < 3; ++key) {
        const float weight = whole.result->value(Stage::Weights, {}, 1, key);
        EXPECT_FALSE(test::has_text(figure, fixed_text(static_cast<double>(weight), 3))) << key;
      }
      EXPECT_FALSE(says(figure, "%")) << "no share of the output";
    }
  }
}

TEST(Why, AConcealedScoreIsNotToldByItsProducts) {
  const ComputedCase of = concealing(Stage::Scores, {1, 2, 1, 1});
  const Figure figure = why(of, weight_cell(1, 2));
  EXPECT_FALSE(says(figure, "sum so"));
  EXPECT_FALSE(says(figure, "→"));
  EXPECT_FALSE(test::has_text(figure, "2.00")) << "nor by the logit";
  const Figure other = why(of, weight_cell(1, 0));
  EXPECT_TRUE(test::has_text(other, "?")) << "in the logits of its row";
  const ComputedCase query = concealing(Stage::Query, {1, 0, 1, 1});
  EXPECT_FALSE(says(why(query, weight_cell(1, 2)), "sum so"));
  const ComputedCase value = concealing(Stage::Value, {2, 0, 1, 1});
  EXPECT_FALSE(says(why(value, weight_cell(1, 2)), "%, ")) << "the output would tell the value";
  EXPECT_FALSE(says(why(value, weight_cell(1, 2)), "Faint bars"));
}

TEST(Why, WithoutAPinTheConcealedCellIsShown) {
  const ComputedCase of = concealing(Stage::Weights, {2, 0, 1, 1});
  const Figure figure = test::draw("why", of.input(), {}, FixedMetrics()).value();
  EXPECT_TRUE(says(figure, "takes ? from “I” (key 1)"));
}

}  // namespace
}  // namespace attn
