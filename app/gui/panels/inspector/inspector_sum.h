// How one weight, or one number of the output, comes about from the computed stages, line by line,
// and that as text to be copied; pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "engine/terms.h"
#include "figure/figure.h"

namespace attn::gui {

struct SumLine {
  enum class Kind {
    Step,   // something is done, and gives a number
    Aside,  // said about the number above
    Total,  // what comes out
    After,  // what is done with it
  };
  std::string name;   // of its probe: a stage's, or "terms", "bias", "exp", "adds", "total"
  std::string label;  // "÷ √dₖ = √8"; empty for what only the value says
  std::string value;  // "1.704"
  Kind kind = Kind::Step;
  std::string latex;             // the label as LaTeX sets it
  std::vector<ScoreTerm> terms;  // of "terms": all of them
};

// What the first token is called in subscripts: 0 where its number is its only name.
struct FirstNumbers {
  std::size_t query = 1, key = 1;
  friend bool operator==(const FirstNumbers&, const FirstNumbers&) = default;
};
FirstNumbers first_numbers(const Document& document, const HeadAddress& at);

// From the product of query and key to the weight, for cells whose rows are queries and columns
// keys; of given weights only the weight. A hidden cell says its rule in "masked". For outputs the
// weighted values, for what a matrix makes of a row (engine/linear_terms.h) its product and bias.
// Empty for other cells.
std::vector<SumLine> sum_of(const AttentionResult& result, const CellHit& cell,
                            const FirstNumbers& first = {});

// Σ exp of the row of what goes into the softmax, and what was subtracted first so that it stays
// finite (0 unless needed); with the sink, if there is one. In double.
struct SoftmaxSum {
  double subtracted = 0.0;
  double sum = 0.0;
};
SoftmaxSum softmax_sum(const AttentionResult& result, const HeadAddress& head, std::size_t q);

// The summands of a cell of the output: weight · value of each key. Empty for other stages.
std::vector<ScoreTerm> output_terms(const AttentionResult& result, const CellHit& cell);

// How many visible cells of a weight's row are larger, plus one, and how many there are; nothing
// for a hidden cell and for other stages.
struct RowRank {
  std::size_t rank = 1, among = 1;
};
std::optional<RowRank> row_rank(const AttentionResult& result, const CellHit& cell);

// Entropy of a row of weights divided by its sum, as measure_head (engine/measures.h) has it, and
// of equal weights over the keys it sees (0 for given weights, of which nobody knows), in nats. No
// value where the weights are none.
struct RowEntropy {
  double entropy = 0.0;
  double most = 0.0;
};
std::optional<RowEntropy> row_entropy(const AttentionResult& result, const HeadAddress& head,
                                      std::size_t q);

struct SumFormat {
  std::string_view name;   // "latex"
  std::string_view label;  // "LaTeX"
  // `sentence` says what the number is; `lines` how it came about, each with all of its summands.
  std::string (*write)(const std::string& sentence, const std::vector<SumLine>& lines);
};

std::span<const SumFormat> all_sum_formats();

}  // namespace attn::gui
