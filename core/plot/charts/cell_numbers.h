// The numbers behind one weight: its score by dimension, its row, and what its key adds to the
// output, for the plots "why" and "flow", and its equation. Read once: a frame of the flow costs
// as much for 100,000 keys as for three.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "attention/mask.h"
#include "engine/terms.h"
#include "figure/figure.h"
#include "plot/kit/cell_sum.h"
#include "plot/kit/plot.h"

namespace attn {

inline constexpr std::size_t kDimensionsShown = 8;  // more would hide the largest ones
inline constexpr std::size_t kLargestKeys = 16;

// Numbers of parts that are not told would give away one that is concealed (kConcealed).
struct CellNumbers final : Derivation {
  struct Step {
    Stage stage;
    std::vector<float> row;
  };

  CellHit cell;
  HiddenRules rules = kVisible;
  std::vector<ScoreTerm> terms;  // of the score, the largest product first
  std::vector<float> without;    // the weight without each of the first kDimensionsShown terms
  std::vector<Step> steps;       // from the score to the logit
  std::vector<float> logits;     // of the row; none where weights are given
  std::vector<float> weights;    // of the row
  double weights_sum = 0.0;
  std::vector<HiddenRules> hidden;   // rules of the row
  std::size_t seen = 0;              // number of keys that are not hidden; all of given weights
  std::vector<std::size_t> largest;  // at most kLargestKeys: seen ones first, by weight
  SoftmaxSum softmax;                // of the row; concealed where a weight is
  std::vector<float> value, output;  // v of the key, output of the query; may be empty
  bool tells_score = true;           // the terms and steps
  bool tells_row = true;             // the weights, and what is made from all logits
  bool tells_output = true;          // value and output
  bool is_softmax = false;           // weights are shares of exponentials

  bool is_hidden() const { return rules != kVisible; }
  // A NaN or an infinite number reaches the sum of the row.
  bool lacks_number() const { return tells_row && !std::isfinite(weights_sum); }
  double weight() const { return static_cast<double>(weights[cell.col]); }
  bool sees(std::size_t key) const { return logits.empty() || hidden[key] == kVisible; }
  // As it was read; 0 where there is none.
  double number(Stage stage, std::size_t key) const;
  // Likewise; concealed with its weight, NaN where the row has no sum.
  double exponential(std::size_t key) const;
  // The cell's key if it is seen, and others up to `most`, the largest weights first.
  std::vector<std::size_t> keys_with_own(std::size_t most) const;
  std::uint64_t bytes() const override {
    return (steps.size() + 2) * weights.size() * sizeof(float) + hidden.size();
  }
};

// A number as these plots write it; "−∞" of hidden cells, "?" of what a lesson conceals. `fine`:
// with its first digits where all decimals are 0.
std::string story_number(double number, int decimals, bool fine = true);

// "unit" or "dimension", what the terms of a score are counted by, and the name of one of them.
std::string_view word_for_terms(const AttentionProblem& problem);
std::string name_of_term(const FittedView& view, std::size_t index);

// Reads one row of every stage. Precondition: the result has such weights.
CellNumbers cell_numbers(const AttentionResult& result, const CellHit& cell);

// "the logit of “cats” is NaN", of a row that lacks_number().
std::string no_number_reason(const Document& document, const CellNumbers& numbers);
// "This row does not sum to a number: the logit of “cats” is NaN."
inline std::string without_number(const Document& document, const CellNumbers& numbers) {
  return "This row does not sum to a number: " + no_number_reason(document, numbers) + ".";
}

// Places of the largest magnitudes, these first; all in their order where there are no more.
std::vector<std::size_t> places_of_largest(std::span<const float> numbers, std::size_t most);

// Need: the numbers of the first pin in the head in view, else of the largest weight of the last
// query. Precondition: there are weights.
std::vector<Need> numbers_needs(const FittedView& view);

// Likewise, of a result whose weights are computed when they are read.
std::vector<Need> why_needs(const FittedView& view);

// These numbers, read now where they need no derivation.
Result<std::shared_ptr<const CellNumbers>> shown_numbers(const FittedView& view);

}  // namespace attn
