// Writes the words and formulas of the steps of a weight.
#include "plot/account/steps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/enum_table.h"
#include "base/number_text.h"
#include "plot/kit/names.h"

namespace attn {

struct StepText {
  const FittedView& view;
  const Account& account;
  const AttentionProblem& problem = view.result.problem();
  const std::string query = quoted_token(view, Side::Query, account.cell.row);  // “sat”
  const std::string key = quoted_token(view, Side::Key, account.cell.col);      // “cat”

  std::string number(double value) const { return story_number(value, view.options.decimals); }
  std::string weight() const { return number(account.weight); }
  const ScoringFunctionInfo& function() const { return scoring_info(problem.scoring.function); }
  bool has_sink() const { return !sinks_of(problem, account.cell.matrix.head).empty(); }
};

namespace {

std::string short_number(float number) {
  return with_minus(short_text(static_cast<double>(number)));
}

// Returns a number of a sum.
std::string number_in(const Notation& write, double value) {
  return write.latex ? short_text(value) : with_minus(short_text(value));
}

// --- The score

StepWords words_of_meeting(const StepText& t) {
  if (!t.function().plain) {
    const std::string label(t.function().label);
    return {std::string(t.function().formula),
            label + ". " + std::string(t.function().sentence) + "."};
  }
  const Stage read = query_stage(t.problem, t.view.options.at);
  const std::string how = read == Stage::RotatedQuery  ? "rotated "
                          : read == Stage::NormedQuery ? "normed "
                                                       : "";
  return {"q · k", "The " + how + "row of Q of " + t.query + " meets the row of K of " + t.key +
                       ": " + counted(t.account.terms.size(), "number") + " each."};
}

StepWords words_of_products(const StepText& t) {
  const bool plain = t.function().plain;
  const std::string terms = counted(t.account.terms.size(), plain ? "product" : "term");
  const std::string sum = t.account.terms.size() == 1
                              ? terms + " makes the score "
                              : "From the largest on, " + terms + " add up to the score ";
  return {plain ? "s = q · k" : "s = " + std::string(t.function().formula),
          sum + t.number(t.account.number(Stage::Scores, t.account.cell.col)) +
              ". The other keys get their scores alike.",
          "score s"};
}

std::string formula_of_score(const CellFormula& of, const Notation& write) {
  const ScoringFunctionInfo& info = scoring_info(of.problem.scoring.function);
  if (!info.plain) return write.either(info.formula, "\\text{score}");
  return write.symbol("q", of.account.cell.row + 1) + write.either(" · ", " \\cdot ") +
         write.symbol("k", of.account.cell.col + 1);
}

// --- From the score to the logit

// True if the scale is 1 / √d_k.
bool divides_by_root(const Scoring& scoring) {
  return scoring_info(scoring.function).scaled_by_width && !scoring.scale;
}

StepWords words_of_scale(const StepText& t) {
  const std::size_t width = t.problem.shape.d_k;
  if (divides_by_root(t.problem.scoring)) {
    const std::string root = "√" + std::to_string(width);
    return {"s / √d_k = s / " + root,
            "Every score is divided by " + root + " = " +
                short_text(std::sqrt(static_cast<double>(width)), 3) +
                ", so that wide rows do not make the softmax too sharp.",
            "÷ " + root};
  }
  const std::string scale = short_number(scale_of(t.problem));
  return {"s × " + scale, "Every score is multiplied by the scale of the document, " + scale + ".",
          "× " + with_minus(short_text(static_cast<double>(scale_of(t.problem)), 3))};
}

std::string formula_of_scale(const CellFormula& of, const Notation& write) {
  if (divides_by_root(of.problem.scoring)) {
    return write.either("÷ ", "\\div ") + write.root(write.either("dₖ", "d_k")) + " = " +
           write.root(std::to_string(of.problem.shape.d_k));
  }
  return write.either("× ", "\\times ") +
         number_in(write, static_cast<double>(scale_of(of.problem)));
}

StepWords words_of_cap(const StepText& t) {
  const std::string cap = short_number(t.problem.scoring.softcap.value_or(0.0F));
  return {cap + " · tanh(x / " + cap + ")",
          "A softcap bends large scores: all stay between −" + cap + " and " + cap + ".",
          "softcap"};
}

std::string formula_of_cap(const CellFormula& of, const Notation& write) {
  const std::string cap =
      short_text(static_cast<double>(of.problem.scoring.softcap.value_or(0.0F)));
  return cap + write.either(" · ", " ") + write.call("tanh", "x / " + cap);
}

StepWords words_of_bias(const StepText& t) {
  const bool is_score = scale_of(t.problem) == 1.0F && !t.problem.scoring.softcap;
  return {is_score ? "x = s + b" : "x + b",
          "A bias is added to every score of the row: " +
              t.number(bias_of(t.problem, t.account, t.account.cell.col)) + " to that of " + t.key +
              ".",
          "+ bias b"};
}

std::string formula_of_bias(const CellFormula& /*of*/, const Notation& write) {
  return "+ " + write.words("bias");
}

bool adds(const AttentionProblem& problem, const HeadAddress& at) {
  return has_bias(mask_of(problem, at));
}

StepWords words_of_mask(const StepText& t) {
  const char* const row = adds(t.problem, t.view.options.at) ? "x + b" : "mask";
  if (t.account.is_hidden()) {
    return {"hidden: −∞",
            t.key + " is " + hidden_sentence(t.account.rules) +
                ": −∞ takes the place of its number, so that its weight is 0.",
            row};
  }
  const std::size_t keys = t.account.weights.size(), hidden = keys - t.account.seen;
  const std::string others =
      hidden == 0 ? "and neither is another key of this row."
                  : std::to_string(hidden) + " of the " + counted(keys, "key") + " of this row " +
                        (hidden == 1 ? "is" : "are") + ", and −∞ from here on.";
  return {"hidden: −∞", t.key + " is not hidden" + (hidden == 0 ? ", " : "; ") + others, row};
}

// --- From the logit to the weight

// Returns "x", or "x / T" with this text for the temperature.
std::string divided_logit(const AttentionProblem& problem, const std::string& temperature) {
  return temperature_of(problem) == 1.0 ? "x" : "x / " + temperature;
}
std::string divided_logit(const AttentionProblem& problem) {
  return divided_logit(problem, short_text(temperature_of(problem)));
}

std::string words_of_temperature(const StepText& t) {
  const double temperature = temperature_of(t.problem);
  return temperature == 1.0 ? ""
                            : " The temperature T = " + short_text(temperature, 4) + " divides x.";
}

// Returns "1 / (1 + e⁻ˣ)" for a logit `x`, which may be divided by the temperature.
std::string formula_of_cell(const Scoring& scoring, const Notation& write, const std::string& x) {
  const NormaliserInfo& info = normaliser_info(scoring.normaliser);
  if (!write.latex && x == "x") return std::string(info.formula);
  return info.of_cell(write, {x, write.either("−", "-") + x, write.either(" − τ", " - \\tau")});
}

// Returns "e^(x)", or "e^(x / T − m)" with the temperature and what is subtracted.
std::string power_of_e(const StepText& t, const char* divided) {
  const std::string x = temperature_of(t.problem) == 1.0 ? "x" : divided;
  return "e^(" + x + (t.account.softmax.subtracted == 0.0 ? ")" : " − m)");
}

StepWords words_of_exponentials(const StepText& t) {
  const double largest = t.account.softmax.subtracted;
  const char* const of = t.has_sink() ? " and the sink" : "";
  const std::string sentence =
      largest == 0.0 ? "e is raised to each x, so that all become positive."
                     : "m = " + t.number(largest) + ", the largest of the row" + of +
                           ", is subtracted first, which changes no weight; e is raised to the "
                           "rest.";
  return {power_of_e(t, "x / T"), sentence + words_of_temperature(t), power_of_e(t, "x/T")};
}

// Writes the exponential of the logit, divided by the temperature and less what was subtracted.
std::string formula_of_exponential(const CellFormula& of, const Notation& write) {
  const double less = of.account.softmax.subtracted;
  std::string x = divided_logit(of.problem);
  if (less != 0.0)
    x += (less < 0.0 ? " + " : write.either(" − ", " - ")) + short_text(std::abs(less));
  return x == "x" ? write.either("exp", "\\exp x") : write.call("exp", x);
}

StepWords words_of_weights(const StepText& t) {
  const std::string gets = t.key + " gets " + t.weight() + ".";
  if (!t.account.has_scores) {
    return {"w", "The document gives the weights of " + t.query + ": " + gets};
  }
  const NormaliserInfo& info = normaliser_info(t.problem.scoring.normaliser);
  if (!t.account.exponentials) {
    std::string words = std::string(info.label) + ". " + std::string(info.sentence) + ".";
    const std::optional<double> threshold = threshold_of(t.problem, t.account);
    if (threshold && t.account.reveals_row) words += " Here τ = " + t.number(*threshold) + ".";
    return {"w = " + formula_of_cell(t.problem.scoring, {}, divided_logit(t.problem, "T")),
            words + words_of_temperature(t) + " " + gets};
  }
  const std::string formula = "w = " + power_of_e(t, "x / T") + " / Σ";
  if (t.account.softmax.sum == 0.0)
    return {formula, t.query + " sees no key: all its weights are 0."};
  std::string sum = "Divided by Σ = " + t.number(t.account.softmax.sum);
  if (t.has_sink()) {
    sum += ", of which the sink has " + t.number(t.account.softmax.sink) +
           ", the weights of the row sum to less than 1: ";
  } else {
    sum += ", the weights of the row sum to 1: ";
  }
  return {formula, sum + gets};
}

std::string formula_of_weight(const CellFormula& of, const Notation& write) {
  if (of.account.exponentials) return write.either("÷ Σ", "\\div \\Sigma");
  return formula_of_cell(of.problem.scoring, write, divided_logit(of.problem));
}

// --- The output

StepWords words_of_values(const StepText& t) {
  return {"w · v", "Each weight scales the row of V of its key: that of " + t.key + " by " +
                       t.weight() + "."};
}

StepWords words_of_output(const StepText& t) {
  return {"o = Σ w · v", "The scaled rows add up to the row of the output of " + t.query + "."};
}

using Problem = AttentionProblem;

bool scales(const Problem& problem, const HeadAddress& /*at*/) { return scale_of(problem) != 1.0F; }
bool hides(const Problem& problem, const HeadAddress& at) { return can_hide(mask_of(problem, at)); }
bool raises(const Problem& problem, const HeadAddress& /*at*/) {
  return normaliser_info(problem.scoring.normaliser).exponentials;
}

constexpr std::array<StepInfo, count_of<AccountStep>()> kStepRows{{
    {AccountStep::Meet, Stage::Scores, nullptr, words_of_meeting, nullptr},
    {AccountStep::Products, Stage::Scores, nullptr, words_of_products, formula_of_score},
    {AccountStep::Scaled, Stage::Scaled, scales, words_of_scale, formula_of_scale},
    {AccountStep::Softcapped, Stage::Softcapped, nullptr, words_of_cap, formula_of_cap},
    {AccountStep::Bias, Stage::Masked, adds, words_of_bias, formula_of_bias},
    {AccountStep::Masked, Stage::Masked, hides, words_of_mask, nullptr},
    {AccountStep::Exponentials, Stage::Masked, raises, words_of_exponentials,
     formula_of_exponential},
    {AccountStep::Weights, Stage::Weights, nullptr, words_of_weights, formula_of_weight},
    {AccountStep::Values, Stage::Output, nullptr, words_of_values, nullptr},
    {AccountStep::Output, Stage::Output, nullptr, words_of_output, nullptr},
}};
static_assert(is_indexed_by(kStepRows, &StepInfo::step));

}  // namespace

const StepInfo& step_info(AccountStep step) { return row_of(kStepRows, step); }

std::vector<AccountStep> steps_of(const AttentionProblem& problem, const HeadAddress& at) {
  const std::vector<Stage> stages = stages_of(problem, at);
  std::vector<AccountStep> steps;
  for (const StepInfo& info : kStepRows) {
    const bool changes = info.changes == nullptr || info.changes(problem, at);
    if (changes && std::ranges::count(stages, info.stage) > 0) steps.push_back(info.step);
  }
  return steps;
}

StepWords words_of(const FittedView& view, const Account& account, AccountStep step) {
  StepWords words = step_info(step).words({view, account});
  if (step >= AccountStep::Exponentials && account.lacks_number()) {
    words.sentence = without_number(view.document, account);
  }
  return words;
}

std::string story_number(double number, int decimals, bool fine) {
  if (std::isinf(number)) return number < 0.0 ? "−∞" : "∞";
  if (number == 0.0) return "0";
  constexpr double kLong = 1e5;
  const double size = std::abs(number);
  const bool is_tiny = fine && size > 0.0 && size < 0.5 * std::pow(10.0, -decimals);
  if (is_tiny) return with_minus(short_text(number, 2));
  return with_minus(size < kLong ? fixed_text(number, decimals) : short_text(number, 3));
}

std::string_view word_for_terms(const AttentionProblem& problem) {
  return has_hidden_units(problem.scoring.function) ? "unit" : "dimension";
}

FeatureColumns columns_of_terms(const AttentionProblem& problem) {
  if (has_hidden_units(problem.scoring.function)) return {};
  return feature_columns(problem.shape, Extent::KeyWidth);
}

std::string name_of_term(const FittedView& view, std::size_t index) {
  return feature_label(view.document, columns_of_terms(view.result.problem()), index);
}

std::string no_number_reason(const Account& account, const std::string& key) {
  const std::span<const float> logits = account.logits();
  const bool given = logits.empty();
  const std::size_t bad = key_without_number(account);
  const float number = given ? account.weights[bad] : logits[bad];
  return std::string("the ") + (given ? "weight" : "logit") + " of " + key + " is " +
         (std::isnan(number) ? "NaN" : "infinite");
}

std::string no_number_reason(const Document& document, const Account& account) {
  return no_number_reason(account, quoted_token(document, Side::Key, account.cell.matrix.head,
                                                key_without_number(account)));
}

}  // namespace attn
