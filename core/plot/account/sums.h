// The derivation of a weight, or of a number of the output, from the computed stages, line by line,
// and as text for the clipboard. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "plot/account/steps.h"

namespace attn {

struct SumLine {
  enum class Kind {
    Step,    // an operation with its result
    Remark,  // a remark on the number above
    Total,   // the result
    After,   // use of the result
  };
  std::string name;  // probe name: a stage's, or "terms", "bias", "exp", "row_sum", "adds", "total"
  std::string label;  // "÷ √dₖ = √8"; empty if the value says it all
  std::string value;  // "1.704"
  Kind kind = Kind::Step;
  std::string latex, latex_value;  // label and number in LaTeX
  std::vector<ScoreTerm> terms;    // all summands, for "terms"
};

// Returns the lines of a cell. Between queries and keys they are the steps from the product of
// query and key to the weight, with the rule of a hidden cell in "masked"; of given weights, only
// the weight. Outputs have the weighted values, and products of a row and a matrix
// (engine/terms.h) the product and the bias. Other cells have none.
std::vector<SumLine> sum_of(const AttentionResult& result, const CellHit& cell);

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
