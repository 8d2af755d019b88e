// Derives the lines of sums, and writes them as text, LaTeX and Markdown.
#include "plot/account/sums.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "attention/mask.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "figure/text.h"

namespace attn {
namespace {

constexpr Notation kLatex{.latex = true};
constexpr std::size_t kFewTerms = 4, kTermsOfMany = 2;  // a few are written, of others the largest

std::string rounded_number(double value, int digits = 4) {
  return with_minus(short_text(value, digits));
}

std::string bracketed(double value, const std::string& text) {
  return value < 0.0 ? "(" + text + ")" : text;
}
// Digits of the factors of a sum, enough to compute it by hand.
constexpr int kFactorDigits = 3;

bool is_rounded(double value) {
  const Result<float> shown = parse_number(short_text(value, kFactorDigits));
  const double error = shown ? std::abs(value - static_cast<double>(*shown)) : 0.0;
  return error > 1e-6 * std::max(1.0, std::abs(value));
}
std::string short_factor(double value) {
  return bracketed(value, rounded_number(value, kFactorDigits));
}
std::string long_factor(double value) { return bracketed(value, short_text(value, 6)); }
std::string latex_factor(double value) {
  return bracketed(value, kLatex.number(short_text(value, 6)));
}

// Returns the first `most` summands, and `rest` in place of the others.
std::string summed(const std::vector<ScoreTerm>& terms, std::size_t most, std::string_view times,
                   std::string_view rest, std::string (*factor)(double)) {
  std::string text;
  for (std::size_t i = 0; i < std::min(terms.size(), most); ++i) {
    if (i > 0) text += " + ";
    text += factor(terms[i].left) + std::string(times) + factor(terms[i].right);
  }
  return terms.size() > most ? text + " + " + std::string(rest) : text;
}

// A label as text and as LaTeX.
struct SumWords {
  std::string label, latex;
};

SumWords words_in(const CellFormula& of, AccountStep step) {
  const auto formula = step_info(step).formula;
  return {formula(of, {}), formula(of, kLatex)};
}

// A sum while its lines are added.
struct Summing {
  std::vector<SumLine> lines{};

  void add_text(std::string name, const SumWords& words, std::string value, SumLine::Kind kind) {
    lines.push_back({std::move(name), words.label, std::move(value), kind, words.latex, {}, {}});
  }
  void add(std::string name, const SumWords& words, double value,
           SumLine::Kind kind = SumLine::Kind::Step) {
    add_text(std::move(name), words, rounded_number(value), kind);
    lines.back().latex_value = kLatex.number(short_text(value));
  }
  void add(std::string name, const CellFormula& of, AccountStep step, double value) {
    add(std::move(name), words_in(of, step), value);
  }
  void add_remark(std::string name, std::string value) {
    add_text(std::move(name), {}, std::move(value), SumLine::Kind::Remark);
  }
  // Adds the summands of the previous line, in order of their index.
  void add_terms(std::vector<ScoreTerm> terms) {
    if (terms.empty()) return;
    std::ranges::sort(terms, {}, &ScoreTerm::index);
    std::vector<ScoreTerm> shown = terms;
    const std::size_t most = terms.size() <= kFewTerms ? terms.size() : kTermsOfMany;
    if (most < terms.size()) sort_largest_first(shown);
    // Long sums read "≈ 2.1·1.94 + 0.664·0.81 + … 6 more", with the largest summands.
    const std::string more = "… " + std::to_string(terms.size() - most) + " more";
    const bool rounds = std::ranges::any_of(
        std::span(shown).first(most),
        [](const ScoreTerm& term) { return is_rounded(term.left) || is_rounded(term.right); });
    add_remark("terms", (rounds ? "≈ " : "") + summed(shown, most, "·", more, short_factor));
    lines.back().terms = std::move(terms);
  }
};

void add_score(Summing& sum, const CellFormula& of) {
  constexpr AccountStep kSteps[] = {AccountStep::Products, AccountStep::Scaled,
                                    AccountStep::Softcapped};
  for (const AccountStep kind : kSteps) {
    const Account::Step* const step = of.account.step(step_info(kind).stage);
    if (step == nullptr) continue;
    sum.add(std::string(stage_info(step->stage).name), of, kind, step->value);
    if (kind == AccountStep::Products && of.account.reveals_terms) sum.add_terms(of.account.terms);
  }
}

void add_mask(Summing& sum, const CellFormula& of) {
  if (of.account.is_hidden()) return sum.add_remark("masked", hidden_sentence(of.account.rules));
  sum.add("bias", of, AccountStep::Bias, bias_of(of.problem, of.account, of.account.cell.col));
  sum.add_remark("masked", "not masked");
}

// Adds the exponential and the sum, unless they would give away a concealed weight by a division.
void add_normaliser(Summing& sum, const CellFormula& of) {
  if (of.account.is_hidden() || !of.account.reveals_row) return;
  if (!of.account.exponentials) {
    sum.add_text("normaliser", words_in(of, AccountStep::Weights), "", SumLine::Kind::Step);
    const std::optional<double> threshold = threshold_of(of.problem, of.account);
    if (threshold) sum.add_remark("threshold", "τ = " + rounded_number(*threshold));
    return;
  }
  const double share = of.account.exponential(of.account.cell.col);
  const double row = of.account.softmax.sum;
  if (!std::isfinite(share) || !(row > 0.0) || !std::isfinite(row)) return;
  sum.add("exp", of, AccountStep::Exponentials, share);
  sum.add("row_sum", of, AccountStep::Weights, row);
}

void add_weight(Summing& sum, const CellFormula& of, bool has_output) {
  const SumWords words{"weight", "\\text{weight}"};
  if (std::isnan(of.account.weight) && of.account.lacks_number()) {
    const std::size_t key = key_without_number(of.account) + 1;
    sum.add_text("weights", words, "NaN", SumLine::Kind::Total);
    sum.lines.back().latex_value = "\\mathrm{NaN}";
    return sum.add_remark("reason", no_number_reason(of.account, Notation{}.symbol("k", key)));
  }
  sum.add("weights", words, of.account.weight, SumLine::Kind::Total);
  if (!has_output || of.account.rules != kVisible) return;
  const std::string value = Notation{}.symbol("v", of.account.cell.col + 1);
  sum.add_text("adds", {"contributes", ""}, rounded_number(of.account.weight, 3) + " · " + value,
               SumLine::Kind::After);
}

std::vector<SumLine> weight_sum(const AttentionResult& result, const CellHit& cell) {
  const Account account = account_of(result, cell);
  const HeadAddress& head = cell.matrix.head;
  const CellFormula of{result.problem(), account};
  Summing sum;
  add_score(sum, of);
  if (!account.logits().empty()) {
    add_mask(sum, of);
    add_normaliser(sum, of);
  }
  add_weight(sum, of, result.has(Stage::Output, head));
  return sum.lines;
}

// Returns the sum of a row times a column, plus a bias if there is one.
std::vector<SumLine> product_sum(const AttentionResult& result, const CellHit& cell,
                                 const SumWords& words, const LinearTerms& linear) {
  if (linear.terms.empty()) return {};
  Summing sum;
  double product = 0.0;
  for (const ScoreTerm& term : linear.terms) product += term.product();
  sum.add("product", words, product);
  sum.add_terms(linear.terms);
  if (linear.has_bias) {
    const std::string& name = linear.bias_name;
    sum.add("bias", {"+ " + name, "+ " + kLatex.named(name)}, linear.bias);
  }
  const StageInfo& info = stage_info(cell.matrix.stage);
  const float total = result.value(info.stage, cell.matrix.head, cell.row, cell.col);
  sum.add("total", {std::string(info.label), kLatex.words(info.label)}, static_cast<double>(total),
          SumLine::Kind::Total);
  return sum.lines;
}

// --- As text

constexpr std::size_t kTermsWritten = 64;  // written out

// Calls `add` with each line and its summands as text, which are stored in the next one.
template <class Add>
void each_line(const std::vector<SumLine>& lines, const Notation& write, Add add) {
  const std::string times = write.either("·", " \\cdot "), dots = write.either("…", "\\cdots");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].terms.empty()) continue;
    const bool has_terms = i + 1 < lines.size() && !lines[i + 1].terms.empty();
    add(lines[i], has_terms ? summed(lines[i + 1].terms, kTermsWritten, times, dots,
                                     write.latex ? latex_factor : long_factor)
                            : "");
  }
}

std::string as_text(const std::string& sentence, const std::vector<SumLine>& lines) {
  std::string text = sentence + "\n";
  each_line(lines, {}, [&](const SumLine& line, const std::string& summands) {
    text += line.label + (line.label.empty() || line.value.empty() ? "" : " = ");
    text += summands.empty() ? "" : summands + " = ";
    text += line.value + "\n";
  });
  return text;
}

std::string as_latex(const std::string& sentence, const std::vector<SumLine>& lines) {
  std::string text = "% " + sentence + "\n\\begin{align*}\n";
  bool first = true;
  each_line(lines, kLatex, [&](const SumLine& line, const std::string& summands) {
    if (line.latex.empty()) return;
    text += (std::exchange(first, false) ? "  " : " \\\\\n  ") + line.latex;
    if (!summands.empty()) text += " &= " + summands;
    if (!line.latex_value.empty()) text += " &= " + line.latex_value;
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
  each_line(lines, {}, [&](const SumLine& line, const std::string& summands) {
    const std::string label =
        (line.label.empty() ? line.value : line.label) + (summands.empty() ? "" : " = " + summands);
    const std::string value = line.label.empty() ? "" : line.value;
    text += "| " + in_table(label) + " | " + in_table(value) + " |\n";
  });
  return text;
}

constexpr SumFormat kSumFormats[] = {
    {EquationFormat::Text, "text", "text", as_text},
    {EquationFormat::Latex, "latex", "LaTeX", as_latex},
    {EquationFormat::Markdown, "markdown", "Markdown", as_markdown}};

}  // namespace

std::vector<SumLine> sum_of(const AttentionResult& result, const CellHit& cell) {
  if (!is_computed(cell.matrix)) return {};
  const Stage stage = cell.matrix.stage;
  if (stage == Stage::Output) {
    LinearTerms weighted;
    weighted.terms = output_terms(result, cell);
    return product_sum(result, cell, {"Σ weight · value", "\\sum_k w_k v_k"}, weighted);
  }
  if (is_token_by_token(cell.matrix)) return weight_sum(result, cell);
  const LinearTerms linear = linear_terms(result, stage, cell.matrix.head, cell.row, cell.col);
  return product_sum(result, cell,
                     {linear.input + " · " + linear.matrix,
                      kLatex.named(linear.input) + " " + kLatex.named(linear.matrix)},
                     linear);
}

std::span<const SumFormat> all_sum_formats() { return kSumFormats; }

}  // namespace attn
