// Layouts under names: the window that keeps the present one, and the list of them.
#pragma once

#include <string>

#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

struct LayoutsView {
  bool was_open = false;  // the window with the name
  bool focus = false;     // its field takes the keyboard again
  std::string name;       // as it is typed
};

// Asks for a name. Probe names: "save_layout", "save_layout/name", "save_layout/reason",
// "save_layout/save", "save_layout/close".
void save_layout_window(Ui& ui, const AppState& state, LayoutsView& view);

// Probe names: "layouts", "layouts/save", "layouts/reset", "layouts/apply/NAME",
// "layouts/delete/NAME", "layouts/close".
void layouts_window(Ui& ui, const AppState& state);

}  // namespace attn::gui
