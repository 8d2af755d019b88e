// The parts of a matrix that a pane has shown, to go back and forward through them. A value; every
// function here is pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "view/options.h"

namespace attn {

inline constexpr std::size_t kPartsKept = 100;  // before the one in view, and as many after it

struct Trail {
  std::size_t rows = 0, cols = 0;  // of the matrix that the parts are of
  std::vector<CellWindow> past;    // the newest last
  std::vector<CellWindow> future;  // that going back has left, the nearest last
  std::uint64_t stroke = 0;        // of the gesture that left the newest of the past; 0: none
  friend bool operator==(const Trail&, const Trail&) = default;
};

// What a pane remembers beside its view; not saved.
struct PaneMemory {
  Trail trail;
  std::string colormap_before;  // the safe colours took its place; empty: none
};

// A matrix of rows × cols is not seen in the part `left` any more. Gestures of one stroke leave one
// part; those of another matrix are forgotten, and so is the future.
void leave_part(Trail& trail, const CellWindow& left, std::size_t rows, std::size_t cols,
                std::uint64_t stroke);

// The part `by` steps from `shown`: before it (below 0) or after it, as far as they are kept.
CellWindow stepped(Trail& trail, CellWindow shown, int by);

}  // namespace attn
