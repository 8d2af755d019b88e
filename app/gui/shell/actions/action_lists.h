// Parts of the list of actions, and how they are written. Internal to the sources of actions.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/shell/actions/actions.h"
#include "session/command.h"

namespace attn::gui {

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

void add_files(Actions& actions, const AppState& state);
// Undo, the clipboard, masks, scoring, positions, and the matrix in the spreadsheet.
void add_edits(Actions& actions, const AppState& state);
// Contents and appearance of panes and window.
void add_views(Actions& actions, const AppState& state);

}  // namespace attn::gui
