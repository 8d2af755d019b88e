// File browser: folders, names, mouse and keyboard.
#include <algorithm>

#include "base/joined.h"
#include "document/load/open.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr std::size_t kPage = 10;
constexpr float kKindWidth = 150.0F;  // units

bool is_opening(std::optional<DialogKind> kind) {
  return kind == DialogKind::Open || kind == DialogKind::Compare;
}

// Titles of the dialogs and labels of their buttons, indexed by DialogKind.
constexpr const char* kDialogTitles[] = {"Open a document", "Save as", "", "Export to",
                                         "Compare with a document"};
constexpr const char* kDialogVerbs[] = {"Open", "Save", "", "Choose", "Compare"};

FileKind listed_kind(const FileBrowserView& view) {
  const std::vector<FileKind> kinds = file_kinds(*view.kind);
  return kinds[std::min(view.file_kind, kinds.size() - 1)];
}

void go_to(FileBrowserView& view, const std::string& folder) {
  Result<std::vector<FolderEntry>> entries = read_folder(folder);
  if (!entries) {
    view.problem = describe(entries.error());
    return;
  }
  view.folder = view.folder_text = folder;
  view.entries = *std::move(entries);
  view.selected = 0;
  view.problem.clear();
  view.focus_name = view.scroll_to_selected = true;
  if (is_opening(view.kind)) view.name.clear();
}

void start(FileBrowserView& view, const AppState& state, DialogKind kind) {
  view.kind = kind;
  if (!view.answering) view.name = suggested_name(state, kind);
  view.file_kind = 0;
  go_to(view, view.answering ? view.folder : suggested_folder(state, kind));
}

// Choosing an export path returns to the dialog of exports.
void close_browser(Ui& ui, const FileBrowserView& view) {
  const bool is_export = view.kind == DialogKind::ExportFile;
  ui.send(command::ShowDialog{is_export ? std::optional(DialogKind::Export) : std::nullopt});
}

void accept_path(Ui& ui, FileBrowserView& view, const std::string& path) {
  const bool is_model = is_opening(view.kind) && is_model_folder(path);
  if (is_folder(path) && !is_model) return go_to(view, path);
  if (is_opening(view.kind) && !is_model && !is_existing_file(path)) {
    view.problem = "There is no file " + path;
  } else if (view.kind == DialogKind::Open) {
    ui.send(command::Open{path});
  } else if (view.kind == DialogKind::Compare) {
    ui.send(command::CompareWith{path});
  } else if (view.kind == DialogKind::SaveAs) {
    ui.send(command::SaveAs{path});
  } else if (view.kind == DialogKind::ExportFile) {
    ui.send(command::ChooseExportPath{path});
    ui.send(command::ShowDialog{DialogKind::Export});
  }
}

// Accepts the typed text if it is a path or a new name, else the selected entry.
void accept(Ui& ui, FileBrowserView& view, const std::vector<std::size_t>& shown) {
  view.focus_name = true;
  const bool opening = is_opening(view.kind);
  const std::string typed = view.name.empty() ? "" : resolved_path(view.folder, view.name);
  const bool exact = !typed.empty() && (is_folder(typed) || is_existing_file(typed));
  if (exact || (!opening && !typed.empty())) return accept_path(ui, view, typed);
  if (view.selected < shown.size() && view.name.find('/') == std::string::npos) {
    return accept_path(ui, view,
                       resolved_path(view.folder, view.entries[shown[view.selected]].name));
  }
  view.problem = typed.empty() ? "Choose a file or type its name" : "There is no file " + typed;
}

void list_keys(Ui& ui, FileBrowserView& view, std::size_t count, bool name_was_empty) {
  const bool choosing = is_popup_open();
  if (std::exchange(view.choosing_kind, choosing) || choosing) return;
  if (key_pressed(keys::kEscape, false)) return close_browser(ui, view);
  if (key_pressed(keys::kBackspace) && name_was_empty && ImGui::GetIO().WantTextInput) {
    return go_to(view, parent_folder(view.folder));
  }
  if (count == 0) return;
  const std::size_t before = view.selected;
  if (key_pressed(keys::kDown)) ++view.selected;
  if (key_pressed(keys::kUp) && view.selected > 0) --view.selected;
  if (key_pressed(keys::kPageDown)) view.selected += kPage;
  if (key_pressed(keys::kPageUp)) view.selected -= std::min(view.selected, kPage);
  view.selected = std::min(view.selected, count - 1);
  if (view.selected == before) return;
  view.scroll_to_selected = true;
}

void place(Ui& ui, FileBrowserView& view, const std::string& label, const std::string& folder) {
  const std::string name = "files/place/" + label;
  const bool selected = view.folder == folder;
  if (list_row(ui, name, label, {folder, folder, selected})) go_to(view, folder);
}

void places(Ui& ui, const AppState& state, FileBrowserView& view) {
  empty_hint(ui, "Places");
  place(ui, view, "Home", home_folder());
  place(ui, view, "Current folder", current_folder());
  if (!is_opening(view.kind)) return;
  if (!state.preferences.recent_files.empty()) empty_hint(ui, "Recent files");
  std::size_t index = 0;
  for (const std::string& path : state.preferences.recent_files) {
    const std::string name = "files/recent/" + std::to_string(index++);
    const std::string file = path.substr(path.rfind('/') + 1);
    const bool gone = std::ranges::find(state.gone_files, path) != state.gone_files.end();
    const std::string help = gone ? path + "\nThe file is gone" : path;
    if (list_row(ui, name, file, {path, help, false, !gone})) ui.send(command::Open{path});
  }
  std::string_view group;
  for (const Example& example : all_examples()) {
    if (std::exchange(group, example.group) != example.group) {
      empty_hint(ui, "Examples: " + std::string(group));
    }
    const std::string name = "files/example/" + std::string(example.name);
    if (list_row(ui, name, example.title, {example.title, example.description})) {
      ui.send(command::Open{example_path(example)});
    }
  }
}

void entry_row(Ui& ui, FileBrowserView& view, const std::vector<std::size_t>& shown,
               std::size_t row) {
  const FolderEntry& entry = view.entries[shown[row]];
  const bool is_model = entry.model && is_opening(view.kind);
  const std::string label = entry.name + (is_model ? "  (model)" : entry.folder ? "/" : "");
  const std::string name = "files/entry/" + entry.name;
  ListRow look{label, "Selects the file; double-click to choose it", view.selected == row};
  if (entry.folder) look.help = "Opens this folder";
  if (is_model) look.help = "A language model; double-click to open it";
  if (entry.folder) look.ink = ui.colors().accent;
  if (!list_row(ui, name, label, look)) return;
  view.selected = row;
  if (!is_opening(view.kind) && !entry.folder) view.name = entry.name;
  const std::string path = resolved_path(view.folder, entry.name);
  if (ImGui::IsMouseDoubleClicked(0)) return accept_path(ui, view, path);
  view.focus_name = true;
}

// Indices of the listed entries. Call again after anything that may read another folder.
std::vector<std::size_t> listed_rows(const FileBrowserView& view) {
  const bool filters = is_opening(view.kind) && view.name.find('/') == std::string::npos;
  return filtered_entries(view.entries, filters ? view.name : "", listed_kind(view).endings);
}

void entry_list(Ui& ui, FileBrowserView& view) {
  const std::vector<std::size_t> shown = listed_rows(view);
  const std::string folder = view.folder;
  const float row_height = ImGui::GetTextLineHeight() + ui.px(4) + ImGui::GetStyle().ItemSpacing.y;
  if (std::exchange(view.scroll_to_selected, false)) {
    const float top = static_cast<float>(view.selected) * row_height;
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), top + row_height - ImGui::GetWindowHeight(),
                                 std::max(top, 0.0F)));
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown.size()), row_height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      // A double-click may have read another folder.
      if (view.folder == folder) entry_row(ui, view, shown, static_cast<std::size_t>(i));
    }
  }
  if (!shown.empty()) return;
  const bool nothing = view.entries.empty();
  const FileKind kind = listed_kind(view);
  empty_hint(ui, nothing                ? "This folder is empty"
                 : kind.endings.empty() ? "No match"
                                        : "No match among “" + kind.label + "”");
}

void kind_choice(Ui& ui, FileBrowserView& view) {
  const std::vector<FileKind> kinds = file_kinds(*view.kind);
  const auto chosen = combo(ui, "files/kind", names_of(kinds, &FileKind::label), view.file_kind,
                            kKindWidth, "Which files are listed");
  if (!chosen) return;
  view.file_kind = *chosen;
  view.selected = 0;
  view.focus_name = true;
}

void folder_row(Ui& ui, FileBrowserView& view) {
  const float up_px =
      button_width(ui, "Up") + ui.px(kKindWidth) + 2 * ImGui::GetStyle().ItemSpacing.x;
  const bool entered = line_field(ui, "files/folder", view.folder_text, "Folder",
                                  "Current folder; Enter goes to another, or opens a file", -up_px)
                           .entered;
  if (entered) {
    const std::string path = resolved_path(view.folder, view.folder_text);
    is_existing_file(path) ? accept_path(ui, view, path) : go_to(view, path);
  }
  ImGui::SameLine();
  if (button(ui, "files/up", "Up", {.tooltip = "The folder above (Backspace)"})) {
    go_to(view, parent_folder(view.folder));
  }
  ImGui::SameLine();
  kind_choice(ui, view);
}

void name_row(Ui& ui, FileBrowserView& view) {
  const char* verb = kDialogVerbs[static_cast<std::size_t>(*view.kind)];
  const float buttons_px =
      button_width(ui, verb) + button_width(ui, "Cancel") + 2 * ImGui::GetStyle().ItemSpacing.x;
  const char* hint = is_opening(view.kind) ? "Type to filter, or a path" : "File name";
  const std::string before = view.name;
  if (std::exchange(view.focus_name, false)) ImGui::SetKeyboardFocusHere();
  const char* help = is_opening(view.kind) ? "Part of a name, or the path of a file or folder"
                                           : "Name or path of the file to write";
  const bool entered = line_field(ui, "files/name", view.name, hint, help, -buttons_px).entered;
  if (view.name != before) {
    view.selected = 0;
    view.problem.clear();
  }
  ImGui::SameLine();
  const bool pressed = button(ui, "files/accept", verb,
                              {.kind = ButtonKind::Primary,
                               .tooltip = "Chooses the named or selected file",
                               .shortcut = "Enter"});
  ImGui::SameLine();
  if (button(ui, "files/cancel", "Cancel",
             {.tooltip = "Closes without choosing a file", .shortcut = "Esc"})) {
    return close_browser(ui, view);
  }
  const std::vector<std::size_t> shown = listed_rows(view);
  if (entered || pressed) return accept(ui, view, shown);
  list_keys(ui, view, shown.size(), before.empty());
}

void contents(Ui& ui, const AppState& state, FileBrowserView& view) {
  folder_row(ui, view);
  const float footer = ImGui::GetFrameHeightWithSpacing() + problem_height(view.problem);
  ImGui::BeginChild("files/places", ImVec2(ui.px(190), -footer), true);
  places(ui, state, view);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("files/list", ImVec2(0, -footer), true);
  entry_list(ui, view);
  ImGui::EndChild();
  name_row(ui, view);
  if (view.problem.empty()) return;
  problem_text(ui, view.problem, "files/problem");
}

}  // namespace

void file_browser(Ui& ui, const AppState& state, FileBrowserView& view) {
  const std::optional<DialogKind> shown =
      state.dialog == DialogKind::Export ? std::nullopt : state.dialog;
  const bool appearing = shown && view.kind != shown;
  if (appearing) {
    start(view, state, *shown);
    ui.send(command::CheckRecent{});
  }
  view.kind = shown;
  view.answering = has_question(state, FileObstacle::Exists);
  if (!shown) return;
  const char* title = kDialogTitles[static_cast<std::size_t>(*shown)];
  begin_overlay(ui, {"files", title, ImVec2(760, 520)});
  contents(ui, state, view);
  ImGui::End();
}

}  // namespace attn::gui
