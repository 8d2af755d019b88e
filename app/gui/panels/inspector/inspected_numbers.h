// Everything that the inspector reads from the result, kept while the same cells are looked at: a
// row may have a hundred thousand numbers, and frames follow each other quickly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gui/panels/inspector/inspector_numbers.h"
#include "gui/panels/inspector/inspector_sum.h"
#include "session/state.h"

namespace attn::gui {

inline constexpr std::size_t kInspectedBars = 12;
inline constexpr std::size_t kInspectedTerms = 16;

// Summands; of many the largest.
struct LargestTerms {
  std::vector<ScoreTerm> terms;
  std::size_t all = 0;
};

struct InspectedNumbers {
  std::vector<std::vector<SumLine>> sums;  // of the cells that have one
  // Of the first cell:
  std::vector<Bar> bars;
  std::optional<RowEntropy> entropy;
  LargestTerms product, output;
};

class InspectedMemo {
 public:
  // Precondition: `result` is one of the state's.
  const InspectedNumbers& numbers(const AppState& state, const AttentionResult& result,
                                  const std::vector<CellHit>& cells, bool by_position);

 private:
  struct Key {
    ResultPtr result;
    std::uint64_t derivations = 0;  // their version
    std::vector<CellHit> cells;
    bool by_position = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  std::optional<Key> key_;
  InspectedNumbers numbers_;
};

}  // namespace attn::gui
