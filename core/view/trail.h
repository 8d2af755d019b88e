// History of the parts of a matrix, or of the tokens, that a pane has shown, to go back and
// forward. A value; all functions are pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "view/options.h"

namespace attn {

inline constexpr std::size_t kPartsKept = 100;  // before the current part, and as many after it

// First visible tokens of each side in a plot of lines.
struct FirstTokens {
  std::size_t query = 0, key = 0;
  friend bool operator==(const FirstTokens&, const FirstTokens&) = default;
};

// Part of the cells, or of the tokens.
using ShownPart = std::variant<CellWindow, FirstTokens>;

// Extent of a matrix whose parts are shown, as cells or as tokens.
struct PartsOf {
  std::size_t rows = 0, cols = 0;
  bool tokens = false;
  friend bool operator==(const PartsOf&, const PartsOf&) = default;
};

struct Trail {
  PartsOf of;
  std::vector<ShownPart> past;    // the newest last
  std::vector<ShownPart> future;  // left by going back, the nearest last
  std::uint64_t gesture = 0;      // gesture that added the newest past part; 0: none
  friend bool operator==(const Trail&, const Trail&) = default;
};

// State of a pane beside its view; not saved.
struct PaneMemory {
  Trail trail;
  std::string colormap_before;  // replaced by the safe colours; empty: none
};

// The part in view; the options have both kinds.
ShownPart part_of(const ViewOptions& options, const PartsOf& of);

// Records that `left` is no longer in view. Changes of one gesture record one part; parts of
// another extent than `of` are dropped, and so is the future.
void leave_part(Trail& trail, const ShownPart& left, const PartsOf& of, std::uint64_t gesture);

// The part `by` steps from `shown`: back (below 0) or forward, as far as recorded.
ShownPart stepped(Trail& trail, ShownPart shown, int by);

}  // namespace attn
