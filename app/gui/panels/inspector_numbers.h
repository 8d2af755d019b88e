// The numbers that the inspector shows, read off the result; pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/result.h"
#include "figure/figure.h"

namespace attn::gui {

// One stage of the way from score to weight at one cell.
struct ChainStep {
  Stage stage;
  std::string text;  // the number, or which rule hides the cell
};
// The token-by-token stages that the result has; empty for cells of other stages.
std::vector<ChainStep> chain_of(const AttentionResult& result, const CellHit& cell);

// A bar: an index (key or dimension) and its value.
struct Bar {
  std::size_t index;
  float value;
};
// The `count` largest magnitudes of the cell's row, largest first or by position; hidden and
// non-finite cells are left out.
std::vector<Bar> row_bars(const AttentionResult& result, const CellHit& cell, std::size_t count,
                          bool by_position);

}  // namespace attn::gui
