// Opening, saving, exporting, and the row of tabs.
#include <algorithm>

#include "document/open.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"

namespace attn::gui {
namespace {

void paste_document(Ui& ui) {
  const char* text = ImGui::GetClipboardText();
  ui.send(command::PasteDocument{text == nullptr ? "" : text});
}

void add_new_and_open(Actions& actions) {
  actions.push_back({.id = "new",
                     .menu = "File",
                     .label = "New",
                     .help = "Starts a small document of generated numbers",
                     .shortcuts = {ctrl('N')},
                     .run = sends(command::NewDocument{})});
  actions.push_back({.id = "open",
                     .menu = "File",
                     .label = "Open…",
                     .help = "Opens a document from a file",
                     .shortcuts = {ctrl('O')},
                     .run = sends(command::ShowDialog{DialogKind::Open})});
  actions.push_back({.id = "paste_document",
                     .menu = "File",
                     .label = "Paste as new document",
                     .help = "Opens what was copied: a document, a table of numbers or a sentence",
                     .shortcuts = {ctrl_shift('V')},
                     .repeats = false,
                     .run = paste_document});
}

void add_recent(Actions& actions, const AppState& state) {
  std::size_t index = 0;
  for (const std::string& path : state.preferences.recent_files) {
    const bool newest = index == 0;
    const bool gone = std::ranges::find(state.gone_files, path) != state.gone_files.end();
    actions.push_back({.id = "recent/" + std::to_string(index++),
                       .menu = "File/Open recent",
                       .label = path,
                       .help = gone ? "The file is gone" : "Opens this file again",
                       .shortcuts = newest ? std::vector{ctrl_shift('O')} : std::vector<Shortcut>(),
                       .enabled = !gone,
                       .run = sends(command::Open{path})});
  }
  actions.push_back({.id = "forget_recent",
                     .menu = "File/Open recent",
                     .label = "Clear this list",
                     .help = "Forgets which files were open; the files stay",
                     .enabled = index > 0,
                     .separated = index > 0,
                     .run = sends(command::ForgetRecent{})});
}

void add_examples(Actions& actions) {
  for (const Example& example : all_examples()) {
    actions.push_back({.id = "example/" + std::string(example.name),
                       .menu = "File/Examples/" + std::string(example.group),
                       .label = example.title,
                       .help = example.description,
                       .run = sends(command::Open{example_path(example)})});
  }
}

// Those with unsaved changes stay: nobody is asked about tabs that are not seen.
void close_others(Ui& ui, const AppState& state) {
  for (const OpenDocument* open : open_documents(state)) {
    const bool closes = open->id != state.id && !has_unsaved_changes(*open);
    if (closes) ui.send(command::CloseTab{open->id});
  }
  ui.send(command::SelectTab{state.id});
}

void add_tabs(Actions& actions, const AppState& state) {
  const bool several = open_documents(state).size() > 1;
  actions.push_back({.id = "next_document",
                     .menu = "File",
                     .label = "Next document",
                     .help = "Shows the document in the next tab",
                     .shortcuts = {ctrl(keys::kTab)},
                     .enabled = several,
                     .separated = true,
                     .run = sends(command::StepTab{1})});
  actions.push_back({.id = "previous_document",
                     .menu = "File",
                     .label = "Previous document",
                     .help = "Shows the document in the tab before",
                     .shortcuts = {ctrl_shift(keys::kTab)},
                     .enabled = several,
                     .run = sends(command::StepTab{-1})});
  actions.push_back({.id = "close_document",
                     .menu = "File",
                     .label = "Close document",
                     .help = "Closes the tab; asks first when there are unsaved changes",
                     .shortcuts = {ctrl('W')},
                     .run = sends(command::CloseTab{0})});
  actions.push_back({.id = "close_others",
                     .menu = "File",
                     .label = "Close other documents",
                     .help = "Closes all other tabs but those with unsaved changes",
                     .enabled = several,
                     .run = [&state](Ui& ui) { close_others(ui, state); }});
  actions.push_back({.id = "copy_path",
                     .menu = "File",
                     .label = "Copy path",
                     .help = "Puts where the file of the document is on the clipboard",
                     .enabled = !state.path.empty(),
                     .run = [path = state.path](Ui&) { ImGui::SetClipboardText(path.c_str()); }});
  actions.push_back({.id = "reopen_document",
                     .menu = "File",
                     .label = "Reopen closed document",
                     .help = "Brings back what was closed last, with its history",
                     .shortcuts = {ctrl_shift('T')},
                     .enabled = !state.closed.empty(),
                     .run = sends(command::ReopenTab{})});
}

void add_save_and_quit(Actions& actions, const AppState& state) {
  actions.push_back({.id = "save",
                     .menu = "File",
                     .label = "Save",
                     .help = "Writes the document to its file",
                     .shortcuts = {ctrl('S')},
                     .enabled = state.path.empty() || has_unsaved_changes(state),
                     .separated = true,
                     .run = sends(command::Save{})});
  actions.push_back({.id = "save_as",
                     .menu = "File",
                     .label = "Save as…",
                     .help = "Writes the document to another file",
                     .shortcuts = {ctrl_shift('S')},
                     .run = sends(command::ShowDialog{DialogKind::SaveAs})});
  actions.push_back({.id = "reload",
                     .menu = "File",
                     .label = "Reload",
                     .help = "Reads the file again; undo leads back to what is here",
                     .shortcuts = {{.key = keys::kF1 + 4}},
                     .enabled = !state.path.empty(),
                     .run = sends(command::Reload{})});
  actions.push_back({.id = "export",
                     .menu = "File",
                     .label = "Export plot…",
                     .help = "Writes the plot as a picture, the same as on screen",
                     .shortcuts = {ctrl('E'), {.key = keys::kF12, .shift = true}},
                     .enabled = state.result != nullptr,
                     .run = sends(command::ShowDialog{DialogKind::Export})});
  actions.push_back({.id = "screenshot",
                     .menu = "File",
                     .label = "Picture of the window",
                     .help = "Writes the window as it is to your folder of pictures",
                     .shortcuts = {{.key = keys::kF12}},
                     .repeats = false,
                     .over_windows = true,
                     .run = sends(command::TakeScreenshot{})});
  actions.push_back({.id = "unsaved",
                     .menu = "File",
                     .label = "Restore unsaved work…",
                     .help = "What the program kept when it ended without saving",
                     .enabled = !state.recovery.found.empty(),
                     .run = sends(command::ShowUnsaved{true})});
  actions.push_back({.id = "settings",
                     .menu = "File",
                     .label = "Settings…",
                     .help = "Everything that can be set of the program",
                     .shortcuts = {ctrl(keys::kComma)},
                     .separated = true,
                     .run = sends(command::ShowOverlay{Overlay::Settings})});
  actions.push_back({.id = "quit",
                     .menu = "File",
                     .label = "Quit",
                     .help = "Asks first when there are unsaved changes",
                     .shortcuts = {ctrl('Q')},
                     .separated = true,
                     .run = sends(command::Quit{})});
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
