// Writes the equation of a weight from its account.
#include "plot/account/equation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number_text.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

constexpr std::size_t kSummandsShown = 6;
constexpr std::string_view kConcealedWords = "not shown until revealed";

std::string fixed(double value, int decimals) {
  const double size = std::abs(value);
  const bool is_usual = value == 0.0 || (size >= 0.5 * std::pow(10.0, -decimals) && size < 1e4);
  return is_usual ? fixed_text(value, decimals) : short_text(value, std::max(decimals + 1, 3));
}

// The numbers of an equation, and how they are written.
struct Equation {
  const PlotInput& input;
  const Account& account;
  Notation write;
  int decimals = 2;

  const AttentionProblem& problem() const { return input.result.problem(); }
  std::string number(double value) const { return write.number(fixed(value, decimals)); }

  std::string token(Side side, std::size_t index) const {
    const HeadAddress& at = account.cell.matrix.head;
    const TokenList& tokens = tokens_of(input.document, side, at);
    if (tokens.name_of(index) == nullptr)
      return write.words(quoted_token(input.document, side, at, index));
    const std::string spoken = tokens.spoken(index);
    const std::string text(without_blanks(spoken));
    const std::string shown = text.empty() ? token_label(input.document, side, at, index) : text;
    return write.latex ? write.words(shown) : "\"" + shown + "\"";
  }
  // weights[layer 2, "it", "cat"]
  std::string left() const {
    const AttentionShape& shape = input.result.shape();
    const HeadAddress& at = account.cell.matrix.head;
    std::string address;
    const auto add = [&](std::size_t count, const char* name, std::uint64_t number) {
      if (count > 1) address += write.words(name + std::to_string(number)) + write.comma();
    };
    add(shape.layers, "layer ", layer_number(shape, at.layer));
    add(shape.samples, "sample ", at.sample + 1);
    add(shape.heads, "head ", at.head + 1);
    return write.either("weights[", "\\mathrm{weights}[") + address +
           token(Side::Query, account.cell.row) + write.comma() +
           token(Side::Key, account.cell.col) + "] = ";
  }

  // " + 1.50", " - 1.50"
  std::string less(double value) const {
    return (value < 0.0 ? " + " : " - ") + number(std::abs(value));
  }
  // Returns a logit as the normaliser reads it, divided by the temperature.
  std::string argument(double logit) const {
    const double temperature = temperature_of(problem());
    return number(logit) + (temperature == 1.0 ? "" : " / " + number(temperature));
  }
};

// Returns the softmax in the order of keys; of a long row the largest summands and the cell's.
std::string softmax_of(const Equation& of) {
  const Account& account = of.account;
  const SoftmaxSum& softmax = account.softmax;
  const std::string less = softmax.subtracted == 0.0 ? "" : of.less(softmax.subtracted);
  const auto exp = [&](std::size_t k) {
    return of.write.call("exp", of.argument(static_cast<double>(account.logits()[k])) + less);
  };
  std::vector<std::size_t> keys = account.keys_with_own(kSummandsShown);
  std::ranges::sort(keys);
  std::string sum;
  double rest = softmax.sum - softmax.sink;
  for (const std::size_t k : keys) {
    sum += (sum.empty() ? "" : " + ") + exp(k);
    rest -= softmax.exponential(static_cast<double>(account.logits()[k]));
  }
  if (account.seen > keys.size()) {
    sum += " + " + of.write.braced(of.number(std::max(rest, 0.0)),
                                   grouped_text(account.seen - keys.size()) + " more");
  }
  if (!sinks_of(of.problem(), account.cell.matrix.head).empty()) {
    sum += " + " + of.write.braced(of.number(softmax.sink), "sink");
  }
  return of.write.fraction(exp(account.cell.col), sum);
}

// Returns what the weight is computed from; "" where it is given, or its row sees no key.
std::string right_of(const Equation& of) {
  const Account& account = of.account;
  if (account.logits().empty()) return "";
  if (account.exponentials) return softmax_of(of) + " = ";
  const NormaliserInfo& info = normaliser_info(of.problem().scoring.normaliser);
  const std::optional<double> threshold = threshold_of(of.problem(), account);
  if (info.shares && !threshold) return "";
  const double logit = static_cast<double>(account.logits()[account.cell.col]);
  return info.of_cell(of.write,
                      {of.argument(logit), of.argument(-logit), of.less(threshold.value_or(0.0))}) +
         " = ";
}

std::string written(const Equation& of) {
  const Account& account = of.account;
  const Notation& write = of.write;
  const std::string left = of.left();
  if (!account.reveals_row)
    return left + write.words("?") + write.remark(std::string(kConcealedWords));
  const std::string weight = of.number(account.weight);
  if (account.is_hidden()) return left + weight + write.remark(hidden_sentence(account.rules));
  if (std::isfinite(account.weight)) return left + right_of(of) + weight;
  return left + write.either("NaN", "\\mathrm{NaN}") +
         write.remark(no_number_reason(of.input.document, account));
}

}  // namespace

std::string equation_of(const PlotInput& input, const Account& account, EquationFormat format,
                        int decimals) {
  const bool is_latex = format != EquationFormat::Text;
  const std::string equation = written({input, account, {is_latex}, decimals});
  return format == EquationFormat::Markdown ? in_markdown(equation) : equation;
}

std::string equation_of(const PlotInput& input, const CellHit& cell, EquationFormat format) {
  const HeadAddress& at = cell.matrix.head;
  if (!is_computed(cell.matrix) || !is_token_by_token(cell.matrix)) return "";
  if (!input.result.has(Stage::Weights, at)) return "";
  const StageShape shape = input.result.stage_shape(Stage::Weights, at);
  if (cell.row >= shape.rows || cell.col >= shape.cols) return "";
  return equation_of(input, account_of(input.result, cell), format);
}

}  // namespace attn
