// Parts of the list of actions, and how they are written down. For the sources of actions.h.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "gui/shell/actions/action.h"
#include "session/command.h"
#include "session/state.h"

namespace attn::gui {

using Actions = std::vector<Action>;

inline Shortcut ctrl(int key) { return {.key = key, .ctrl = true}; }
inline Shortcut ctrl_shift(int key) { return {.key = key, .ctrl = true, .shift = true}; }
inline Shortcut typed(char character) { return {.character = character}; }

inline std::function<void(Ui&)> sends(Command command) {
  return [command = std::move(command)](Ui& ui) { ui.send(command); };
}

// The flag of the focused view, the other way round.
command::SetOption flipped(const AppState& state, std::string_view flag);

// Opening and saving; undo, the clipboard and the mask; what is looked at.
void add_files(Actions& actions, const AppState& state);
void add_edits(Actions& actions, const AppState& state);
void add_views(Actions& actions, const AppState& state);
void add_heatmap_view(Actions& actions, const AppState& state);
// Every option of the plot in the pane with the focus.
void add_options(Actions& actions, const AppState& state);
void add_interface(Actions& actions, const AppState& state);
// Rules of the mask, scoring, positions, and what the spreadsheet shows.
void add_rules(Actions& actions, const AppState& state);
// What the difference plot compares with, and which side it shows.
void add_comparison(Actions& actions, const AppState& state);
// From stage to stage, layer to layer, and every sample.
void add_walks(Actions& actions, const AppState& state);
void add_sides(Actions& actions, const AppState& state);
// The usual layout, and those under names.
void add_reset_layout(Actions& actions);
void add_pane_alone(Actions& actions, const AppState& state);
void add_scale_steps(Actions& actions);

}  // namespace attn::gui
