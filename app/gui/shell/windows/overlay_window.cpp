// Frame of windows over the panels, with the screen behind them dimmed.
#include "gui/shell/windows/overlay_window.h"

#include <algorithm>

#include "figure/text.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr std::uint8_t kDim = 90;

// Drawn explicitly, because the dimming must lie below it.
void draw_background(const Ui& ui) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize(), max = min + size;
  const float rounding = ImGui::GetStyle().WindowRounding;
  list.PushClipRectFullScreen();
  list.AddRectFilled(ImVec2(0, 0), ImGui::GetIO().DisplaySize, IM_COL32(0, 0, 0, kDim));
  list.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_PopupBg), rounding);
  list.AddRect(min, max, to_imgui(mix(ui.colors().border, ui.colors().muted, 0.5)), rounding, 0,
               ui.line_px(1));
  list.PopClipRect();
}

// True if Esc was pressed in the current window, not by the press that opened it.
bool is_escaped() { return key_pressed(keys::kEscape, false) && !ImGui::IsWindowAppearing(); }

bool apply_row(Ui& ui, const OverlayWindow& window, const Obstacle& obstacle, bool entered) {
  const std::string name = window.name;
  const bool can = obstacle.reason.empty();
  const bool pressed = button(ui, name + "/apply", "Apply",
                              {.kind = ButtonKind::Primary,
                               .tooltip = "Changes the document; undo takes it back",
                               .shortcut = "Enter",
                               .enabled = can,
                               .disabled_reason = obstacle.reason});
  ImGui::SameLine();
  const bool closed =
      button(ui, name + "/close", window.close, {.tooltip = "Changes nothing", .shortcut = "Esc"});
  if (closed || is_escaped()) {
    ui.send(command::ShowOverlay{});
    return false;
  }
  const bool enter = !ImGui::GetIO().WantTextInput && ui.focus.focused().empty() &&
                     enter_pressed() && !ImGui::IsWindowAppearing();
  return can && (pressed || entered || enter);
}

}  // namespace

bool begin_overlay(Ui& ui, const OverlayWindow& window) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool centred = window.top < 0.0F;
  ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y * (centred ? 0.5F : window.top)),
                          ImGuiCond_Always, ImVec2(0.5F, centred ? 0.5F : 0.0F));
  ImGui::SetNextWindowSize(ImVec2(std::min(ui.px(window.size_units.x), screen.x * 0.95F),
                                  std::min(ui.px(window.size_units.y), screen.y * 0.92F)));
  ImGui::Begin(window.name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground);
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  draw_background(ui);
  if (window.title != nullptr) section_header(ui, window.title);
  return ImGui::IsWindowAppearing();
}

bool is_closed(Ui& ui, const std::string& name, const char* label) {
  const bool pressed =
      button(ui, name + "/close", label, {.tooltip = "Back to the panels", .shortcut = "Esc"});
  return pressed || is_escaped();
}

float scrolled_by_keys(float line_px, float page_px) {
  float by = 0.0F;
  if (key_pressed(keys::kDown)) by += line_px;
  if (key_pressed(keys::kUp)) by -= line_px;
  if (key_pressed(keys::kPageDown)) by += page_px;
  if (key_pressed(keys::kPageUp)) by -= page_px;
  return by;
}

bool list_row(Ui& ui, const std::string& name, std::string_view text, const ListRow& row) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight() + ui.px(row.spare);
  const int flags = ImGuiSelectableFlags_AllowDoubleClick |
                    (row.enabled ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled);
  const bool clicked =
      ImGui::Selectable(("##" + name).c_str(), row.selected, flags, ImVec2(0, height));
  ui.mark(name, row.value, row.enabled);
  const float space = ImGui::GetItemRectSize().x - ui.px(row.inset + 4);
  const std::string shown =
      fitted(pango_metrics(), text, FontStyle{kTextSize}, static_cast<double>(space / ui.scale));
  draw_in_row(ui, shown, ImVec2(at.x + ui.px(row.inset), at.y), height,
              row.ink.value_or(row.enabled ? ui.colors().ink : ui.colors().muted));
  std::string help(shown == text ? "" : text);
  if (!help.empty() && !row.help.empty()) help += "\n";
  tooltip(ui, help.append(row.help), {}, !row.enabled);
  return clicked;
}

bool end_with_apply_button(Ui& ui, const OverlayWindow& window,
                           const std::function<bool()>& contents,
                           const std::function<Obstacle()>& obstacle) {
  const float footer = ImGui::GetFrameHeightWithSpacing() + problem_height(obstacle().reason);
  ImGui::BeginChild("contents", ImVec2(0, -footer));
  const bool entered = contents();
  ImGui::EndChild();
  const Obstacle remaining = obstacle();
  const auto say = remaining.is_mistake ? problem_text : empty_hint;
  if (!remaining.reason.empty()) say(ui, remaining.reason, std::string(window.name) + "/reason");
  const bool applies = apply_row(ui, window, remaining, entered);
  ui.mark(window.name);
  ImGui::End();
  return applies;
}

}  // namespace attn::gui
