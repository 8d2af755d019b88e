// Draws the tree of panes.
#include <algorithm>
#include <cmath>

#include "gui/panels/pane/pane.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kFocusLine = 2.0F;
constexpr float kPaneEdge = 5.0F;  // units

// Arguments shared by the parts of the panel.
struct Panes {
  Ui& ui;
  const AppState& state;
  PlotsView& view;
  ImVec2 spacing;  // inside of panes; between them there is none
};

void draw_pane(const Panes& panes, const Pane& pane, ImVec2 size) {
  auto& [ui, state, view, spacing] = panes;
  const bool focused = pane.id == state.focus;
  const PlotEntry* plot = plot_named(pane.view.plot);
  const auto all = panes_of(state.layout);
  // ImGui never forgets a window, so panes reuse a few names.
  const auto place = std::ranges::find(all, pane.id, &Pane::id) - all.begin();
  ImGui::BeginChild(("pane/place/" + std::to_string(place)).c_str(), size, false,
                    ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
  const std::string prefix = focused ? "" : "pane/" + std::to_string(pane.id) + "/";
  if (ui.probe != nullptr) ui.probe->set_prefix(prefix);
  const bool used = ImGui::IsMouseClicked(ImGuiMouseButton_Left) ||
                    ImGui::IsMouseClicked(ImGuiMouseButton_Right) ||
                    ImGui::GetIO().MouseWheel != 0.0F;
  const bool touched = used && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (touched && !focused) ui.send(command::FocusPane{pane.id});
  const bool several = all.size() > 1;
  if (several && focused) {
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 end(at.x + ImGui::GetWindowWidth(), at.y + std::max(1.0F, ui.px(kFocusLine)));
    ImGui::GetWindowDrawList()->AddRectFilled(at, end, to_imgui(ui.colors().accent));
  }
  if (several) ImGui::SetCursorPosY(ui.px(kFocusLine + 2.0F));
  if (plot != nullptr) {
    const PaneScope scope{ui, state, pane, *plot, view.panes[pane.id], view.hovering};
    pane_bar(scope);
    pane_canvas(scope);
  }
  if (ui.probe != nullptr) ui.probe->set_prefix("");
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

// Draggable edge between two parts of a split.
void edge(const Panes& panes, const Split& split, std::size_t index, ImVec2 extent, float space) {
  Ui& ui = panes.ui;
  const bool beside = split.direction == SplitDirection::Right;
  const std::string name = "pane/edge/" + std::to_string(split.id) + "/" + std::to_string(index);
  ImGui::InvisibleButton(name.c_str(), extent);
  ui.mark(name);
  tooltip(ui, "Drag to share the room between the panes");
  const bool held = ImGui::IsItemActive(), hot = held || ImGui::IsItemHovered();
  if (hot) {
    ImGui::SetMouseCursor(beside ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  }
  const Color line = hot ? ui.colors().accent : ui_colors(ui.theme).border;
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const ImVec2 middle(std::floor((min.x + max.x) / 2), std::floor((min.y + max.y) / 2));
  const float thick = std::max(1.0F, ui.px(hot ? 2.0F : 1.0F));
  const ImVec2 a(beside ? middle.x : min.x, beside ? min.y : middle.y);
  const ImVec2 b(beside ? middle.x + thick : max.x, beside ? max.y : middle.y + thick);
  ImGui::GetWindowDrawList()->AddRectFilled(a, b, to_imgui(line));
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  const double by = static_cast<double>((beside ? moved.x : moved.y) / std::max(space, 1.0F));
  if (held && by != 0.0) {
    ui.send(command::ResizePane{split.id, index, split.parts[index].share + by});
  }
}

void draw_layout(const Panes& panes, const Layout& layout, ImVec2 size);

void draw_split(const Panes& panes, const Split& split, ImVec2 size) {
  const bool beside = split.direction == SplitDirection::Right;
  const float thick = panes.ui.px(kPaneEdge);
  const std::size_t count = split.parts.size();
  const float space = (beside ? size.x : size.y) - thick * static_cast<float>(count - 1);
  ImGui::BeginGroup();
  for (std::size_t i = 0; i < count; ++i) {
    const float length =
        std::max(1.0F, std::floor(space * static_cast<float>(split.parts[i].share)));
    draw_layout(panes, split.parts[i].layout,
                beside ? ImVec2(length, size.y) : ImVec2(size.x, length));
    if (i + 1 == count) break;
    if (beside) ImGui::SameLine(0, 0);
    edge(panes, split, i, beside ? ImVec2(thick, size.y) : ImVec2(size.x, thick), space);
    if (beside) ImGui::SameLine(0, 0);
  }
  ImGui::EndGroup();
}

void draw_layout(const Panes& panes, const Layout& layout, ImVec2 size) {
  if (const auto* pane = std::get_if<Pane>(&layout)) return draw_pane(panes, *pane, size);
  draw_split(panes, std::get<Split>(layout), size);
}

}  // namespace

void plots_panel(Ui& ui, const AppState& state, PlotsView& view) {
  std::erase_if(view.panes,
                [&](const auto& entry) { return pane_of(state.layout, entry.first) == nullptr; });
  if (pane_of(state.layout, view.hovering) == nullptr) view.hovering = 0;
  const ImVec2 spacing = ImGui::GetStyle().ItemSpacing;
  const Panes panes{ui, state, view, spacing};
  const ImVec2 space = ImGui::GetContentRegionAvail();
  if (state.maximised || state.plot_alone) {
    return draw_pane(panes, *pane_of(state.layout, state.focus), space);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(spacing.x, 0));
  draw_layout(panes, state.layout, space);
  ImGui::PopStyleVar();
}

}  // namespace attn::gui
