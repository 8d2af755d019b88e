// Parts of the list of actions, and how they are written down. For the sources of actions.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/shell/actions/actions.h"
#include "session/command.h"

namespace attn::gui {

using Actions = std::vector<Action>;

inline Shortcut ctrl(int key) { return {.key = key, .ctrl = true}; }
inline Shortcut ctrl_shift(int key) { return {.key = key, .ctrl = true, .shift = true}; }
inline Shortcut typed(char character) { return {.character = character}; }

// Where actions are listed. `look`: what is not usual of one.
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
// Undo, the clipboard, masks, scoring, positions, and what the spreadsheet shows.
void add_edits(Actions& actions, const AppState& state);
// What the panes and the window show, and how.
void add_views(Actions& actions, const AppState& state);

}  // namespace attn::gui
