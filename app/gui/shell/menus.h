// The menu bar, made from the list of actions.
#pragma once

#include <vector>

#include "gui/shell/actions.h"

namespace attn::gui {

// Inside a window with a menu bar. Probe names: "menu/File", "menu/File/open",
// "menu/File/Examples", "menu/File/Examples/example/four-heads".
void menu_bar(Ui& ui, const std::vector<Action>& actions);

}  // namespace attn::gui
