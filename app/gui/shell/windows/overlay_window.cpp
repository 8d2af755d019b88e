// Frame of windows over the panels, with the screen behind them dimmed.
#include "gui/shell/windows/overlay_window.h"

#include <algorithm>
#include <string>

#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

constexpr std::uint8_t kDim = 90;

// Drawn explicitly, because the dimming must lie below it.
void draw_background(const Ui& ui) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  const ImVec2 max(min.x + size.x, min.y + size.y);
  const float rounding = ImGui::GetStyle().WindowRounding;
  const UiColors colors = ui_colors(ui.theme);
  list.PushClipRectFullScreen();
  list.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_PopupBg), rounding);
  list.AddRect(min, max, to_imgui(mix(colors.border, colors.muted, 0.5)), rounding, 0,
               std::max(1.0F, ui.px(1)));
  list.PopClipRect();
}

}  // namespace

void begin_overlay(Ui& ui, const char* name, const OverlayPlace& place) {
  ImGui::SetNextWindowPos(place.at, ImGuiCond_Always, place.pivot);
  ImGui::SetNextWindowSize(place.size);
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground;
  ImGui::Begin(name, nullptr, flags);
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddRectFilled(ImVec2(0, 0), ImGui::GetIO().DisplaySize, IM_COL32(0, 0, 0, kDim));
  list.PopClipRect();
  draw_background(ui);
}

void end_overlay() { ImGui::End(); }

float scrolled_by_keys(float line_px, float page_px) {
  float by = 0.0F;
  if (key_pressed(keys::kDown)) by += line_px;
  if (key_pressed(keys::kUp)) by -= line_px;
  if (key_pressed(keys::kPageDown)) by += page_px;
  if (key_pressed(keys::kPageUp)) by -= page_px;
  return by;
}

OverlayPlace centred_overlay(const Ui& ui, ImVec2 size_units) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  OverlayPlace place;
  place.at = ImVec2(screen.x / 2, screen.y / 2);
  place.size = ImVec2(std::min(ui.px(size_units.x), screen.x * 0.95F),
                      std::min(ui.px(size_units.y), screen.y * 0.92F));
  return place;
}

bool centred_window(Ui& ui, const CentredWindow& window, const std::function<void()>& contents) {
  begin_overlay(ui, window.name, centred_overlay(ui, window.size_units));
  section_header(ui, window.title);
  const float footer = ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("contents", ImVec2(0, -footer));
  contents();
  ImGui::EndChild();
  ui.mark(window.name);
  const bool close = button(ui, std::string(window.name) + "/close", window.close,
                            {.tooltip = "Back to the panels", .shortcut = "Esc"});
  const bool escaped = key_pressed(keys::kEscape, false) && !ImGui::IsWindowAppearing();
  end_overlay();
  return close || escaped;
}

namespace {

void draw_obstacle(Ui& ui, const std::string& name, const Obstacle& obstacle) {
  if (obstacle.reason.empty()) return;
  if (obstacle.is_mistake) {
    problem_text(ui, obstacle.reason);
  } else {
    empty_hint(ui, obstacle.reason);
  }
  ui.mark(name + "/reason", obstacle.reason);
}

ApplyAnswer apply_row(Ui& ui, const CentredWindow& window, const Obstacle& obstacle, bool entered) {
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
  const bool escaped = key_pressed(keys::kEscape, false) && !ImGui::IsWindowAppearing();
  if (closed || escaped) return ApplyAnswer::Cancel;
  const bool enter = !ImGui::GetIO().WantTextInput && ui.focus.focused().empty() &&
                     enter_pressed() && !ImGui::IsWindowAppearing();
  return can && (pressed || entered || enter) ? ApplyAnswer::Apply : ApplyAnswer::None;
}

}  // namespace

ApplyAnswer apply_window(Ui& ui, const CentredWindow& window, const ApplyContents& contents) {
  begin_overlay(ui, window.name, centred_overlay(ui, window.size_units));
  section_header(ui, window.title);
  const float footer =
      ImGui::GetFrameHeightWithSpacing() + problem_height(contents.obstacle().reason);
  ImGui::BeginChild("contents", ImVec2(0, -footer));
  const bool entered = contents.draw();
  ImGui::EndChild();
  const Obstacle obstacle = contents.obstacle();
  draw_obstacle(ui, window.name, obstacle);
  const ApplyAnswer answer = apply_row(ui, window, obstacle, entered);
  ui.mark(window.name);
  end_overlay();
  return answer;
}

}  // namespace attn::gui
