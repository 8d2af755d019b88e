// What one number of a linear map is a sum of: x·W + b.
#pragma once

#include <string>
#include <vector>

#include "engine/score_terms.h"

namespace attn {

// Of stages that are rows times a matrix: queries, keys and values of layers and blocks, the output
// projection, and the hidden units, the gate and the outcome of a block's network.
struct LinearTerms {
  std::vector<ScoreTerm> terms;  // input · weight, in order of the input's columns
  double bias = 0.0;
  bool has_bias = false;
  std::string input, matrix, bias_name;  // as formulas name them: "X", "W_Q", "b_Q"
};

// The summands of a cell of such a stage, in double: with the bias their sum is the number up to
// rounding. No terms for other stages, and where queries, keys and values were given. Precondition:
// head, row and column are inside.
LinearTerms linear_terms(const AttentionResult& result, Stage stage, const HeadAddress& head,
                         std::size_t row, std::size_t col);

}  // namespace attn
