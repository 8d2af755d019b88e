// The tokens of one or both sides: add, rename in place, delete, reorder by dragging or keys.
#pragma once

#include <cstddef>
#include <optional>

#include "gui/panels/controls/controls.h"
#include "session/command.h"
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
  bool in_use = false;          // the keyboard is among its rows
};

struct TokensView {
  std::uint64_t first_revision = 0;  // of the document that the selection belongs to
  TokenListView query, key;
  std::optional<Side> sentence_side;  // for which one was asked for; whoever opens it takes it
  Side in_use = Side::Query;          // the list that was last pressed or marked in
  // As of the last frame: all but the rows where each list has a foot, one foot, and the lines that
  // come and go with what is typed.
  float other_px = 160.0F, foot_px = 70.0F, words_px = 0.0F;
};

// Probe names begin with "tokens/" for self-attention, "tokens/query/" and "tokens/key/" otherwise.
// Where two lists would show too few rows, they share one foot: the field and the buttons of the
// one with the marked token, else of the one pressed last. Fits its rows into the window it stands
// in; returns the height in pixels that shows them all.
float tokens_panel(Ui& ui, const AppState& state, TokensView& view);

}  // namespace attn::gui
