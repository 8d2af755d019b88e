// List of shortcuts and the about window.
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/letters.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "gui/ui/style.h"
#include "session/build_information.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// A row of the list; rows of a group are drawn below its name.
struct ShortcutRow {
  std::string group, keys, label;
};

// Keys handled by single widgets, which are not actions.
const ShortcutRow kWidgetKeys[] = {
    {"In a plot", "Click", "Pin or release a cell"},
    {"In a plot", "Shift+click", "Pin a second cell to compare"},
    {"In a plot", "Arrows", "Walk the pinned cell, or the first one in view"},
    {"In a plot", "Shift+Arrows", "Walk the second pin, which begins beside the first"},
    {"In a plot", "Home, End", "Pin the first or last cell of the row"},
    {"In a plot", "Wheel", "Zoom at the pointer"},
    {"In a plot", "Ctrl+wheel, Shift+wheel", "Zoom in smaller or larger steps"},
    {"In a plot", "Drag, middle drag", "Move the part in view"},
    {"In a plot", "Ctrl+drag", "Zoom to the cells in a rectangle"},
    {"In a plot", "Double-click", "Show the whole matrix"},
    {"In a plot", "Right button", "Context menu"},
    {"Where the wheel moves maps", "Wheel, Shift+wheel", "Move the part in view down or sideways"},
    {"Where the wheel moves maps", "Ctrl+wheel", "Zoom at the pointer"},
    {"All heads", "Arrows, Enter", "Walk the heads, open one"},
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
    {"Everywhere", "Alt, F10", "Go to the menus, which arrows and letters walk"},
    {"Everywhere", "Alt+F, Alt+E, Alt+V, Alt+H", "Open a menu"},
    {"Everywhere", "Esc", "Close what is open"},
    {"Everywhere", "Middle click on a tab", "Close the document"},
};

std::string keys_of(const Action& action) {
  std::string keys(action.field_shortcut);
  for (const Shortcut& shortcut : action.shortcuts) {
    keys += (keys.empty() ? "" : ", ") + shortcut_text(shortcut);
  }
  return keys;
}

// With the innermost menu: "Interface scale: Larger".
std::string label_of(const Action& action) {
  if (action.id.starts_with("recent/")) return "Open the latest file";
  const std::size_t slash = action.menu.rfind('/');
  return slash == std::string::npos ? action.label
                                    : action.menu.substr(slash + 1) + ": " + action.label;
}

std::vector<ShortcutRow> shortcut_rows(const std::vector<Action>& actions) {
  std::vector<ShortcutRow> rows;
  for (const std::string_view menu : menu_names()) {
    for (const Action& action : actions) {
      if (action.menu.substr(0, action.menu.find('/')) != menu) continue;
      const std::string keys = keys_of(action);
      if (!keys.empty()) rows.push_back({std::string(menu), keys, label_of(action)});
    }
  }
  rows.insert(rows.end(), std::begin(kWidgetKeys), std::end(kWidgetKeys));
  return rows;
}

bool matches(const ShortcutRow& row, const std::string& filter) {
  const std::string words = row.group + " " + row.keys + " " + row.label;
  return folded(words).find(folded(filter)) != std::string::npos;
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
    filter.clear();
    ImGui::SetKeyboardFocusHere();
  } else if (key_pressed(keys::kF1, false)) {
    ui.send(command::ShowOverlay{});
  }
  line_field(ui, "shortcuts/filter", filter, "Search keys and what they do", -1.0F);
  tooltip(ui, "Shows the rows with these letters");
  ImGui::BeginChild("shortcuts/rows");
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float by = scrolled_by_keys(line, ImGui::GetWindowHeight() - line);
  if (appearing || by != 0.0F) ImGui::SetScrollY(appearing ? 0.0F : ImGui::GetScrollY() + by);
  std::vector<ShortcutRow> rows = shortcut_rows(actions);
  std::erase_if(rows, [&](const ShortcutRow& row) { return !matches(row, filter); });
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
    wrapped_text(value, ui_colors(ui.theme).text);
    ui.mark("about/" + label, value);
  }
  ImGui::EndTable();
}

void contents(Ui& ui, const InformationRows& graphics) {
  empty_hint(ui,
             "Computes attention from numbers you can edit and shows every stage of it, live. Rows "
             "are queries, columns are keys, everywhere. Nothing leaves this computer: the program "
             "opens no connection.");
  ImGui::Spacing();
  const bool copies =
      button(ui, "about/copy", "Copy information",
             {.tooltip = "Copies all of it as text, for a report", .shortcut = "Ctrl+C"});
  if (copies || (ImGui::GetIO().KeyCtrl && key_pressed('C', false))) {
    copy_and_notify(ui, about_text(graphics), "Copied the details of the program");
  }
  section_header(ui, "Build");
  table(ui, "about/build", build_information());
  if (!graphics.empty()) {
    section_header(ui, "Graphics");
    table(ui, "about/graphics", graphics);
  }
  section_header(ui, "Licences of the libraries");
  table(ui, "about/licences", licence_rows());
  empty_hint(ui, kWherePackages);
}

}  // namespace

void shortcut_list(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                   std::string& filter) {
  closable_overlay(ui, state, Overlay::Shortcuts,
                   {"shortcuts", "Keyboard shortcuts", ImVec2(600, 680)},
                   [&](bool appearing) { shortcut_contents(ui, actions, filter, appearing); });
}

std::string about_text(const InformationRows& graphics) {
  std::string text;
  add_lines(text, build_information());
  add_lines(text, graphics);
  text += "\nLicences of the libraries. " + std::string(kWherePackages) + "\n";
  add_lines(text, licence_rows());
  return text;
}

void about(Ui& ui, const AppState& state, const InformationRows& graphics) {
  const std::string title = "AttnScope " + std::string(program_version());
  closable_overlay(ui, state, Overlay::About, {"about", title.c_str(), ImVec2(560, 690)},
                   [&](bool) { contents(ui, graphics); });
}

}  // namespace attn::gui
