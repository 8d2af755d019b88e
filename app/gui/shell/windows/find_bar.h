// The search for tokens, a bar over the plots' upper right corner, and the window that goes to a
// cell, head, layer or sample by its number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

struct FindView {
  bool was_open = false;
  std::string text;
  bool return_to_text = false;  // after a step
  // What was found, kept while neither text nor tokens change.
  std::string found_text;
  std::uint64_t revision = 0;
  std::size_t sample = 0;
  std::vector<TokenHit> found;
};

// `corner` is the upper right one, pixels. Enter goes on to the next, Shift+Enter back, Esc closes.
// Probe names: "find", "find/text", "find/count", "find/next", "find/previous", "find/close".
void find_bar(Ui& ui, const AppState& state, FindView& view, ImVec2 corner);

struct GoToView {
  bool was_open = false;
  bool focus = false;  // of the field
  std::string text;
};

// Probe names: "go_to", "go_to/place", "go_to/meaning", "go_to/go".
void go_to(Ui& ui, const AppState& state, GoToView& view);

}  // namespace attn::gui
