// Summands of one number: of a score, by dimension or hidden unit, or of a cell of x·W + b.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/read/result.h"

namespace attn {

// Numbers of a range of cells. Precondition: the result has the stage.
std::vector<float> cells_of_stage(const AttentionResult& result, Stage stage,
                                  const HeadAddress& head, const CellRange& range);
std::vector<float> row_of_stage(const AttentionResult& result, Stage stage, const HeadAddress& head,
                                std::size_t row);

// left · right is one summand of the score, in double; scoring_info(…).terms has the words.
struct ScoreTerm {
  std::size_t index = 0;
  double left = 0.0;
  double right = 0.0;
  double product() const { return left * right; }
};

// Summands of the unscaled score of query q and key k, in order of index; their sum is the score up
// to rounding. Dot products: columns of query (rotated, if positions are rotary) and key. General:
// columns of q W and key. Concat and additive: hidden units, v and tanh(…). Location: columns of
// the query and row k of W. Empty for given weights, and for a score that is concealed.
// Precondition: head, q and k are inside.
std::vector<ScoreTerm> score_terms(const AttentionResult& result, const HeadAddress& head,
                                   std::size_t q, std::size_t k);

// The weight of key `col` of a row of logits if its score were `score`: scaled, capped and
// normalised as the engine does, with the bias that its logit has. Precondition: no rule hides the
// key.
struct RowOfLogits {
  std::span<const float> logits;
  std::span<const HiddenRules> hidden;
  std::size_t col = 0;
  double bias = 0.0;  // of that key
};
float weight_with_score(const AttentionProblem& problem, const HeadAddress& head,
                        const RowOfLogits& row, double score);

// Stages that are rows times a matrix: queries, keys and values of layers and blocks, the output
// projection, and hidden units, gate and output of a feed-forward layer.
struct LinearTerms {
  std::vector<ScoreTerm> terms;  // input · weight, in order of the input's columns
  double bias = 0.0;
  bool has_bias = false;
  std::string input, matrix, bias_name;  // symbols: "X", "W_Q", "b_Q"
};

// Summands of a cell of such a stage, in double; with the bias their sum is the number up to
// rounding. Empty for other stages, for given queries, keys and values, and for a number that is
// concealed. Precondition: head, row and column are inside.
LinearTerms linear_terms(const AttentionResult& result, Stage stage, const HeadAddress& head,
                         std::size_t row, std::size_t col);

}  // namespace attn
