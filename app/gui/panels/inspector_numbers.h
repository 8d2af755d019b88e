// The numbers that the inspector shows, read off the result; pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/result.h"
#include "figure/figure.h"

namespace attn::gui {

// A computed stage of queries and keys has one.
bool has_chain(const CellHit& cell);

// One stage of the way from score to weight at one cell.
struct ChainStep {
  Stage stage;
  std::string text;  // the number, or which rule hides the cell
};
// The stages from Scores to Weights that the result has, at a cell of any stage whose rows are
// queries and columns keys; empty for other cells.
std::vector<ChainStep> chain_of(const AttentionResult& result, const CellHit& cell);

// A bar: an index (key or dimension, or row where bars_are_rows) and its value.
struct Bar {
  std::size_t index;
  float value;
};

// Whether the stage has a single column of features, whose rows say more than one bar would.
bool bars_are_rows(const AttentionResult& result, Stage stage);

// The `count` largest magnitudes of the cell's row (its column where bars_are_rows), largest first
// or by position; hidden and non-finite cells are left out.
std::vector<Bar> line_bars(const AttentionResult& result, const CellHit& cell, std::size_t count,
                           bool by_position);

}  // namespace attn::gui
