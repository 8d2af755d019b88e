// The built-in lessons: complete, equal in both languages, and true.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "base/json.h"
#include "base/number_text.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "engine/matrix/matrix_id.h"
#include "kinds/parts/atlas.h"
#include "kinds/parts/logits.h"
#include "kinds/parts/vocabulary.h"
#include "lesson/lesson.h"
#include "support/oracle/reference.h"

namespace attn {
namespace {

// The oracle's numbers as a result.
class OracleResult final : public AttentionResult {
 public:
  explicit OracleResult(ResultPtr of) : of_(std::move(of)) {}
  const AttentionProblem& problem() const override { return of_->problem(); }
  const std::vector<Stage>& stages(const HeadAddress& at) const override { return of_->stages(at); }
  void read(Stage stage, const HeadAddress& at, const CellRange& range, float* out) const override {
    const reference::Matrix all = reference::compute(problem(), stage, at);
    for (std::size_t r = 0; r < range.rows; ++r) {
      for (std::size_t c = 0; c < range.cols; ++c) {
        *out++ = static_cast<float>(all.at(range.row_at(r), range.col + c));
      }
    }
  }
  std::optional<std::uint64_t> non_finite_count(Stage stage, const HeadAddress& at) const override {
    return of_->non_finite_count(stage, at);
  }
  std::optional<Range> range(Stage stage, const HeadAddress& at) const override {
    return of_->range(stage, at);
  }

 private:
  ResultPtr of_;
};

std::vector<Example> lessons() {
  std::vector<Example> all;
  for (const Example& example : all_examples()) {
    if (example.name.starts_with("lesson-")) all.push_back(example);
  }
  return all;
}

Document document_of(const Example& example) {
  return open_document(example_path(example)).value().document;
}

// The formula without the names of tokens and features, which are translated.
std::string without_names(std::string formula) {
  for (std::size_t at = formula.find('"'); at != formula.npos; at = formula.find('"', at + 1)) {
    formula.erase(at, formula.find('"', at + 1) - at);
  }
  return formula;
}

std::vector<std::string> without_names(std::vector<std::string> formulas) {
  for (std::string& formula : formulas) formula = without_names(std::move(formula));
  return formulas;
}

// Formulas in braces, in any order.
std::vector<std::string> formulas_in(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    all.push_back(without_names(text.substr(at, text.find('}', at) - at)));
  }
  std::ranges::sort(all);
  return all;
}

Json without_tokens(const std::string& edit) {
  Json json = Json::parse(edit.empty() ? "{}" : edit);
  json.erase("tokens");
  return json;
}

TEST(ShippedLessons, AreTwelveInEachLanguage) {
  EXPECT_EQ(lessons().size(), 24U);
  EXPECT_EQ(first_lesson(), "example:lesson-what-attention-computes");
}

TEST(ShippedLessons, HaveFiveToNineStepsAndAQuestion) {
  for (const Example& example : lessons()) {
    Document document = document_of(example);
    EXPECT_GE(document.lesson.size(), 5U) << example.name;
    EXPECT_LE(document.lesson.size(), 9U) << example.name;
    const auto asks = [](const LessonStep& step) { return !step.ask.empty(); };
    EXPECT_TRUE(std::ranges::any_of(document.lesson, asks)) << example.name;
    EXPECT_TRUE(lesson_faults(document).empty()) << example.name;
  }
}

TEST(ShippedLessons, TellTheOraclesNumbers) {
  for (const Example& example : lessons()) {
    Document now = document_of(example);
    HeadAddress at{};
    for (std::size_t i = 0; i < now.lesson.size(); ++i) {
      const LessonStep step = now.lesson[i];
      now = with_edit(now, step).value();
      if (step.panes) at = focused_view(*step.panes).options.at;
      const ResultPtr result = compute(make_problem(now)).value();
      const FormulaScope told{now, result, at},
          true_ones{now, std::make_shared<OracleResult>(result), at};
      for (const std::string& text : {step.text, step.after}) {
        EXPECT_EQ(filled_text(text, told), filled_text(text, true_ones))
            << example.name << " " << i;
      }
    }
  }
}

// The inspector shows the whole row of a pinned weight, so that no pin is in a row of numbers that
// a later step conceals.
TEST(ShippedLessons, PinNoAnswerOfALaterQuestion) {
  for (const Example& example : lessons()) {
    Document now = document_of(example);
    std::vector<std::pair<ResultPtr, CellHit>> pinned;
    for (const LessonStep& step : std::vector<LessonStep>(now.lesson)) {
      now = with_edit(now, step).value();
      const FormulaScope scope{now, compute(make_problem(now)).value()};
      for (const NamedCells& asked : cells_of(step.ask, scope)) {
        for (const auto& [result, pin] : pinned) {
          const bool tells = asked.stage == Stage::Weights && pin.row == asked.range.row &&
                             pin.matrix.head == asked.at && is_token_by_token(pin.matrix) &&
                             result->hidden(pin.matrix.head, pin.row, pin.col) == kVisible &&
                             numbers_in(*result, asked) == numbers_in(*scope.result, asked);
          EXPECT_FALSE(tells) << example.name << ": " << step.text;
        }
      }
      for (const CellHit& pin : pins_of(step, scope)) pinned.emplace_back(scope.result, pin);
    }
  }
}

// Scores order weights, so that only a question whose text computes with them may show them.
TEST(ShippedLessons, ShowTheScoresOfAQuestionOnlyToComputeWithThem) {
  std::size_t concealing = 0;
  for (const Example& example : lessons()) {
    Document now = document_of(example);
    for (const LessonStep& step : std::vector<LessonStep>(now.lesson)) {
      now = with_edit(now, step).value();
      const ResultPtr result = compute(make_problem(now)).value();
      const std::vector<NamedCells> asked = cells_of(step.ask, {now, result});
      if (asked.empty() || asked.front().stage != Stage::Weights) continue;
      if (!result->has(Stage::Scores, asked.front().at)) continue;  // given weights
      const std::string formulas = joined(formulas_in(step.text), " ");
      const bool computes =
          formulas.find("scores[") != formulas.npos || formulas.find("scaled[") != formulas.npos;
      NamedCells scores = asked.front();
      scores.stage = Stage::Scores;
      EXPECT_NE(std::ranges::count(asked, scores) == 1, computes) << example.name << step.text;
      concealing += computes ? 0 : 1;
    }
  }
  EXPECT_GE(concealing, 12U);
}

// --- the lesson about heads that are taken out: numbers that no formula reads

std::string percent(double share) { return fixed_text(100.0 * share, 1) + " %"; }

// Shares of the likeliest next words behind the last token.
std::map<std::string, double> next_words(const Document& document) {
  const ResultPtr result = compute(make_problem(document)).value();
  const auto found = predictions_of(
      *result, last_rows(result->problem(), 0, result->shape().n_q - 1, 1), 20, nullptr);
  std::map<std::string, double> shares;
  for (const auto& token : found->tokens) {
    shares[document.source_model->vocabulary->tokenizer->token(token.id)] = token.share;
  }
  return shares;
}

// Shares that a text states in numbers of its own, outside of formulas.
std::vector<std::string> percents_in(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = text.find(" %"); at != text.npos; at = text.find(" %", at + 1)) {
    const std::size_t begin = text.find_last_not_of("0123456789.", at - 1) + 1;
    all.push_back(text.substr(begin, at + 2 - begin));
  }
  return all;
}

TEST(ShippedLessons, SayTheNextWordsWithoutTheHeadsThatAreOut) {
  std::size_t stated = 0;
  for (const Example& example : lessons()) {
    if (!example.name.starts_with("lesson-which-head")) continue;
    Document now = document_of(example);
    for (const LessonStep& step : std::vector<LessonStep>(now.lesson)) {
      now = with_edit(now, step).value();
      std::set<std::string> shares;
      for (const auto& [word, share] : next_words(now)) {
        if ((step.text + step.after).find("*" + word + "*") != std::string::npos) {
          shares.insert(percent(share));
        }
      }
      for (const HeadGate& gate : now.what_if.gates) {  // one of those that are out together
        Document one = now;
        one.what_if = {};
        set_gate(one.what_if, gate.at, 0.0F);
        if (now.what_if.gates.size() > 1) shares.insert(percent(next_words(one)["tom"]));
      }
      for (const std::string& said : percents_in(step.text + " " + step.after)) {
        EXPECT_TRUE(shares.contains(said)) << said << " in " << step.text;
        ++stated;
      }
    }
  }
  EXPECT_EQ(stated, 2U * 9U);
}

TEST(ShippedLessons, NameTheHeadsThatLeadTheAtlas) {
  const std::vector<Example> all = lessons();
  const Document document = document_of(
      *std::ranges::find(all, std::string_view("lesson-which-head-knows-it"), &Example::name));
  const ResultPtr result = compute(make_problem(document)).value();
  auto effects = atlas_of(result, {{}, result->shape().n_q - 1}, nullptr).value()->effects;
  std::ranges::sort(effects, std::ranges::greater{}, &HeadEffect::divergence);
  const std::string& text = document.lesson.back().text;
  EXPECT_EQ(effects[0].at, (HeadAddress{2, 0, 3}));
  EXPECT_NE(text.find("(" + fixed_text(effects[0].divergence, 2) + " nats)"), std::string::npos);
  EXPECT_EQ(effects[1].at, (HeadAddress{0, 0, 1}));
  EXPECT_NE(text.find("(" + fixed_text(effects[1].divergence, 2) + ")"), std::string::npos);
}

// Two, three or one of the four keys get a share.
TEST(ShippedLessons, CutOffByTheThresholdThatTheySayWhateverTheTemperature) {
  for (const Example& example : lessons()) {
    if (!example.name.starts_with("lesson-softmax")) continue;
    Document now = document_of(example);
    const std::vector<LessonStep> steps = now.lesson;
    for (std::size_t i = 0; i < 7; ++i) now = with_edit(now, steps[i]).value();
    for (const float temperature : {1.0F, 3.0F, 0.2F}) {
      now.scoring.temperature = temperature;
      const FormulaScope scope{now, compute(make_problem(now)).value()};
      std::vector<double> numbers;  // τ, the logit of the first key, its weight
      const std::string& text = steps[6].text;
      for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        const std::string formula = text.substr(at, text.find('}', at) - at) + ":.6}";
        numbers.push_back(std::stod(with_replaced(filled_text(formula, scope), "−", "-")));
      }
      ASSERT_GE(numbers.size(), 3U);
      EXPECT_NEAR(numbers[2], std::max(0.0, numbers[1] - numbers[0]), 1e-4) << temperature;
    }
  }
}

TEST(ShippedLessons, DifferInTheirWordsAlone) {
  const std::vector<Example> all = lessons();
  std::map<std::string, Document> chinese;
  for (const Example& example : all) {
    const std::string name(example.name);
    if (name.ends_with(".zh")) chinese[name.substr(0, name.size() - 3)] = document_of(example);
  }
  for (const Example& example : all) {
    if (example.name.ends_with(".zh")) continue;
    const Document english = document_of(example);
    const Document& other = chinese.at(std::string(example.name));
    ASSERT_EQ(english.lesson.size(), other.lesson.size()) << example.name;
    for (std::size_t i = 0; i < english.lesson.size(); ++i) {
      const LessonStep &a = english.lesson[i], &b = other.lesson[i];
      EXPECT_EQ(without_tokens(a.edit), without_tokens(b.edit)) << example.name << " " << i;
      EXPECT_EQ(without_names(a.ask), without_names(b.ask)) << example.name << " " << i;
      EXPECT_EQ(without_names(a.pins), without_names(b.pins)) << example.name << " " << i;
      EXPECT_EQ(formulas_in(a.text), formulas_in(b.text)) << example.name << " " << i;
      EXPECT_EQ(formulas_in(a.after), formulas_in(b.after)) << example.name << " " << i;
    }
  }
}

}  // namespace
}  // namespace attn
