// The account of one weight: the summands of its score, the steps from it to the weight, its row,
// and what its key adds to the output. The sum of the inspector, the equation, and the plots "why"
// and "flow" share these numbers, which are read once: a frame of the flow costs as much for
// 100,000 keys as for three.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "attention/mask.h"
#include "engine/terms.h"
#include "figure/figure.h"
#include "plot/kit/plot.h"

namespace attn {

inline constexpr std::size_t kDimensionsShown = 8;  // more would hide the largest ones
inline constexpr std::size_t kLargestKeys = 16;

// Returns the number that divides logits before the softmax; 1 without a temperature.
double temperature_of(const AttentionProblem& problem);

// The sum of e^(logit / temperature − subtracted) over a row, with the sink if there is one.
struct SoftmaxSum {
  double temperature = 1.0, subtracted = 0.0;
  double sink = 0.0, sum = 0.0;  // of exponentials
  double exponential(double logit) const { return std::exp(logit / temperature - subtracted); }
};
// Subtracts nothing, or the largest where its exponential would not be easy to read.
SoftmaxSum softmax_sum(const AttentionProblem& problem, const HeadAddress& head,
                       std::span<const float> logits);

// The numbers behind a weight. Parts that are not revealed must not be shown: they would give away
// a number that a lesson conceals (kConcealed).
struct Account final : Derivation {
  struct Step {
    Stage stage;
    double value;  // of the cell
    std::vector<float> row;
  };

  CellHit cell;
  HiddenRules rules = kVisible;  // which only mark given weights
  bool has_scores = true;        // else the weights are given, or a pattern gives them
  bool exponentials = false;     // the weights are shares of exponentials
  std::vector<ScoreTerm> terms;  // of the score, the largest product first
  std::vector<float> without;    // the weight without each term, as add_without() adds it
  std::vector<Step> steps;       // from the score to the logit
  double weight = 0.0;
  std::vector<float> weights;  // of the row
  double weights_sum = 0.0;
  std::vector<HiddenRules> hidden;   // rules of the row
  std::size_t seen = 0;              // number of keys that are not hidden; all of given weights
  std::vector<std::size_t> largest;  // at most kLargestKeys: seen ones first, by weight
  SoftmaxSum softmax;                // of the row; concealed where a weight is
  std::vector<float> value, output;  // v of the key, output of the query; may be empty
  bool reveals_terms = true;         // of the score
  bool reveals_score = true;         // the terms and steps
  bool reveals_row = true;           // the weights, and what is made from all logits
  bool reveals_output = true;        // value and output

  bool is_hidden() const { return has_scores && rules != kVisible; }
  // A NaN or an infinite number reaches the sum of the row.
  bool lacks_number() const { return reveals_row && !std::isfinite(weights_sum); }
  // Returns the logits of the row; none where weights are given.
  std::span<const float> logits() const {
    const Step* const masked = step(Stage::Masked);
    return masked == nullptr ? std::span<const float>() : std::span<const float>(masked->row);
  }
  bool sees(std::size_t key) const { return logits().empty() || hidden[key] == kVisible; }
  // Returns null where the problem has no such step.
  const Step* step(Stage stage) const;
  // Returns the number of a key at a stage; 0 where the problem has no such step.
  double number(Stage stage, std::size_t key) const;
  // Returns the exponential of a key; kConcealed as its weight is, NaN where the row has no sum.
  double exponential(std::size_t key) const;
  // Returns up to `most` keys that are seen, the largest weights first, with the cell's own.
  std::vector<std::size_t> keys_with_own(std::size_t most) const;
  std::uint64_t bytes() const override {
    return (steps.size() + 1) * weights.size() * sizeof(float) + hidden.size();
  }
};

// Reads one row of every stage. Precondition: the result has such weights.
Account account_of(const AttentionResult& result, const CellHit& cell);

// Adds the weight that the cell would have without each of the first kDimensionsShown terms; none
// where the score, the row or its sum is not known.
void add_without(Account& account, const AttentionResult& result);

// Sorts by magnitude of the products, those that are no numbers first.
void sort_largest_first(std::vector<ScoreTerm>& terms);

// Returns the number that a normaliser with a threshold subtracts from the logits, which the
// largest weight is left of; nothing for others, and for a row that sees no key.
std::optional<double> threshold_of(const AttentionProblem& problem, const Account& account);

// Returns what the mask adds to the score of a key of the row.
double bias_of(const AttentionProblem& problem, const Account& account, std::size_t key);

// Returns the key whose logit, or given weight, keeps the row from having a sum.
std::size_t key_without_number(const Account& account);

// Returns the places of the largest magnitudes, largest first; all in order if there are no more.
std::vector<std::size_t> places_of_largest(std::span<const float> numbers, std::size_t most);

// Returns the summands of a cell of the output: weight · value for each key; none at other stages.
std::vector<ScoreTerm> output_terms(const AttentionResult& result, const CellHit& cell);

// Measures of a row of weights: its entropy when it is divided by its sum, as in measure_head
// (engine/measures.h), and that of equal weights over the visible keys (0 for given weights, where
// these are unknown), in nats; the rank of the cell, 1 for the largest and 0 for a hidden one, and
// the number of visible cells.
struct WeightsRow {
  double entropy = 0.0, most = 0.0;
  std::size_t rank = 0, visible = 0;
};
// Returns nothing for rows that are not weights.
std::optional<WeightsRow> weights_row(const AttentionResult& result, const CellHit& cell);

// Returns a need: the account of the first pin in the head in view, else of the largest weight of
// the query that options.token names, or of the last one that sees a key. Precondition: there are
// weights.
std::vector<Need> account_needs(const FittedView& view);

// Returns this need if the weights of the result are computed when they are read, else none.
std::vector<Need> why_needs(const FittedView& view);

// Returns this account; reads it now where it needs no derivation.
Result<std::shared_ptr<const Account>> shown_account(const FittedView& view);

}  // namespace attn
