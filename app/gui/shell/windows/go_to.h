// Goes to a row, column, cell, head, layer or sample that is typed.
#pragma once

#include <string>

#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

struct GoToView {
  bool was_open = false;
  bool focus = false;  // of the field
  std::string text;
};

// Probe names: "go_to", "go_to/place", "go_to/meaning", "go_to/go".
void go_to(Ui& ui, const AppState& state, GoToView& view);

}  // namespace attn::gui
