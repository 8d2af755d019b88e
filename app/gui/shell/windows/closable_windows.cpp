// Windows with a close button: edits, messages, shortcuts, settings, about and unsaved work.
#include <algorithm>
#include <functional>
#include <iterator>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "figure/letters.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/build_information.h"
#include "session/command.h"
#include "session/log_file.h"
#include "session/preferences.h"

namespace attn::gui {
namespace {

// Draws `contents` and a close button, and ends the window. Returns whether it is to be closed.
bool end_with_close_button(Ui& ui, const OverlayWindow& window,
                           const std::function<void()>& contents) {
  ImGui::BeginChild("contents", ImVec2(0, -ImGui::GetFrameHeightWithSpacing()));
  contents();
  ImGui::EndChild();
  ui.mark(window.name);
  const bool closed = is_closed(ui, window.name, window.close);
  ImGui::End();
  return closed;
}

bool has_letters(const std::string& words, const std::string& filter) {
  return folded(words).find(folded(filter)) != std::string::npos;
}

// State `index` of the document, with the edit that led to it.
void edit_row(Ui& ui, const std::string& label, std::size_t index, std::size_t current) {
  const bool present = index == current;
  ImGui::PushID(static_cast<int>(index));
  const ImVec2 size(0, ImGui::GetFrameHeight());
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, ImVec2(0.0F, 0.5F));
  const std::string title = control_label(label, {});
  const std::string text = item_label(ui.text(Wording::Label, title), title);
  const bool chosen = ImGui::Selectable(text.c_str(), present, 0, size);
  ImGui::PopStyleVar();
  ImGui::PopID();
  ui.mark("history/" + std::to_string(index), label);
  tooltip(ui, present ? "The current document" : "Brings the document back to this state");
  const int by = static_cast<int>(index) - static_cast<int>(current);
  if (chosen && !present) ui.send(command::StepEdit{by});
}

// Rows from the first state to the last one that redo restores.
void edit_rows(Ui& ui, const AppState& state) {
  const std::vector<Snapshot>&past = state.history.past, &future = state.history.future;
  if (past.empty() && future.empty()) return empty_hint(ui, "Nothing was edited yet");
  edit_row(ui, "original", 0, past.size());
  for (std::size_t i = 0; i < past.size(); ++i) edit_row(ui, past[i].label, i + 1, past.size());
  for (std::size_t i = 0; i < future.size(); ++i) {
    edit_row(ui, future[future.size() - 1 - i].label, past.size() + 1 + i, past.size());
  }
}

void message_row(Ui& ui, const Notice& notice, std::size_t index) {
  const std::string name = "messages/" + std::to_string(index);
  std::string text = notice.level == Notice::Level::Error     ? "Error: "
                     : notice.level == Notice::Level::Warning ? "Warning: "
                                                              : "";
  text += notice.text;
  if (notice.count > 1) text += " ×" + std::to_string(notice.count);
  const float copy = button_width(ui, "Copy") + ImGui::GetStyle().ItemSpacing.x;
  ImGui::BeginGroup();
  rich_text(ui, text, kTextSize, level_color(ui, notice.level, ui.colors().muted),
            ImGui::GetContentRegionAvail().x - copy);
  ImGui::EndGroup();
  ui.mark(name, notice.text);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - copy);
  if (button(ui, name + "/copy", "Copy",
             {.kind = ButtonKind::Quiet, .tooltip = "Copies the message with its details"})) {
    ImGui::SetClipboardText(full_text(notice).c_str());
  }
  ImGui::Separator();
}

void message_rows(Ui& ui, const AppState& state) {
  if (state.messages.empty()) return empty_hint(ui, "There are no messages yet");
  if (button(ui, "messages/copy_all", "Copy all", {.tooltip = "Copies all messages"})) {
    std::string text;
    for (const Notice& notice : state.messages) text += full_text(notice) + "\n";
    ImGui::SetClipboardText(text.c_str());
  }
  for (std::size_t i = state.messages.size(); i-- > 0;) message_row(ui, state.messages[i], i);
}

// A row of the list; rows of a group are drawn below its name.
struct ShortcutRow {
  std::string group, keys, label;
};

// Keys handled by single widgets, which are not actions.
const ShortcutRow kWidgetKeys[] = {
    {"In a plot", "Click", "Pin or release a cell"},
    {"In a plot", "Shift+click", "Pin a second cell to compare"},
    {"In a plot", "Arrows", "Move the pin, or pin the first cell in view"},
    {"In a plot", "Shift+Arrows", "Move the second pin, which starts beside the first"},
    {"In a plot", "Home, End", "Pin the first or last cell of the row"},
    {"In a plot", "Wheel", "Zoom at the pointer"},
    {"In a plot", "Ctrl+wheel, Shift+wheel", "Zoom in smaller or larger steps"},
    {"In a plot", "Drag, middle drag", "Move the part in view"},
    {"In a plot", "Ctrl+drag", "Zoom to the cells in a rectangle"},
    {"In a plot", "Double-click", "Show the whole matrix"},
    {"In a plot", "Right button", "Context menu"},
    {"Where the wheel moves maps", "Wheel, Shift+wheel", "Move the part in view down or sideways"},
    {"Where the wheel moves maps", "Ctrl+wheel", "Zoom at the pointer"},
    {"All heads", "Arrows, Enter", "Move between heads, open one"},
    {"All heads", "Shift+click", "Show the difference from the current head"},
    {"Input cells", "Arrows, Tab, Page Up, Page Down", "Move from cell to cell"},
    {"Input cells", "Home, End", "First or last cell of the row; with Ctrl of the matrix"},
    {"Input cells", "Ctrl+Arrows", "To the edge of the matrix"},
    {"Input cells", "Shift+Arrows", "Select a block"},
    {"Input cells", "F2, double-click", "Enter a number"},
    {"Input cells", "Drag", "Change a number; Shift slower, Ctrl faster"},
    {"Input cells", "Ctrl+C, Ctrl+X, Ctrl+V", "Copy, cut, paste the selected cells"},
    {"Input cells", "Ctrl+A", "Select the whole matrix"},
    {"Input cells", "Delete", "Set the selected cells to 0"},
    {"Tokens", "Up, Down", "Select another token"},
    {"Tokens", "Alt+Up, Alt+Down", "Move the selected token"},
    {"Tokens", "F2, double-click", "Rename it"},
    {"Tokens", "Delete", "Delete it"},
    {"Numbers", "Drag, Ctrl+wheel", "Change the number; with Shift or Alt by less"},
    {"Everywhere", "Tab, Shift+Tab", "Next or previous control"},
    {"Everywhere", "F6, Shift+F6", "Next or previous panel"},
    {"Everywhere", "Enter, Space", "Press the control with the ring"},
    {"Everywhere", "Alt, F10", "Go to the menus; arrows and letters move through them"},
    {"Everywhere", "Alt+F, Alt+E, Alt+V, Alt+H", "Open a menu"},
    {"Everywhere", "Esc", "Close what is open"},
    {"Everywhere", "Middle click on a tab", "Close the document"},
};

// Label with the innermost menu: "Interface scale: Larger".
std::string label_of(const Action& action) {
  if (action.id.starts_with("recent/")) return "Open the latest file";
  const std::size_t slash = action.menu.rfind('/');
  return slash == std::string::npos ? action.label
                                    : action.menu.substr(slash + 1) + ": " + action.label;
}

std::vector<ShortcutRow> shortcut_rows(const std::vector<Action>& actions) {
  std::vector<ShortcutRow> rows;
  for (const auto& [menu, help] : all_menus()) {
    for (const Action& action : actions) {
      if (action.menu.substr(0, action.menu.find('/')) != menu) continue;
      const std::string keys =
          std::string(action.field_shortcut) + joined(action.shortcuts, ", ", shortcut_text);
      if (!keys.empty()) rows.push_back({std::string(menu), keys, label_of(action)});
    }
  }
  rows.insert(rows.end(), std::begin(kWidgetKeys), std::end(kWidgetKeys));
  return rows;
}

void draw_row(Ui& ui, const ShortcutRow& row) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", row.keys.c_str());
  ui.mark("shortcuts/row/" + row.keys, row.label);
  ImGui::TableNextColumn();
  empty_hint(ui, row.label);
}

void draw_group(Ui& ui, const std::vector<ShortcutRow>& rows, const std::string& group) {
  section_header(ui, group);
  if (!ImGui::BeginTable(("shortcuts/" + group).c_str(), 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("Keys", ImGuiTableColumnFlags_WidthStretch, 0.42F);
  ImGui::TableSetupColumn("Action", ImGuiTableColumnFlags_WidthStretch, 0.58F);
  for (const ShortcutRow& row : rows) {
    if (row.group == group) draw_row(ui, row);
  }
  ImGui::EndTable();
}

void shortcut_contents(Ui& ui, const std::vector<Action>& actions, std::string& filter,
                       bool appearing) {
  if (appearing) {
    ImGui::SetKeyboardFocusHere();
  } else if (key_pressed(keys::kF1, false)) {
    ui.send(command::ShowOverlay{});
  }
  line_field(ui, "shortcuts/filter", filter, "Search keys and what they do",
             "Shows the rows with these letters", -1.0F);
  ImGui::BeginChild("shortcuts/rows");
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float by = scrolled_by_keys(line, ImGui::GetWindowHeight() - line);
  if (appearing || by != 0.0F) ImGui::SetScrollY(appearing ? 0.0F : ImGui::GetScrollY() + by);
  std::vector<ShortcutRow> rows = shortcut_rows(actions);
  std::erase_if(rows, [&](const ShortcutRow& row) {
    return !has_letters(row.group + " " + row.keys + " " + row.label, filter);
  });
  if (rows.empty()) empty_hint(ui, "No shortcut matches");
  std::string group;
  for (const ShortcutRow& row : rows) {
    if (row.group == group) continue;
    group = row.group;
    draw_group(ui, rows, group);
  }
  ImGui::EndChild();
}

constexpr const char* kWherePackages =
    "On Debian their texts are in /usr/share/doc/PACKAGE/copyright.";

InformationRows licence_rows() {
  InformationRows rows;
  for (const LibraryLicence& library : library_licences()) {
    rows.emplace_back(library.library,
                      std::string(library.licence) + ", " + std::string(library.package));
  }
  return rows;
}

void add_lines(std::string& text, const InformationRows& rows) {
  for (const auto& [name, value] : rows) text.append(name).append(": ").append(value).append("\n");
}

void table(Ui& ui, const char* name, const InformationRows& rows) {
  if (rows.empty() || !ImGui::BeginTable(name, 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthFixed, ui.px(120));
  ImGui::TableSetupColumn("Value", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [label, value] : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    empty_hint(ui, label);
    ImGui::TableNextColumn();
    wrapped_text(value, ui.colors().text);
    ui.mark("about/" + label, value);
  }
  ImGui::EndTable();
}

// Text for reports: build, libraries, graphics driver, licences.
std::string about_text(const InformationRows& graphics) {
  std::string text;
  add_lines(text, build_information());
  add_lines(text, graphics);
  text += "\nLicences of the libraries. " + std::string(kWherePackages) + "\n";
  add_lines(text, licence_rows());
  return text;
}

void contents(Ui& ui, const InformationRows& graphics) {
  empty_hint(ui,
             "Computes attention from numbers you can edit and shows every stage of it, live. Rows "
             "are queries, columns are keys, everywhere. Nothing leaves this computer: the program "
             "opens no connection.");
  ImGui::Spacing();
  const bool copies = button(
      ui, "about/copy", "Copy information",
      {.tooltip = "Copies this information as text, for a bug report", .shortcut = "Ctrl+C"});
  if (copies || (ImGui::GetIO().KeyCtrl && key_pressed('C', false))) {
    copy_and_notify(ui, about_text(graphics), "Copied the details of the program");
  }
  if (!graphics.empty()) {
    section_header(ui, "Graphics");
    table(ui, "about/graphics", graphics);
  }
  section_header(ui, "Build");
  table(ui, "about/build", build_information());
  section_header(ui, "Licences of the libraries");
  table(ui, "about/licences", licence_rows());
  empty_hint(ui, kWherePackages);
}

constexpr float kSettingLabel = 190.0F, kSettingControl = 170.0F;  // units
constexpr float kMinSettingControl = 60.0F;

// The default in the words of its control: "off", "Dark".
std::string default_words(const Field<Preferences>& field) {
  const FieldValue usual = value_of(field, Preferences{});
  if (usual.kind == FieldKind::Flag) return usual.text == "true" ? "on" : "off";
  return usual.kind == FieldKind::Choice ? usual.words[chosen_index(usual)] : usual.text;
}

void reset_button(Ui& ui, const Field<Preferences>& field, const std::string& text,
                  const std::string& name) {
  const std::string usual = field.get(Preferences{});
  ImGui::SameLine();
  const float width = button_width(ui, "Reset");
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - width);
  button(ui, name + "/reset", "Reset",
         {.kind = ButtonKind::Quiet,
          .tooltip = "Back to " + default_words(field),
          .enabled = text != usual,
          .disabled_reason = "This is the default",
          .sends = command::SetPreference{std::string(field.name), usual}});
}

void setting_row(Ui& ui, const AppState& state, ClosableView& view,
                 const Field<Preferences>& field) {
  FieldValue value = value_of(field, state.preferences);
  value.moves = field.name != "scale";  // a drag would move its label away from the pointer
  if (!has_letters(value.label + " " + value.help, view.filter)) return;
  const std::string name = "settings/" + std::string(field.name);
  const float gaps = 2 * ImGui::GetStyle().ItemSpacing.x;
  const float space = ImGui::GetContentRegionAvail().x - button_width(ui, "Reset") - gaps;
  const float width =
      std::clamp(space / ui.scale - kSettingLabel, kMinSettingControl, kSettingControl);
  const auto text = field_row(ui, name, value, view.typing, kSettingLabel, {.width = width});
  if (text) ui.send(command::SetPreference{std::string(field.name), *text});
  reset_button(ui, field, value.text, name);
  empty_hint(ui, value.help);
  ImGui::Spacing();
}

void contents(Ui& ui, const AppState& state, ClosableView& view, bool appearing) {
  if (appearing) ImGui::SetKeyboardFocusHere();
  line_field(ui, "settings/filter", view.filter, "Search settings",
             "Shows the settings with these letters", -1.0F);
  ImGui::Spacing();
  ImGui::BeginChild("settings/rows");
  for (const Field<Preferences>& field : preference_fields()) setting_row(ui, state, view, field);
  ImGui::EndChild();
}

// "3 edits, 2026-11-22 14:03, /home/ann/cats.attn.json"; pasted documents have no edits.
std::string facts_of(const UnsavedWork& work) {
  return (work.edits == 0 ? "" : counted(work.edits, "edit") + ", ") +
         time_text(work.written, "%Y-%m-%d %H:%M") + ", " +
         (work.path.empty() ? "never saved" : printable_line(work.path));
}

void work_row(Ui& ui, const UnsavedWork& work, std::size_t index, ButtonKind kind) {
  const std::string name = work.name.empty() ? "Untitled" : printable_line(work.name);
  const std::string number = std::to_string(index);
  rich_text(ui, name, kTextSize + 1, ui.colors().ink);
  ui.mark("unsaved/name/" + number, name);
  rich_text(ui, facts_of(work), kTextSize, ui.colors().muted);
  button(ui, "unsaved/restore/" + number, "Restore",
         {.kind = kind,
          .tooltip = "Opens it with its edits; saving writes them to its file",
          .shortcut = kind == ButtonKind::Primary ? "Enter" : "",
          .sends = command::RestoreWork{work, false}});
  ImGui::SameLine();
  button(ui, "unsaved/copy/" + number, "Open a copy",
         {.tooltip = "Opens it as a new document; its file stays unchanged",
          .sends = command::RestoreWork{work, true}});
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
}

void contents_of(Ui& ui, const Recovery& recovery) {
  rich_text(ui,
            ui.text(Wording::Explanation,
                    "AttnScope closed before these were saved. They are kept for 30 days (File > "
                    "Restore unsaved work…)."),
            kTextSize, ui.colors().ink);
  ImGui::Spacing();
  for (std::size_t i = 0; i < recovery.found.size(); ++i) {
    work_row(ui, recovery.found[i], i, i == 0 ? ButtonKind::Primary : ButtonKind::Normal);
  }
  const bool restores = !recovery.found.empty() && ui.focus.focused().empty() && enter_pressed();
  if (restores) ui.send(command::RestoreWork{recovery.found.front(), false});
}

void unsaved_work(Ui& ui, const AppState& state) {
  if (!state.recovery.is_open || state.question) return;
  constexpr float kFrame = 130.0F, kRow = 92.0F;
  constexpr std::size_t kMaxRows = 5;
  const std::size_t rows = std::min(state.recovery.found.size(), kMaxRows);
  const OverlayWindow window{"unsaved", "Unsaved work was found",
                             ImVec2(520, kFrame + kRow * static_cast<float>(rows)), "Not now"};
  begin_overlay(ui, window);
  if (end_with_close_button(ui, window, [&] { contents_of(ui, state.recovery); })) {
    ui.send(command::ShowUnsaved{false});
  }
}

}  // namespace

Color level_color(const Ui& ui, Notice::Level level, Color info) {
  if (level == Notice::Level::Error) return ui.colors().error;
  return level == Notice::Level::Warning ? ui.colors().warning : info;
}

const std::string& full_text(const Notice& notice) {
  return notice.details.empty() ? notice.text : notice.details;
}

void closable_windows(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                      ClosableView& view) {
  const auto show = [&](Overlay overlay, const OverlayWindow& window, const auto& contents) {
    if (state.overlay != overlay) return;
    const bool appearing = begin_overlay(ui, window);
    if (appearing) view.filter.clear();
    const bool closed = end_with_close_button(ui, window, [&] { contents(appearing); });
    if (closed) ui.send(command::ShowOverlay{});
  };
  show(Overlay::Shortcuts, {"shortcuts", "Keyboard shortcuts", ImVec2(600, 680)},
       [&](bool appearing) { shortcut_contents(ui, actions, view.filter, appearing); });
  show(Overlay::History, {"history", "Edits", ImVec2(420, 520)},
       [&](bool) { edit_rows(ui, state); });
  show(Overlay::Messages, {"messages", "Messages", ImVec2(560, 520)},
       [&](bool) { message_rows(ui, state); });
  show(Overlay::Settings, {"settings", "Settings", ImVec2(600, 760)},
       [&](bool appearing) { contents(ui, state, view, appearing); });
  const std::string title = "AttnScope " + std::string(program_version());
  show(Overlay::About, {"about", title.c_str(), ImVec2(560, 740)},
       [&](bool) { contents(ui, view.graphics); });
  unsaved_work(ui, state);
}

}  // namespace attn::gui
