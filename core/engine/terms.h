// What one number is a sum of: a score, by dimensions or hidden units, or a cell of a linear map
// x·W + b.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/read/result.h"

namespace attn {

// left · right is one summand of the score, in double; scoring_info(…).terms has the words.
struct ScoreTerm {
  std::size_t index = 0;
  double left = 0.0;
  double right = 0.0;
  double product() const { return left * right; }
};

// The summands of the score of query q and key k before the scale, in order of their index; their
// sum is the score up to rounding. Dot products: of every column of query (turned, where positions
// are rotary) and key. General: of every column of q W and of the key. Concat and additive: of
// every hidden unit, v and tanh(…). Location: of every column of the query and row k of W. Empty
// when weights are given. Precondition: head, q and k are inside.
std::vector<ScoreTerm> score_terms(const AttentionResult& result, const HeadAddress& head,
                                   std::size_t q, std::size_t k);

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
