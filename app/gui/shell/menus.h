// The menu row and the menus of the right button, made from the list of actions.
#pragma once

#include <string>
#include <vector>

#include "gui/panels/tabs.h"
#include "gui/shell/actions/actions.h"
#include "gui/ui/context.h"

namespace attn::gui {

// Inside a window with a menu bar. Probe names: "menu/File", "menu/File/open",
// "menu/File/Examples", "menu/File/Examples/Masks/example/sliding-window",
// "layout/fold_left", "layout/fold_right", "palette/open".
void menu_row(Ui& ui, const AppState& state, const std::vector<Action>& actions,
              DocumentTabView& document);

// Opens the menu that a panel has asked for (Ui::ask_context), at the pointer, with actions of the
// table. Probe names: "context/ID".
void context_menu(Ui& ui, const std::vector<Action>& actions);

}  // namespace attn::gui
