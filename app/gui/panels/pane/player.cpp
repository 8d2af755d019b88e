// Strip that plays the flow of a cell.
#include <algorithm>
#include <cmath>

#include "gui/panels/pane/pane.h"

namespace attn::gui {
namespace {

constexpr float kLeastScrub = 60.0F, kSpeedWidth = 142.0F;  // units
constexpr double kRest = 0.1;  // seconds between frames in which nothing moves

// A line with a dot for each step; a drag goes to any place on it.
void scrub_line(const PaneScope& scope, float width_px) {
  Ui& ui = scope.ui;
  const auto steps = static_cast<float>(steps_in_view(scope.state));
  const auto position = static_cast<float>(played_position(scope.state));
  const std::string value = std::to_string(static_cast<int>(std::ceil(position))) + " of " +
                            std::to_string(static_cast<int>(steps));
  const DrawnButton area =
      drawn_button(ui, "plot/scrub", ImVec2(width_px, ImGui::GetFrameHeight()), value);
  const float inset = ui.px(7), length = area.max.x - area.min.x - 2 * inset;
  const auto x_of = [&](float at) { return area.min.x + inset + length * at / steps; };
  const float y = area.middle().y, thick = ui.line_px(2);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 passed = to_imgui(ui.colors().accent), ahead = to_imgui(ui.colors().border);
  draw.AddLine(ImVec2(x_of(0), y), ImVec2(x_of(steps), y), ahead, thick);
  draw.AddLine(ImVec2(x_of(0), y), ImVec2(x_of(position), y), passed, thick);
  for (float step = 1; step <= steps; ++step) {
    draw.AddCircleFilled(ImVec2(x_of(step), y), ui.px(3), step <= position ? passed : ahead);
  }
  draw.AddCircleFilled(ImVec2(x_of(position), y), ui.px(area.hovered ? 7 : 6), passed);
  const bool held = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  tooltip(ui, "Drag to any place of the flow: step " + value);
  if (!held) return;
  const float at = (ImGui::GetIO().MousePos.x - x_of(0)) / std::max(length, 1.0F) * steps;
  const float nearest = std::round(at), wanted = std::abs(at - nearest) < 0.12F ? nearest : at;
  if (std::abs(wanted - position) > 1e-3F) {
    ui.send(command::Scrub{static_cast<double>(std::clamp(wanted, 0.0F, steps))});
  }
}

void speed_choice(const PaneScope& scope) {
  static constexpr std::string_view kLabels[] = {"0.5×", "1×", "2×"};
  const auto* const at = std::ranges::find(kPlaySpeeds, scope.state.playing.speed);
  const auto chosen = segmented(
      scope.ui, "plot/speed", kLabels, static_cast<std::size_t>(at - std::begin(kPlaySpeeds)),
      explained({"Half the speed", "The usual speed", "Twice the speed"}));
  if (chosen) scope.ui.send(command::SetPlaySpeed{kPlaySpeeds[*chosen]});
}

void pass_time(const PaneScope& scope) {
  const Playing& playing = scope.state.playing;
  const bool moves = playing.glide < 1.0;
  if (!playing.on && !moves) return;
  scope.ui.send(command::PlayOn{static_cast<double>(ImGui::GetIO().DeltaTime)});
  scope.ui.redraw_within(moves ? 0.0 : kRest);
}

}  // namespace

void player_strip(const PaneScope& scope) {
  if (scope.pane.id != scope.state.focus) return;
  pass_time(scope);
  if (scope.state.plot_alone || steps_in_view(scope.state) < 2) return;
  Ui& ui = scope.ui;
  const bool on = scope.state.playing.on;
  button(ui, "plot/play", on ? "Pause" : "Play",
         {.tooltip = on ? "Stays at this step" : "Plays the flow step by step",
          .shortcut = "Space",
          .width = 58.0F,
          .sends = command::Play{!on}});
  ImGui::SameLine();
  button(ui, "plot/step/back", "‹",
         {.tooltip = "One step back", .shortcut = ",", .sends = command::StepDecoder{-1}});
  ImGui::SameLine();
  button(ui, "plot/step/next", "›",
         {.tooltip = "One step on", .shortcut = ".", .sends = command::StepDecoder{1}});
  ImGui::SameLine();
  const float space = ImGui::GetContentRegionAvail().x;
  const bool has_speed = space > ui.px(kLeastScrub + kSpeedWidth);
  scrub_line(scope, std::max(space - (has_speed ? ui.px(kSpeedWidth) : 0.0F), ui.px(kLeastScrub)));
  if (!has_speed) return;
  ImGui::SameLine();
  speed_choice(scope);
}

}  // namespace attn::gui
