// Draws the list of shortcuts and the window about the program.
#include <algorithm>

#include "gui/panels/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"

namespace attn::gui {
namespace {

void shortcut_row(Ui& ui, const std::string& keys, std::string_view label) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(keys.c_str());
  ImGui::TableNextColumn();
  empty_hint(ui, label);
}

// What belongs to single widgets and so is no action.
struct WidgetKeys {
  const char* keys;
  const char* label;
};
constexpr WidgetKeys kWidgetKeys[] = {
    {"Wheel", "Zoom the heatmap at the pointer"},
    {"Drag", "Move the heatmap, or change an input cell"},
    {"Ctrl+drag", "Zoom to the cells in a rectangle"},
    {"Double-click", "Fit the heatmap, enter a number, rename a token"},
    {"Click, Shift+click", "Pin a cell, pin a second one to compare"},
    {"Drag or Ctrl+wheel on a number", "Change it; with Shift or Alt by less"},
    {"Arrows, Tab, Enter", "Move among the input cells"},
    {"Arrows, Enter", "Walk the plot of all heads, open a head"},
    {"Shift+click on a head", "Show its difference from the one looked at"},
    {"Ctrl+C, Ctrl+V, Delete", "Copy, paste, clear the selected input cells"},
    {"F2, Delete, Alt+Up, Alt+Down", "Rename, delete, move the selected token"},
};

void shortcut_table(Ui& ui, const std::vector<Action>& actions) {
  if (!ImGui::BeginTable("shortcuts/table", 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("Keys", ImGuiTableColumnFlags_WidthStretch, 0.42F);
  ImGui::TableSetupColumn("Action", ImGuiTableColumnFlags_WidthStretch, 0.58F);
  for (const Action& action : actions) {
    std::string keys;
    for (const Shortcut& shortcut : action.shortcuts) {
      keys += (keys.empty() ? "" : ", ") + shortcut_text(shortcut);
    }
    if (!keys.empty()) shortcut_row(ui, keys, action.label);
  }
  for (const WidgetKeys& widget : kWidgetKeys) shortcut_row(ui, widget.keys, widget.label);
  ImGui::EndTable();
}

}  // namespace

void shortcut_list(Ui& ui, const AppState& state, const std::vector<Action>& actions) {
  if (state.overlay != Overlay::Shortcuts) return;
  const bool close = centred_window(ui, {"shortcuts", "Keyboard shortcuts", ImVec2(560, 640)},
                                    [&] { shortcut_table(ui, actions); });
  if (close || key_pressed(keys::kF1, false)) ui.send(command::ShowOverlay{});
}

void about(Ui& ui, const AppState& state) {
  if (state.overlay != Overlay::About) return;
  const bool close =
      centred_window(ui, {"about", "AttnScope " ATTNSCOPE_VERSION, ImVec2(460, 240)}, [&] {
        empty_hint(
            ui, "Computes attention from numbers you can edit and shows every stage of it, live.");
        ImGui::Spacing();
        empty_hint(ui, "Rows are queries, columns are keys, everywhere.");
        ImGui::Spacing();
        empty_hint(ui, "Nothing leaves this computer: the program opens no connection.");
      });
  if (close) ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
