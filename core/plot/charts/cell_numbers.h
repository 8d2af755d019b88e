// The numbers behind one weight: its score by dimension, its row, and what its key adds to the
// output, for the plot of one cell and its equation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attention/mask.h"
#include "engine/terms.h"
#include "figure/figure.h"
#include "plot/kit/plot.h"

namespace attn {

inline constexpr std::size_t kDimensionsShown = 8;  // more would hide the largest ones

// Numbers of parts that are not told would give away one that is concealed (kConcealed).
struct CellNumbers final : Derivation {
  struct Step {
    Stage stage;
    double value;
  };

  CellHit cell;
  HiddenRules rules = kVisible;
  std::vector<ScoreTerm> terms;      // of the score, the largest product first
  std::vector<float> without;        // the weight without each of the first kDimensionsShown terms
  std::vector<Step> steps;           // from the score to the logit
  std::vector<float> logits;         // of the row; none where weights are given
  std::vector<float> weights;        // of the row
  std::vector<HiddenRules> hidden;   // rules of the row
  std::vector<float> value, output;  // v of the key, output of the query; may be empty
  bool tells_score = true;           // the terms and steps
  bool tells_row = true;             // the weights, and what is made from all logits
  bool tells_output = true;          // value and output
  bool is_softmax = false;           // weights are shares of exponentials

  bool is_hidden() const { return rules != kVisible; }
  double weight() const { return static_cast<double>(weights[cell.col]); }
  std::uint64_t bytes() const override {
    return (logits.size() + weights.size()) * sizeof(float) + hidden.size();
  }
};

// Reads one row of every stage. Precondition: the result has such weights.
CellNumbers cell_numbers(const AttentionResult& result, const CellHit& cell);

// The input of the softmax is the logit by the temperature.
double temperature_of(const AttentionProblem& problem);

// e^(x − subtracted) of the row, summed with the sink; `keeps`: nothing is subtracted unless an
// exponential would be too large.
struct Exponentials {
  std::vector<double> each;  // 0 for hidden keys
  double sink = 0.0, sum = 0.0, subtracted = 0.0;
  bool has_sink = false;
};
Exponentials exponentials_of(const AttentionProblem& problem, const CellNumbers& numbers,
                             bool keeps);

// Need: those numbers, of a result whose weights are computed when they are read.
std::vector<Need> why_needs(const FittedView& view);

// The numbers of the first pin in the head in view, else of the largest weight of the last query.
// Precondition: there are weights.
Result<std::shared_ptr<const CellNumbers>> shown_numbers(const FittedView& view);

}  // namespace attn
