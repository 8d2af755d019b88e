// Arithmetic behind one cell, read from the result, and as text, LaTeX and Markdown.
#include "plot/kit/cell_sum.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "attention/mask.h"
#include "base/number_text.h"
#include "base/special_numbers.h"
#include "figure/text.h"

namespace attn {
namespace {

constexpr double kLargestExponent = 50.0;  // larger: the row's maximum is subtracted first
constexpr std::size_t kFewTerms = 4, kTermsSaid = 2;  // a few are said, of others the largest

// "₁₂"
std::string subscript(std::size_t number) {
  std::string text;
  for (const char digit : std::to_string(number)) {
    text += "\xE2\x82";
    text += static_cast<char>(0x80 + (digit - '0'));
  }
  return text;
}

// A label as text and as LaTeX.
struct SumWords {
  std::string label, latex;
};

std::string rounded_number(double value, int digits = 4) {
  return with_minus(short_text(value, digits));
}

SumWords score_words(const AttentionProblem& problem, std::size_t q, std::size_t k) {
  const ScoringFunctionInfo& info = scoring_info(problem.scoring.function);
  if (!info.plain) return {std::string(info.formula), "\\text{score}"};
  return {"q" + subscript(q) + " · k" + subscript(k),
          "q_{" + std::to_string(q) + "} \\cdot k_{" + std::to_string(k) + "}"};
}

SumWords scale_words(const AttentionProblem& problem) {
  const Scoring& scoring = problem.scoring;
  if (scoring_info(scoring.function).scaled_by_width && !scoring.scale) {
    const std::string width = std::to_string(problem.shape.d_k);
    return {"÷ √dₖ = √" + width, "\\div \\sqrt{d_k} = \\sqrt{" + width + "}"};
  }
  const auto scale = static_cast<double>(scale_of(problem));
  return {"× " + rounded_number(scale), "\\times " + short_text(scale)};
}

std::string bracketed(double value, const std::string& text) {
  return value < 0.0 ? "(" + text + ")" : text;
}
std::string short_factor(double value) {
  return bracketed(value, with_minus(fixed_text(value, 2)));
}
std::string long_factor(double value) { return bracketed(value, short_text(value, 6)); }

// The first `most` summands, and `rest` in place of the others.
std::string summed(const std::vector<ScoreTerm>& terms, std::size_t most, std::string_view times,
                   std::string_view rest, std::string (*factor)(double)) {
  std::string text;
  for (std::size_t i = 0; i < std::min(terms.size(), most); ++i) {
    if (i > 0) text += " + ";
    text += factor(terms[i].left) + std::string(times) + factor(terms[i].right);
  }
  return terms.size() > most ? text + " + " + std::string(rest) : text;
}

// State of a sum while its lines are added.
struct Summing {
  const AttentionResult& result;
  const CellHit& cell;
  FirstNumbers first{};
  HiddenRules rules = kVisible;
  std::vector<SumLine> lines{};

  std::size_t query() const { return cell.row + first.query; }
  std::size_t key() const { return cell.col + first.key; }
  double at(Stage stage) const {
    return static_cast<double>(result.value(stage, cell.matrix.head, cell.row, cell.col));
  }
  bool has(Stage stage) const { return result.has(stage, cell.matrix.head); }
  void add(std::string name, const SumWords& words, std::string value,
           SumLine::Kind kind = SumLine::Kind::Step) {
    lines.push_back({std::move(name), words.label, std::move(value), kind, words.latex, {}});
  }
  void aside(std::string name, std::string value) {
    add(std::move(name), {}, std::move(value), SumLine::Kind::Aside);
  }
  // Adds the summands of the previous line.
  void add_terms(const std::vector<ScoreTerm>& terms) {
    if (terms.empty()) return;
    std::vector<ScoreTerm> said = terms;
    const std::size_t most = terms.size() <= kFewTerms ? terms.size() : kTermsSaid;
    if (most < terms.size()) {
      std::ranges::stable_sort(said, std::greater(), [](const ScoreTerm& term) {
        return std::abs(term.left * term.right);
      });
    }
    // "2.10·1.94 + 0.66·0.81 + … 6 more", the largest of many
    const std::string more = "… " + std::to_string(terms.size() - most) + " more";
    aside("terms", summed(said, most, "·", more, short_factor));
    lines.back().terms = terms;
  }
};

void add_score(Summing& sum) {
  const AttentionProblem& problem = sum.result.problem();
  if (!sum.has(Stage::Scores)) return;
  sum.add("scores", score_words(problem, sum.query(), sum.key()),
          rounded_number(sum.at(Stage::Scores)));
  if (!is_concealed(sum.at(Stage::Scores)))  // which is the sum of its terms
    sum.add_terms(score_terms(sum.result, sum.cell.matrix.head, sum.cell.row, sum.cell.col));
  if (sum.has(Stage::Scaled)) {
    sum.add("scaled", scale_words(problem), rounded_number(sum.at(Stage::Scaled)));
  }
  if (!sum.has(Stage::Softcapped)) return;
  const std::string cap = short_text(static_cast<double>(problem.scoring.softcap.value_or(0.0F)));
  sum.add("softcapped", {cap + " · tanh(x / " + cap + ")", cap + " \\tanh(x / " + cap + ")"},
          rounded_number(sum.at(Stage::Softcapped)));
}

// The bias is the difference of the steps before and after it.
void add_mask(Summing& sum) {
  if (!sum.has(Stage::Masked)) return;
  if (sum.rules != kVisible) return sum.aside("masked", hidden_sentence(sum.rules));
  const Stage before = sum.has(Stage::Softcapped) ? Stage::Softcapped : Stage::Scaled;
  const double bias = sum.has(before) ? sum.at(Stage::Masked) - sum.at(before) : 0.0;
  if (std::isfinite(bias)) sum.add("bias", {"+ bias", "+ \\text{bias}"}, rounded_number(bias));
  sum.aside("masked", "not masked");
}

// exp of the cell, less what was subtracted, divided by the temperature.
SumWords exp_words(const Scoring& scoring, const SoftmaxSum& row) {
  SumWords words{"exp", "\\exp x"};
  if (scoring.temperature) {
    const std::string by = short_text(static_cast<double>(*scoring.temperature));
    words = {"exp(x / " + by + ")", "\\exp(x / " + by + ")"};
  }
  if (row.subtracted != 0.0) {
    const std::string less = short_text(std::abs(row.subtracted));
    const bool plus = row.subtracted < 0.0;
    words = {std::string("exp(x ") + (plus ? "+ " : "− ") + less + ")",
             std::string("\\exp(x ") + (plus ? "+ " : "- ") + less + ")"};
  }
  return words;
}

void add_normaliser(Summing& sum) {
  const Scoring& scoring = sum.result.problem().scoring;
  if (sum.rules != kVisible || !sum.has(Stage::Masked)) return;
  if (sum.has(Stage::Weights) && is_concealed(sum.at(Stage::Weights))) return;  // one division away
  const NormaliserInfo& info = normaliser_info(scoring.normaliser);
  if (!info.exponentials) {
    return sum.add("normaliser",
                   {std::string(info.formula), "\\text{" + std::string(info.name) + "}"}, "");
  }
  const SoftmaxSum row = softmax_sum(sum.result, sum.cell.matrix.head, sum.cell.row);
  const double share = row.exponential(sum.at(Stage::Masked));
  if (!std::isfinite(share) || !(row.sum > 0.0) || !std::isfinite(row.sum)) return;
  sum.add("exp", exp_words(scoring, row), rounded_number(share));
  sum.add("row_sum", {"÷ Σ", "\\div \\Sigma"}, rounded_number(row.sum));
}

void add_weight(Summing& sum) {
  if (!sum.has(Stage::Weights)) return;
  const double weight = sum.at(Stage::Weights);
  sum.add("weights", {"weight", "\\text{weight}"}, rounded_number(weight), SumLine::Kind::Total);
  if (!sum.has(Stage::Output) || sum.rules != kVisible) return;
  sum.add("adds", {"contributes", ""}, rounded_number(weight, 3) + " · v" + subscript(sum.key()),
          SumLine::Kind::After);
}

// "W_{gate}" of "W_gate".
std::string braced(const std::string& name) {
  const std::size_t at = name.find('_');
  return at == name.npos ? name : name.substr(0, at + 1) + "{" + name.substr(at + 1) + "}";
}

// A row times a column, plus a bias if there is one.
std::vector<SumLine> product_sum(Summing& sum, const SumWords& words, const LinearTerms& linear) {
  if (linear.terms.empty()) return {};
  double product = 0.0;
  for (const ScoreTerm& term : linear.terms) product += term.product();
  sum.add("product", words, rounded_number(product));
  sum.add_terms(linear.terms);
  if (linear.has_bias) {
    sum.add("bias", {"+ " + linear.bias_name, "+ " + braced(linear.bias_name)},
            rounded_number(linear.bias));
  }
  const StageInfo& info = stage_info(sum.cell.matrix.stage);
  const std::string label(info.label);
  sum.add("total", {label, "\\text{" + label + "}"}, rounded_number(sum.at(info.stage)),
          SumLine::Kind::Total);
  return std::move(sum.lines);
}

std::vector<SumLine> linear_sum(Summing& sum) {
  const LinearTerms linear = linear_terms(sum.result, sum.cell.matrix.stage, sum.cell.matrix.head,
                                          sum.cell.row, sum.cell.col);
  return product_sum(
      sum,
      {linear.input + " · " + linear.matrix, braced(linear.input) + " " + braced(linear.matrix)},
      linear);
}

constexpr std::size_t kMaxTerms = 64;  // written out

// Calls `add` with each line and its summands as text, which are stored in the next one.
template <class Add>
void each_line(const std::vector<SumLine>& lines, std::string_view times, std::string_view dots,
               Add add) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].terms.empty()) continue;
    const bool has_terms = i + 1 < lines.size() && !lines[i + 1].terms.empty();
    add(lines[i], has_terms ? summed(lines[i + 1].terms, kMaxTerms, times, dots, long_factor) : "");
  }
}

// With the ASCII minus sign.
std::string plain_number(std::string text) {
  constexpr std::string_view kMinus = "−";
  for (std::size_t at = text.find(kMinus); at != text.npos; at = text.find(kMinus)) {
    text.erase(at, kMinus.size() - 1);
    text[at] = '-';
  }
  return text;
}

std::string as_text(const std::string& sentence, const std::vector<SumLine>& lines) {
  std::string text = sentence + "\n";
  each_line(lines, "·", "…", [&](const SumLine& line, const std::string& summands) {
    text += line.label + (line.label.empty() || line.value.empty() ? "" : " = ");
    text += summands.empty() ? "" : summands + " = ";
    text += line.value + "\n";
  });
  return text;
}

std::string as_latex(const std::string& sentence, const std::vector<SumLine>& lines) {
  std::string text = "% " + sentence + "\n\\begin{align*}\n";
  bool first = true;
  each_line(lines, " \\cdot ", "\\cdots", [&](const SumLine& line, const std::string& summands) {
    if (line.latex.empty()) return;
    text += (std::exchange(first, false) ? "  " : " \\\\\n  ") + line.latex;
    if (!summands.empty()) text += " &= " + summands;
    if (!line.value.empty()) text += " &= " + plain_number(line.value);
  });
  return text + "\n\\end{align*}\n";
}

std::string in_table(std::string text) {
  for (std::size_t at = text.find('|'); at != text.npos; at = text.find('|', at + 2)) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string as_markdown(const std::string& sentence, const std::vector<SumLine>& lines) {
  std::string text = sentence + "\n\n| step | value |\n|---|---:|\n";
  each_line(lines, "·", "…", [&](const SumLine& line, const std::string& summands) {
    const std::string label =
        (line.label.empty() ? line.value : line.label) + (summands.empty() ? "" : " = " + summands);
    const std::string value = line.label.empty() ? "" : line.value;
    text += "| " + in_table(label) + " | " + in_table(value) + " |\n";
  });
  return text;
}

constexpr SumFormat kFormats[] = {{EquationFormat::Text, "text", "text", as_text},
                                  {EquationFormat::Latex, "latex", "LaTeX", as_latex},
                                  {EquationFormat::Markdown, "markdown", "Markdown", as_markdown}};

}  // namespace

FirstNumbers first_numbers(const Document& document, const HeadAddress& at) {
  const auto first = [&](Side side) {
    return tokens_of(document, side, at).names().empty() ? 0U : 1U;
  };
  return {first(Side::Query), first(Side::Key)};
}

std::vector<SumLine> sum_of(const AttentionResult& result, const CellHit& cell,
                            const FirstNumbers& first) {
  if (!is_computed(cell.matrix)) return {};
  Summing sum{result, cell, first};
  if (cell.matrix.stage == Stage::Output) {
    LinearTerms weighted;
    weighted.terms = output_terms(result, cell);
    return product_sum(sum, {"Σ weight · value", "\\sum_k w_k v_k"}, weighted);
  }
  if (!is_token_by_token(cell.matrix)) return linear_sum(sum);
  sum.rules = result.hidden(cell.matrix.head, cell.row, cell.col);
  if (has_scores(result.problem())) {
    add_score(sum);
    add_mask(sum);
    add_normaliser(sum);
  }
  add_weight(sum);
  return std::move(sum.lines);
}

double temperature_of(const AttentionProblem& problem) {
  return static_cast<double>(problem.scoring.temperature.value_or(1.0F));
}

SoftmaxSum softmax_sum(const AttentionProblem& problem, const HeadAddress& head,
                       std::span<const float> logits, Subtracts subtracts) {
  const std::vector<float>& sinks = problem.scoring.sinks;
  SoftmaxSum sum{.temperature = temperature_of(problem)};
  const double sink =
      static_cast<double>(sinks.empty() ? -kInfinity : sinks[sinks.size() == 1 ? 0 : head.head]);
  double largest = sink;
  for (const float logit : logits) largest = std::max(largest, static_cast<double>(logit));
  largest /= sum.temperature;
  const bool is_needed = subtracts == Subtracts::Largest || std::abs(largest) > kLargestExponent;
  if (is_needed && std::isfinite(largest)) sum.subtracted = largest;
  for (const float logit : logits) sum.sum += sum.exponential(static_cast<double>(logit));
  sum.sink = sum.exponential(sink);
  sum.sum += sum.sink;
  return sum;
}

SoftmaxSum softmax_sum(const AttentionResult& result, const HeadAddress& head, std::size_t q) {
  return softmax_sum(result.problem(), head, row_of_stage(result, Stage::Masked, head, q),
                     Subtracts::IfNeeded);
}

std::vector<ScoreTerm> output_terms(const AttentionResult& result, const CellHit& cell) {
  if (!is_computed(cell.matrix) || cell.matrix.stage != Stage::Output || !result.has(Stage::Value))
    return {};
  const std::vector<float> weights =
      row_of_stage(result, Stage::Weights, cell.matrix.head, cell.row);
  const std::vector<float> values =
      cells_of_stage(result, Stage::Value, cell.matrix.head, {0, cell.col, weights.size(), 1});
  std::vector<ScoreTerm> terms;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    terms.push_back({k, static_cast<double>(weights[k]), static_cast<double>(values[k])});
  }
  return terms;
}

std::optional<WeightsRow> weights_row(const AttentionResult& result, const CellHit& cell) {
  const HeadAddress& head = cell.matrix.head;
  const bool weights_cell = is_computed(cell.matrix) && cell.matrix.stage == Stage::Weights;
  if (!weights_cell || !result.has(Stage::Weights)) return std::nullopt;
  const std::vector<float> weights = row_of_stage(result, Stage::Weights, head, cell.row);
  const auto unusable = [](float w) { return !std::isfinite(w) || w < 0.0F; };
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (std::ranges::any_of(weights, unusable) || !(total > 0.0)) return std::nullopt;
  WeightsRow row;
  std::size_t larger = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double share = static_cast<double>(weights[k]) / total;
    if (share > 0.0) row.entropy -= share * std::log(share);
    if (result.hidden(head, cell.row, k) != kVisible) continue;
    ++row.visible;
    if (weights[k] > weights[cell.col]) ++larger;
  }
  const bool given = !has_scores(result.problem());
  if (row.visible > 0 && !given) row.most = std::log(static_cast<double>(row.visible));
  if (result.hidden(head, cell.row, cell.col) == kVisible) row.rank = larger + 1;
  return row;
}

std::span<const SumFormat> all_sum_formats() { return kFormats; }

}  // namespace attn
