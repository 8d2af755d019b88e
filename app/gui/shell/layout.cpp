#include "gui/shell/layout.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "gui/shell/menus.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

constexpr float kLeftDefault = 320.0F, kRightDefault = 330.0F;
constexpr float kLeftLeast = 240.0F, kRightLeast = 216.0F, kSideMost = 760.0F;
constexpr float kSideShare = 0.26F, kSideNarrowest = 165.0F;  // in small windows
constexpr float kRulesHeight = 470.0F;
constexpr float kShortColumn = 600.0F;
constexpr float kMiddleLeast = 300.0F;
constexpr float kEdge = 6.0F;  // thickness of the edges that can be dragged

// An edge between two panels; dragging it changes `size` (units) by as much. `sign` −1: the panel
// after it grows when it moves back.
void edge(Ui& ui, const char* name, bool vertical, float& size, float shown, float sign) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 extent = vertical ? ImVec2(ui.px(kEdge), room.y) : ImVec2(room.x, ui.px(kEdge));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::InvisibleButton(name, ImVec2(std::max(extent.x, 1.0F), std::max(extent.y, 1.0F)));
  ImGui::PopStyleVar();
  ui.mark(name, fixed_text(static_cast<double>(shown), 0));
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (hot) {
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
        to_imgui(with_alpha(ui.colors().accent, ImGui::IsItemActive() ? 200 : 110)), ui.px(3));
  }
  if (!ImGui::IsItemActive()) return;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  const float delta = (vertical ? moved.x : moved.y) / ui.scale;
  if (delta != 0.0F) size = std::max(shown + sign * delta, 40.0F);
}

bool begin_panel(const char* name, ImVec2 size) {
  return ImGui::BeginChild(name, size, true, ImGuiWindowFlags_AlwaysUseWindowPadding);
}

// The edges lie directly beside the panels.
void end_panel() {
  ImGui::EndChild();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
}

// Height of the upper of two panels that share a column of `height` units.
float upper_height(float chosen, float usual, float height) {
  const float least = std::min(120.0F, height * 0.3F);
  return std::clamp(chosen > 0.0F ? chosen : usual, least, std::max(least, height - 160.0F));
}

void left_column(Ui& ui, const AppState& state, PanelViews& views, float width) {
  ImGui::BeginChild("layout/left_column", ImVec2(ui.px(width), 0));
  const float height = ImGui::GetContentRegionAvail().y / ui.scale;
  const float share = height < kShortColumn ? 0.48F : state.document.cross ? 0.62F : 0.5F;
  const float usual = std::min(height * share, views.layout.tokens_height);
  const float upper = upper_height(views.layout.left_top, usual, height);
  begin_panel("panel/tokens", ImVec2(0, ui.px(upper)));
  views.layout.tokens_height = tokens_panel(ui, state, views.tokens) / ui.scale;
  end_panel();
  edge(ui, "layout/left_top", false, views.layout.left_top, upper, 1.0F);
  begin_panel("panel/inputs", ImVec2(0, 0));
  matrices_panel(ui, state, views.matrices);
  ImGui::EndChild();
  ImGui::EndChild();
}

void right_column(Ui& ui, const AppState& state, PanelViews& views) {
  ImGui::BeginChild("layout/right_column", ImVec2(0, 0));
  const float height = ImGui::GetContentRegionAvail().y / ui.scale;
  float& share = views.layout.right_top_share;
  const float usual = std::max(height * 0.45F, height - kRulesHeight - kEdge);
  const float upper = upper_height(share * height, usual, height);
  begin_panel("panel/inspector", ImVec2(0, ui.px(upper)));
  inspector_panel(ui, state, views.inspector);
  end_panel();
  float chosen = share * height;
  edge(ui, "layout/right_top", false, chosen, upper, 1.0F);
  share = chosen / std::max(height, 1.0F);
  begin_panel("panel/rules", ImVec2(0, 0));
  rules_panel(ui, state, views.rules);
  ImGui::EndChild();
  ImGui::EndChild();
}

void body(Ui& ui, const AppState& state, PanelViews& views) {
  LayoutView& layout = views.layout;
  const Columns columns = columns_of(layout, ImGui::GetContentRegionAvail().x / ui.scale);
  left_column(ui, state, views, columns.left);
  ImGui::SameLine(0, 0);
  edge(ui, "layout/left", true, layout.left, columns.left, 1.0F);
  ImGui::SameLine(0, 0);
  begin_panel("panel/plots", ImVec2(ui.px(columns.middle), 0));
  document_card(ui, state, views.document);
  plots_panel(ui, state, views.plots);
  ImGui::EndChild();
  ImGui::SameLine(0, 0);
  edge(ui, "layout/right", true, layout.right, columns.right, -1.0F);
  ImGui::SameLine(0, 0);
  right_column(ui, state, views);
}

}  // namespace

Columns columns_of(const LayoutView& layout, float width) {
  const float cap = std::max(kSideNarrowest, std::floor(width * kSideShare));
  const float left_least = std::min(kLeftLeast, cap), right_least = std::min(kRightLeast, cap);
  const float sides = std::max(width - kMiddleLeast - 2 * kEdge, left_least + right_least);
  float left = layout.left > 0.0F ? layout.left : std::min(kLeftDefault, cap);
  float right = layout.right > 0.0F ? layout.right : std::min(kRightDefault, cap);
  left = std::clamp(left, left_least, kSideMost);
  right = std::clamp(right, right_least, kSideMost);
  if (left + right > sides) {
    const float shrink = sides / (left + right);
    left = std::max(left_least, std::floor(left * shrink));
    right = std::max(right_least, std::floor(sides - left));
  }
  return {left, std::max(1.0F, width - left - right - 2 * kEdge), right};
}

MainWindowEvents main_window(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                             const JobView& job, PanelViews& views, double now_seconds) {
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(6), ui.px(6)));
  ImGui::Begin("main", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_MenuBar |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(3);
  menu_bar(ui, actions);
  const float status = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("layout/body", ImVec2(0, -status - notices_height(ui, state, views.notices)));
  body(ui, state, views);
  ImGui::EndChild();
  MainWindowEvents events;
  events.wake_after = notices(ui, state, views.notices, now_seconds);
  events.cancelled = status_bar(ui, state, job);
  ImGui::End();
  return events;
}

}  // namespace attn::gui
