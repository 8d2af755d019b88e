// What lies over the panels: questions, the list of shortcuts, about.
#pragma once

#include <string>
#include <vector>

#include "gui/platform/graphics.h"
#include "gui/shell/actions/actions.h"

namespace attn::gui {

// The one modal thing: a decision. Probe names: "question", "question/save", "question/discard",
// "question/cancel", "question/overwrite", "question/save_as".
void question(Ui& ui, const AppState& state);

struct ShortcutsView {
  bool was_open = false;
  std::string filter;
};

// Probe names: "shortcuts", "shortcuts/filter", "shortcuts/row/KEYS" with what they do as value,
// "shortcuts/close".
void shortcut_list(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                   ShortcutsView& view);

// What runs that were killed have left. Probe names: "unsaved", "unsaved/restore/0",
// "unsaved/copy/0", …, "unsaved/close".
void unsaved_work(Ui& ui, const AppState& state);

// Every state that undo and redo lead to; a click goes there. Probe names: "history",
// "history/0", …, "history/close".
void history_list(Ui& ui, const AppState& state);

// What was said, the newest first. Probe names: "messages", "messages/0", "messages/0/copy", …,
// "messages/copy_all", "messages/close".
void message_list(Ui& ui, const AppState& state);

// What the program is made of, as text to be sent with a report: build, libraries, what draws the
// window, licences. Its lines are those of the window.
std::string about_text(const GraphicsDescription& graphics);

// Probe names: "about", "about/copy", "about/close".
void about(Ui& ui, const AppState& state, const GraphicsDescription& graphics);

}  // namespace attn::gui
