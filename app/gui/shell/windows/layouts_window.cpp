// Draws the field for a name, and a row for each layout.
#include "gui/shell/windows/layouts_window.h"

#include <algorithm>
#include <utility>

#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "session/named_layouts.h"

namespace attn::gui {
namespace {

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// What saving under the typed name comes to.
std::string meaning_of(const AppState& state, const std::string& name, const std::string& reason) {
  if (!reason.empty()) return reason;
  const bool there = layout_named(state.preferences.layouts, trimmed_layout_name(name)) != nullptr;
  if (there) return "Replaces the layout of this name";
  return "Keeps " + counted(panes_of(state.layout).size(), "pane") +
         ", what is shown, and the sides";
}

// True when the window is to close.
bool save_contents(Ui& ui, const AppState& state, LayoutsView& view, bool appearing) {
  if (appearing || std::exchange(view.focus, false)) ImGui::SetKeyboardFocusHere();
  const TextInputResult typed = line_field(ui, "save_layout/name", view.name, "Name", -1.0F);
  tooltip(ui, "What the layout is called in the menu View");
  const std::string reason = reason_against_layout(state.preferences.layouts, view.name);
  const std::string meaning = meaning_of(state, view.name, reason);
  empty_hint(ui, meaning);
  ui.mark("save_layout/reason", meaning);
  ImGui::Spacing();
  const bool pressed =
      button(ui, "save_layout/save", "Save",
             {.kind = ButtonKind::Primary,
              .tooltip = "Keeps the layout for all documents, and for a next start",
              .shortcut = "Enter",
              .enabled = reason.empty(),
              .disabled_reason = reason});
  ImGui::SameLine();
  const bool closed =
      button(ui, "save_layout/close", "Cancel", {.tooltip = "Keeps nothing", .shortcut = "Esc"});
  if ((pressed || typed.entered) && reason.empty()) {
    ui.send(command::SaveLayout{view.name});
    return true;
  }
  view.focus = typed.entered;
  return closed || typed.cancelled || (!appearing && key_pressed(keys::kEscape, false));
}

// True when the layout was chosen.
bool layout_row(Ui& ui, const NamedLayout& layout) {
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const float buttons = button_width(ui, "Apply") + spacing + button_width(ui, "Delete");
  ImGui::AlignTextToFramePadding();
  const float top = ImGui::GetCursorPosY();
  const float end = ImGui::GetContentRegionAvail().x + ImGui::GetCursorPosX();
  ImGui::SetCursorPosY(top + ImGui::GetStyle().FramePadding.y);
  elided_text(ui, layout.name, end - ImGui::GetCursorPosX() - buttons - 2 * spacing,
              ui.colors().ink);
  ImGui::SameLine(end - buttons);
  ImGui::SetCursorPosY(top);
  const bool chosen =
      button(ui, "layouts/apply/" + layout.name, "Apply",
             {.tooltip = counted(panes_of(layout.panes.layout).size(), "pane") +
                         ": shows this document in them; what it has not falls back"});
  ImGui::SameLine();
  if (button(ui, "layouts/delete/" + layout.name, "Delete",
             {.kind = ButtonKind::Quiet,
              .tooltip = "Forgets this layout; nothing on screen changes"})) {
    ui.send(command::DeleteLayout{layout.name});
  }
  return chosen;
}

// True when the window is to close.
bool list_contents(Ui& ui, const AppState& state) {
  if (button(ui, "layouts/save", "Save layout as…",
             {.tooltip = "Keeps the present panes and sides under a name"})) {
    ui.send(command::ShowOverlay{Overlay::SaveLayout});
  }
  ImGui::SameLine();
  if (button(ui, "layouts/reset", "Reset layout",
             {.tooltip = "One pane, and both sides as at the first start"})) {
    ui.send(command::ResetLayout{});
    return true;
  }
  ImGui::Spacing();
  const std::vector<NamedLayout>& layouts = state.preferences.layouts;
  if (layouts.empty()) {
    empty_hint(ui,
               "No layout is saved yet: arrange panes and sides as you like them, then save them "
               "under a name.");
  }
  for (const NamedLayout& layout : layouts) {
    if (!layout_row(ui, layout)) continue;
    ui.send(command::ApplyLayout{layout.name});
    return true;
  }
  return false;
}

}  // namespace

void save_layout_window(Ui& ui, const AppState& state, LayoutsView& view) {
  const bool open = state.overlay == Overlay::SaveLayout, appearing = appears(open, view.was_open);
  if (!open) return;
  if (appearing) view.name.clear();
  begin_overlay(ui, "save_layout", centred_overlay(ui, ImVec2(440, 140)));
  section_header(ui, "Save layout as");
  const bool close = save_contents(ui, state, view, appearing);
  ui.mark("save_layout");
  end_overlay();
  if (close) ui.send(command::ShowOverlay{});
}

void layouts_window(Ui& ui, const AppState& state) {
  if (state.overlay != Overlay::Layouts) return;
  // As high as its rows, which scroll where there are many.
  constexpr float kFrame = 165.0F, kRow = 31.0F, kMost = 560.0F;  // units
  const auto rows = static_cast<float>(state.preferences.layouts.size());
  bool applied = false;
  const ImVec2 size(480, std::min(kFrame + kRow * rows, kMost));
  const bool close =
      centred_window(ui, {"layouts", "Layouts", size}, [&] { applied = list_contents(ui, state); });
  if (close || applied) ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
