// The one list of everything that can be done by name: menus, the command palette, the list of
// shortcuts and tests iterate over it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

// Either a key by its code with modifiers, or (key 0) a typed character on any keyboard layout, or
// a button of the mouse.
struct Shortcut {
  int key = 0;
  bool ctrl = false, shift = false, alt = false;
  char character = 0;
  int mouse = 0;  // or 3 or 4: a button at the side of the mouse
  friend bool operator==(const Shortcut&, const Shortcut&) = default;
};

// "Ctrl+Shift+P", "["
std::string shortcut_text(const Shortcut& shortcut);

// One entry, as it is in the present state.
struct Action {
  std::string id{};     // "open", "stage/weights": unique
  std::string menu{};   // "File", "View/Stage": where the menus show it
  std::string label{};  // sentence case
  std::string help{};   // one line
  std::vector<Shortcut> shortcuts{};
  std::string_view field_shortcut{};  // shown only: works where the keyboard is
  bool enabled = true;
  std::optional<bool> checked{};  // for what is on or off, or one of several
  bool separated = false;         // a line above it in the menu
  bool repeats = true;            // while its keys are held
  bool over_windows = false;      // its shortcut works while a window lies over the panels
  // Sends commands or uses the clipboard; nothing else.
  std::function<void(Ui&)> run{};
};

// All of them, in the order of the menus. `state` must outlive the actions.
std::vector<Action> all_actions(const AppState& state);

// The menus of the bar, in order.
std::span<const std::string_view> menu_names();

// The enabled action whose shortcut was pressed in this frame. Nothing while text is typed into a
// field; typed characters rest while a widget wants them itself.
const Action* pressed_action(const Ui& ui, const std::vector<Action>& actions);

}  // namespace attn::gui
