// Writing of equations.
#include "plot/charts/equation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number_text.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

constexpr std::size_t kSummandsShown = 6;
constexpr std::string_view kUntold = "not shown until revealed";

std::string fixed(double value, int decimals) {
  const double size = std::abs(value);
  const bool is_usual = value == 0.0 || (size >= 0.5 * std::pow(10.0, -decimals) && size < 1e4);
  return is_usual ? fixed_text(value, decimals) : short_text(value, std::max(decimals + 1, 3));
}

// How one format writes what equations are made of.
struct Writer {
  const PlotInput& input;
  const CellNumbers& numbers;
  bool latex = false;
  int decimals = 2;

  std::string number(double value) const {
    std::string text = fixed(value, decimals);
    const std::size_t power = text.find('e');
    if (!latex || power == text.npos) return text;
    const std::string exponent = std::to_string(std::atoi(text.c_str() + power + 1));
    return text.substr(0, power) + " \\cdot 10^{" + exponent + "}";
  }
  std::string words(std::string_view text) const {
    return latex ? "\\text{" + latex_text(text) + "}" : std::string(text);
  }
  std::string remark(std::string_view text) const {
    return latex ? ",\\quad " + words(text) : "  (" + std::string(text) + ")";
  }
  std::string exp(const std::string& of) const { return (latex ? "\\exp(" : "exp(") + of + ")"; }
  std::string share(const std::string& part, const std::string& of) const {
    return latex ? "\\frac{" + part + "}{" + of + "}" : part + " / (" + of + ")";
  }
  std::string named(const std::string& sum, const std::string& name) const {
    return latex ? "\\underbrace{" + sum + "}_{" + words(name) + "}" : sum + " [" + name + "]";
  }

  std::string token(Side side, std::size_t index) const {
    const HeadAddress& at = numbers.cell.matrix.head;
    const TokenList& tokens = tokens_of(input.document, side, at);
    if (tokens.name_of(index) == nullptr)
      return words(quoted_token(input.document, side, at, index));
    const std::string spoken = tokens.spoken(index);
    const std::string text(without_blanks(spoken));
    const std::string shown = text.empty() ? token_label(input.document, side, at, index) : text;
    return latex ? words(shown) : "\"" + shown + "\"";
  }
  // weights[layer 2, "it", "cat"]
  std::string left() const {
    const AttentionShape& shape = input.result.shape();
    const HeadAddress& at = numbers.cell.matrix.head;
    std::string address;
    const auto add = [&](std::size_t count, const char* name, std::uint64_t number) {
      if (count > 1) address += words(name + std::to_string(number)) + (latex ? ",\\ " : ", ");
    };
    add(shape.layers, "layer ", layer_number(shape, at.layer));
    add(shape.samples, "sample ", at.sample + 1);
    add(shape.heads, "head ", at.head + 1);
    return (latex ? "\\mathrm{weights}[" : "weights[") + address +
           token(Side::Query, numbers.cell.row) + (latex ? ",\\ " : ", ") +
           token(Side::Key, numbers.cell.col) + "] = ";
  }

  // The argument of the exponential of a logit.
  std::string argument(double logit, double subtracted) const {
    std::string text = number(logit);
    const double temperature = temperature_of(input.result.problem());
    if (temperature != 1.0) text += " / " + number(temperature);
    if (subtracted == 0.0) return text;
    return text + (subtracted < 0.0 ? " + " : " - ") + number(std::abs(subtracted));
  }
};

// In the order of keys; of a long row the largest summands, and always the cell's.
std::string softmax_of(const Writer& writer) {
  const CellNumbers& numbers = writer.numbers;
  const AttentionProblem& problem = writer.input.result.problem();
  const SoftmaxSum softmax =
      softmax_sum(problem, numbers.cell.matrix.head, numbers.logits, Subtracts::IfNeeded);
  const auto exp = [&](std::size_t k) {
    return writer.exp(writer.argument(static_cast<double>(numbers.logits[k]), softmax.subtracted));
  };
  std::vector<std::size_t> keys = numbers.keys_with_own(kSummandsShown);
  std::ranges::sort(keys);
  std::string sum;
  double rest = softmax.sum - softmax.sink;
  for (const std::size_t k : keys) {
    sum += (sum.empty() ? "" : " + ") + exp(k);
    rest -= softmax.exponential(static_cast<double>(numbers.logits[k]));
  }
  if (numbers.seen > keys.size()) {
    sum += " + " + writer.named(writer.number(std::max(rest, 0.0)),
                                grouped_text(numbers.seen - keys.size()) + " more");
  }
  if (!problem.scoring.sinks.empty()) {
    sum += " + " + writer.named(writer.number(softmax.sink), "sink");
  }
  return writer.share(exp(numbers.cell.col), sum);
}

// What the weight is computed from; "" for one that is given.
std::string right_of(const Writer& writer) {
  const CellNumbers& numbers = writer.numbers;
  if (numbers.logits.empty()) return "";
  const double logit = static_cast<double>(numbers.logits[numbers.cell.col]);
  if (numbers.is_softmax) return softmax_of(writer) + " = ";
  const Scoring& scoring = writer.input.result.problem().scoring;
  if (!normaliser_info(scoring.normaliser).shares) {  // of each cell by itself
    const std::string minus = writer.exp(writer.argument(-logit, 0.0));
    return (writer.latex ? "\\frac{1}{1 + " + minus + "}" : "1 / (1 + " + minus + ")") + " = ";
  }
  // The threshold of sparsemax, which a weight of 0 does not tell.
  if (!(numbers.weight() > 0.0)) return "";
  const std::string x = writer.argument(logit, 0.0);
  const double threshold = logit / temperature_of(writer.input.result.problem()) - numbers.weight();
  return (writer.latex ? "\\max(0,\\ " : "max(0, ") + x + (threshold < 0.0 ? " + " : " - ") +
         writer.number(std::abs(threshold)) + ") = ";
}

std::string written(const Writer& writer) {
  const CellNumbers& numbers = writer.numbers;
  const std::string left = writer.left();
  if (!numbers.tells_row) return left + (writer.latex ? "\\text{?}" : "?") + writer.remark(kUntold);
  const std::string weight = writer.number(numbers.weight());
  if (numbers.is_hidden()) return left + weight + writer.remark(hidden_sentence(numbers.rules));
  if (std::isfinite(numbers.weight())) return left + right_of(writer) + weight;
  return left + (writer.latex ? "\\mathrm{NaN}" : "NaN") +
         writer.remark(no_number_reason(writer.input.document, numbers));
}

}  // namespace

std::string equation_of(const PlotInput& input, const CellNumbers& numbers, EquationFormat format,
                        int decimals) {
  const bool is_latex = format != EquationFormat::Text;
  const std::string equation = written({input, numbers, is_latex, decimals});
  return format == EquationFormat::Markdown ? in_markdown(equation) : equation;
}

std::string equation_of(const PlotInput& input, const CellHit& cell, EquationFormat format) {
  const HeadAddress& at = cell.matrix.head;
  if (!is_computed(cell.matrix) || !is_token_by_token(cell.matrix)) return "";
  if (!input.result.has(Stage::Weights, at)) return "";
  const StageShape shape = input.result.stage_shape(Stage::Weights, at);
  if (cell.row >= shape.rows || cell.col >= shape.cols) return "";
  return equation_of(input, cell_numbers(input.result, cell), format);
}

}  // namespace attn
