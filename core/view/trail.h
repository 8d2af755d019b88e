// The parts that a pane has shown of a matrix, or of the tokens of its sides, to go back and
// forward through them. A value; every function here is pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "view/options.h"

namespace attn {

inline constexpr std::size_t kPartsKept = 100;  // before the one in view, and as many after it

// Where the tokens begin that a plot of lines shows of each side.
struct FirstTokens {
  std::size_t query = 0, key = 0;
  friend bool operator==(const FirstTokens&, const FirstTokens&) = default;
};

// Of cells, or of tokens.
using ShownPart = std::variant<CellWindow, FirstTokens>;

// What parts are of: a matrix of rows × cols, by its cells or by its tokens.
struct PartsOf {
  std::size_t rows = 0, cols = 0;
  bool tokens = false;
  friend bool operator==(const PartsOf&, const PartsOf&) = default;
};

struct Trail {
  PartsOf of;
  std::vector<ShownPart> past;    // the newest last
  std::vector<ShownPart> future;  // that going back has left, the nearest last
  std::uint64_t gesture = 0;      // of the gesture that left the newest of the past; 0: none
  friend bool operator==(const Trail&, const Trail&) = default;
};

// What a pane remembers beside its view; not saved.
struct PaneMemory {
  Trail trail;
  std::string colormap_before;  // the safe colours took its place; empty: none
};

// What is shown of it; the options have both kinds.
ShownPart part_of(const ViewOptions& options, const PartsOf& of);

// The part `left` is not seen any more. Changes of one gesture leave one part; those of anything
// else than `of` are forgotten, and so is the future.
void leave_part(Trail& trail, const ShownPart& left, const PartsOf& of, std::uint64_t gesture);

// The part `by` steps from `shown`: before it (below 0) or after it, as far as they are kept.
ShownPart stepped(Trail& trail, ShownPart shown, int by);

}  // namespace attn
