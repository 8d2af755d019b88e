// Tokens of one or both sides: add, rename in place, delete, reorder by dragging or keys.
#pragma once

#include <cstddef>
#include <optional>

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// State of the list of one side.
struct TokenListView {
  std::optional<std::size_t> revealed;  // marked token last scrolled into view
  bool hovers = false;                  // the hovered token was hovered in this list
  std::optional<std::size_t> renaming;
  bool rename_appeared = false;
  FieldInteraction rename;
  std::string new_text;
  bool return_to_new = false;  // keep the focus after Enter
  bool in_use = false;         // its rows have the focus
};

struct TokensView {
  std::uint64_t first_revision = 0;  // of the selection's document
  TokenListView query, key;
  std::optional<Side> sentence_side;  // requested side; taken by the sentence window
  Side in_use = Side::Query;          // list last pressed or marked
  // Measures of the last frame: everything but the rows if each list has a foot, one foot, and the
  // optional lines that depend on typed text.
  float other_px = 160.0F, foot_px = 70.0F, words_px = 0.0F;
};

// Probe names begin with "tokens/" for self-attention, "tokens/query/" and "tokens/key/" otherwise.
// Two lists with too few rows share one foot: its field and buttons apply to the list with the
// marked token, else the last pressed one. Fits the rows into the window.
void tokens_panel(Ui& ui, const AppState& state, TokensView& view);
// Height in pixels that shows all rows.
float tokens_height(const Ui& ui, const AppState& state, const TokensView& view);

}  // namespace attn::gui
