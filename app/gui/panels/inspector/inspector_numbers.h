// The numbers that the inspector shows, read off the result; pure.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/read/result.h"
#include "figure/figure.h"

namespace attn::gui {

// A computed stage of queries and keys has one.
bool has_chain(const CellHit& cell);

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
