// The tokens of one or both sides: add, rename in place, delete, reorder by dragging or keys.
#pragma once

#include <cstddef>
#include <optional>

#include "gui/panels/controls.h"
#include "session/state.h"

namespace attn::gui {

// What is going on in the list of one side.
struct TokenListView {
  std::optional<std::size_t> revealed;  // the marked one when it was last brought into view
  bool hovers = false;                  // the token pointed at was pointed at here
  std::optional<std::size_t> renaming;
  bool rename_appeared = false;
  std::string rename_text;
  std::string new_text;
  bool return_to_new = false;   // keep typing after Enter
  bool wants_sentence = false;  // a sentence is to be typed for this side
};

struct TokensView {
  std::uint64_t first_revision = 0;  // of the document that the selection belongs to
  TokenListView query, key;
  std::optional<Side> sentence_side;  // for which one was asked for; whoever opens it takes it
  float other_px = 160.0F;            // all but the rows, as of the last frame
};

// Probe names begin with "tokens/" for self-attention, "tokens/query/" and "tokens/key/" otherwise.
// Fits its rows into the window it stands in; returns the height in pixels that shows them all.
float tokens_panel(Ui& ui, const AppState& state, TokensView& view);

}  // namespace attn::gui
