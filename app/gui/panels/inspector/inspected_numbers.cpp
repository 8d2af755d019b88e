// Reads what the inspector shows.
#include "gui/panels/inspector/inspected_numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::gui {
namespace {

LargestTerms largest_of(std::vector<ScoreTerm> terms) {
  LargestTerms largest{std::move(terms), 0};
  largest.all = largest.terms.size();
  if (largest.all <= kInspectedTerms) return largest;
  std::partial_sort(largest.terms.begin(), largest.terms.begin() + kInspectedTerms,
                    largest.terms.end(), [](const ScoreTerm& a, const ScoreTerm& b) {
                      return std::abs(a.product()) > std::abs(b.product());
                    });
  largest.terms.resize(kInspectedTerms);
  largest.terms.shrink_to_fit();
  return largest;
}

InspectedNumbers read_numbers(const AttentionResult& result, const std::vector<CellHit>& cells,
                              bool by_position) {
  InspectedNumbers numbers;
  for (const CellHit& cell : cells) {
    std::vector<SumLine> lines = sum_of(result, cell);
    if (!lines.empty()) numbers.sums.push_back(std::move(lines));
  }
  const CellHit& first = cells.front();
  if (!is_computed(first.matrix)) return numbers;
  const HeadAddress& head = first.matrix.head;
  numbers.bars = line_bars(result, first, kInspectedBars, by_position);
  if (first.matrix.stage == Stage::Weights) {
    numbers.entropy = row_entropy(result, head, first.row);
  }
  if (has_chain(first)) {
    numbers.product = largest_of(score_terms(result, head, first.row, first.col));
  }
  numbers.output = largest_of(output_terms(result, first));
  return numbers;
}

}  // namespace

const InspectedNumbers& InspectedMemo::numbers(const AppState& state, const AttentionResult& result,
                                               const std::vector<CellHit>& cells,
                                               bool by_position) {
  Key key{state.result, state.derivations.version(), cells, by_position};
  if (key_ == key) return numbers_;
  numbers_ = read_numbers(result, cells, by_position);
  key_ = std::move(key);
  return numbers_;
}

}  // namespace attn::gui
