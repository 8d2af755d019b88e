// Actions of the menu File: opening, saving, exporting, tabs.
#include <algorithm>

#include "document/open.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"
#include "gui/ui/widgets.h"
#include "session/command.h"

namespace attn::gui {
namespace {

void add_new_and_open(Actions& actions) {
  const Menu menu{actions, "File"};
  menu.add("new", "New", "Starts a small document of generated numbers", command::NewDocument{},
           {ctrl('N')});
  menu.add("open", "Open…", "Opens a document from a file", command::ShowDialog{DialogKind::Open},
           {ctrl('O')});
  menu.add("paste_document", "Paste as new document",
           "Opens what was copied: a document, a table of numbers or a sentence",
           [](Ui& ui) { ui.send(command::PasteDocument{clipboard_text()}); }, {ctrl_shift('V')},
           {.repeats = false});
}

void add_recent(Actions& actions, const AppState& state) {
  const Menu menu{actions, "File/Open recent"};
  std::size_t index = 0;
  for (const std::string& path : state.preferences.recent_files) {
    const bool newest = index == 0;
    const bool gone = std::ranges::find(state.gone_files, path) != state.gone_files.end();
    menu.add("recent/" + std::to_string(index++), path,
             gone ? "The file is gone" : "Opens this file again", command::Open{path},
             newest ? std::vector{ctrl_shift('O')} : std::vector<Shortcut>(), {.enabled = !gone});
  }
  menu.add("forget_recent", "Clear this list", "Forgets which files were open; the files stay",
           command::SetRecent{}, {}, {.enabled = index > 0, .separated = index > 0});
}

void add_examples(Actions& actions) {
  for (const Example& example : all_examples()) {
    Menu{actions, "File/Examples/" + std::string(example.group)}.add(
        "example/" + std::string(example.name), example.title, example.description,
        command::Open{example_path(example)});
  }
}

// Tabs with unsaved changes stay open, as no question can be asked about hidden tabs.
void close_others(Ui& ui, const AppState& state) {
  for (const OpenDocument* open : open_documents(state)) {
    const bool closes = open->id != state.id && !has_unsaved_changes(*open);
    if (closes) ui.send(command::CloseTab{open->id});
  }
  ui.send(command::SelectTab{state.id});
}

void add_tabs(Actions& actions, const AppState& state) {
  const Menu menu{actions, "File"};
  const bool several = open_documents(state).size() > 1;
  menu.add("next_document", "Next document", "Shows the document in the next tab",
           command::StepTab{1}, {ctrl(keys::kTab)}, {.enabled = several, .separated = true});
  menu.add("previous_document", "Previous document", "Shows the document in the tab before",
           command::StepTab{-1}, {ctrl_shift(keys::kTab)}, {.enabled = several});
  menu.add("close_document", "Close document",
           "Closes the tab; asks first when there are unsaved changes", command::CloseTab{0},
           {ctrl('W')});
  menu.add("close_others", "Close other documents",
           "Closes all other tabs but those with unsaved changes",
           [&state](Ui& ui) { close_others(ui, state); }, {}, {.enabled = several});
  menu.add("copy_path", "Copy path", "Copies the path of the document's file",
           [path = state.path](Ui&) { ImGui::SetClipboardText(path.c_str()); }, {},
           {.enabled = !state.path.empty()});
  menu.add("reopen_document", "Reopen closed document",
           "Reopens the tab that was closed last, with its history", command::ReopenTab{},
           {ctrl_shift('T')}, {.enabled = !state.closed.empty()});
}

void add_save_and_quit(Actions& actions, const AppState& state) {
  const Menu menu{actions, "File"};
  menu.add("save", "Save", "Writes the document to its file", command::Save{}, {ctrl('S')},
           {.enabled = state.path.empty() || has_unsaved_changes(state), .separated = true});
  menu.add("save_as", "Save as…", "Writes the document to another file",
           command::ShowDialog{DialogKind::SaveAs}, {ctrl_shift('S')});
  menu.add("reload", "Reload", "Reads the file again; undo leads back to what is here",
           command::Reload{}, {{.key = keys::kF1 + 4}}, {.enabled = !state.path.empty()});
  menu.add("export", "Export plot…", "Writes the plot as a picture, the same as on screen",
           command::ShowDialog{DialogKind::Export}, {ctrl('E'), {.key = keys::kF12, .shift = true}},
           {.enabled = state.result != nullptr});
  menu.add("screenshot", "Picture of the window",
           "Writes the window as it is to your folder of pictures", command::TakeScreenshot{},
           {{.key = keys::kF12}}, {.repeats = false, .over_windows = true});
  menu.add("unsaved", "Restore unsaved work…",
           "Edits that were autosaved when the program ended without saving",
           command::ShowUnsaved{true}, {}, {.enabled = !state.recovery.found.empty()});
  menu.add("settings", "Settings…", "All settings of the program",
           command::ShowOverlay{Overlay::Settings}, {ctrl(keys::kComma)}, {.separated = true});
  menu.add("quit", "Quit", "Asks first when there are unsaved changes", command::Quit{},
           {ctrl('Q')}, {.separated = true});
}

}  // namespace

void add_files(Actions& actions, const AppState& state) {
  add_new_and_open(actions);
  add_recent(actions, state);
  add_examples(actions);
  add_tabs(actions, state);
  add_save_and_quit(actions, state);
}

}  // namespace attn::gui
