// What lies over the panels: questions, the list of shortcuts, about.
#pragma once

#include <vector>

#include "gui/shell/actions/actions.h"

namespace attn::gui {

// The one modal thing: a decision. Probe names: "question", "question/save", "question/discard",
// "question/cancel", "question/overwrite", "question/save_as".
void question(Ui& ui, const AppState& state);

// Probe names: "shortcuts", "shortcuts/close".
void shortcut_list(Ui& ui, const AppState& state, const std::vector<Action>& actions);

// What runs that were killed have left. Probe names: "unsaved", "unsaved/restore/0",
// "unsaved/copy/0", …, "unsaved/close".
void unsaved_work(Ui& ui, const AppState& state);

// Every state that undo and redo lead to; a click goes there. Probe names: "history",
// "history/0", …, "history/close".
void history_list(Ui& ui, const AppState& state);

// What was said, the newest first. Probe names: "messages", "messages/0", "messages/0/copy", …,
// "messages/copy_all", "messages/close".
void message_list(Ui& ui, const AppState& state);

// Probe names: "about", "about/close".
void about(Ui& ui, const AppState& state);

}  // namespace attn::gui
