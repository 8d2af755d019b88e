// Derivation of a weight, or of a number of the output, from the computed stages, line by line, and
// as text for the clipboard. Pure functions.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "engine/terms.h"
#include "figure/figure.h"

namespace attn {

struct SumLine {
  enum class Kind {
    Step,   // an operation with its result
    Aside,  // a remark on the number above
    Total,  // the result
    After,  // use of the result
  };
  std::string name;  // probe name: a stage's, or "terms", "bias", "exp", "row_sum", "adds", "total"
  std::string label;  // "÷ √dₖ = √8"; empty if the value says it all
  std::string value;  // "1.704"
  Kind kind = Kind::Step;
  std::string latex;             // label in LaTeX
  std::vector<ScoreTerm> terms;  // all summands, for "terms"
};

// Subscript of the first token: 0 for tokens without names, which are numbered from 0.
struct FirstNumbers {
  std::size_t query = 1, key = 1;
  friend bool operator==(const FirstNumbers&, const FirstNumbers&) = default;
};
FirstNumbers first_numbers(const Document& document, const HeadAddress& at);

// For cells of queries and keys: the steps from the product of query and key to the weight; for
// given weights, only the weight. A hidden cell has its rule in "masked". For outputs: the weighted
// values; for products of a row and a matrix (engine/terms.h): product and bias. Empty for
// other cells.
std::vector<SumLine> sum_of(const AttentionResult& result, const CellHit& cell,
                            const FirstNumbers& first = {});

// The input of the softmax is the logit by the temperature.
double temperature_of(const AttentionProblem& problem);

// Σ e^(x − subtracted) over the inputs of the softmax in a row, with the sink if there is one. In
// double.
struct SoftmaxSum {
  double temperature = 1.0, subtracted = 0.0;
  double sink = 0.0, sum = 0.0;  // of exponentials
  double exponential(double logit) const { return std::exp(logit / temperature - subtracted); }
};
enum class Subtracts {
  Largest,
  IfNeeded,  // nothing, unless an exponential would be too large
};
SoftmaxSum softmax_sum(const AttentionProblem& problem, const HeadAddress& head,
                       std::span<const float> logits, Subtracts subtracts);
SoftmaxSum softmax_sum(const AttentionResult& result, const HeadAddress& head, std::size_t q);

// Summands of a cell of the output: weight · value for each key. Empty for other stages.
std::vector<ScoreTerm> output_terms(const AttentionResult& result, const CellHit& cell);

// About a row of weights. Entropy of the row divided by its sum, as in measure_head
// (engine/measures.h), and that of equal weights over the visible keys (0 for given weights, where
// they are unknown), in nats. Rank of the cell, 1 for the largest, and number of visible cells; 0
// for a hidden cell.
struct WeightsRow {
  double entropy = 0.0, most = 0.0;
  std::size_t rank = 0, visible = 0;
};
// Nothing for rows that are not weights.
std::optional<WeightsRow> weights_row(const AttentionResult& result, const CellHit& cell);

enum class EquationFormat { Text, Latex, Markdown };

// How sums and equations are copied.
struct SumFormat {
  EquationFormat format;
  std::string_view name;   // "latex"
  std::string_view label;  // "LaTeX"
  // `sentence` describes the number; `lines` is its derivation with all summands.
  std::string (*write)(const std::string& sentence, const std::vector<SumLine>& lines);
};

std::span<const SumFormat> all_sum_formats();

}  // namespace attn
