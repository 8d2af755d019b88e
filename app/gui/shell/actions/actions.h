// List of all named actions, used by menus, command palette, list of shortcuts and tests.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

// A key by its code with modifiers, or (key 0) a typed character on any keyboard layout, or a mouse
// button.
struct Shortcut {
  int key = 0;
  bool ctrl = false, shift = false, alt = false;
  char character = 0;
  int mouse = 0;  // or 3 or 4: a side button of the mouse
  friend bool operator==(const Shortcut&, const Shortcut&) = default;
};

// "Ctrl+Shift+P", "["
std::string shortcut_text(const Shortcut& shortcut);

// One action in the current state.
struct Action {
  std::string id{};     // unique: "open", "stage/weights"
  std::string menu{};   // menu path: "File", "View/Stage"
  std::string label{};  // sentence case
  std::string help{};   // one line
  std::vector<Shortcut> shortcuts{};
  std::string_view field_shortcut{};  // displayed only; handled by the widget with the keyboard
  bool enabled = true;
  std::optional<bool> checked{};  // for toggles and choices
  bool separated = false;         // a separator above it in the menu
  bool repeats = true;            // while its keys are held down
  bool over_windows = false;      // its shortcut works while a window is over the panels
  // Sends commands or uses the clipboard; no other side effects.
  std::function<void(Ui&)> run{};
};

// All actions, in the order of the menus. `state` must outlive them.
std::vector<Action> all_actions(const AppState& state);

// Names and tooltips of the menus of the menu bar, in order.
std::span<const std::pair<std::string_view, std::string_view>> all_menus();

// The enabled action with a shortcut pressed in this frame. None while text is typed into a field,
// but for those of the menu File where typing is applied at once; typed characters are ignored
// while a widget uses them.
const Action* pressed_action(const Ui& ui, const std::vector<Action>& actions);

// --- How the list is written

using Actions = std::vector<Action>;

inline Shortcut ctrl(int key) { return {.key = key, .ctrl = true}; }
inline Shortcut ctrl_shift(int key) { return {.key = key, .ctrl = true, .shift = true}; }
inline Shortcut typed(char character) { return {.character = character}; }

// Menu that actions are added to. `look`: members of Action other than the defaults.
struct Menu {
  Actions& actions;
  std::string path;  // "View/Stage"

  void add(std::string_view id, std::string_view label, std::string_view help,
           std::function<void(Ui&)> run, std::vector<Shortcut> shortcuts = {},
           Action look = {}) const;
  void add(std::string_view id, std::string_view label, std::string_view help, Command sent,
           std::vector<Shortcut> shortcuts = {}, Action look = {}) const;
};

// Contents and appearance of panes and window.
void add_views(Actions& actions, const AppState& state);

}  // namespace attn::gui
