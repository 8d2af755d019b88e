// The one list of everything that can be done by name: menus, the command palette, the list of
// shortcuts and tests iterate over it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "gui/shell/actions/action.h"
#include "session/state.h"

namespace attn::gui {

// All of them, in the order of the menus. `state` must outlive the actions.
std::vector<Action> all_actions(const AppState& state);

// The menus of the bar, in order.
std::span<const std::string_view> menu_names();

// The enabled action whose shortcut was pressed in this frame. Nothing while text is typed into a
// field; typed characters rest while a widget wants them itself.
const Action* pressed_action(const Ui& ui, const std::vector<Action>& actions);

}  // namespace attn::gui
