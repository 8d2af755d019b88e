// Menus of the right button: what one most likely wants of the thing under the pointer.
#pragma once

#include <vector>

#include "gui/shell/actions/actions.h"
#include "gui/ui/context.h"

namespace attn::gui {

// Opens the menu that a panel has asked for (Ui::ask_context), at the pointer, with actions of the
// table. Probe names: "context/ID".
void context_menu(Ui& ui, const std::vector<Action>& actions);

}  // namespace attn::gui
