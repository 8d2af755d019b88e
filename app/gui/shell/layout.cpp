// Layout of the window and its draggable edges.
#include "gui/shell/layout.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "gui/panels/strip/stage_strip.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// In units.
constexpr float kMinSideWidth = 140.0F, kMaxSideWidth = 900.0F;  // limits of dragging
constexpr float kMinMiddleWidth = 300.0F;
constexpr float kMinPanelHeight = 80.0F;
constexpr float kRulesShare = 0.44F, kMaxRulesHeight = 420.0F;
constexpr float kEdge = 5.0F;  // thickness of the draggable area; its line is thinner
constexpr float kStatusPadding = 3.0F;

// A draggable edge of a part of size `shown`; `line_at` 0 … 1 is the position of its line across
// it. Returns the mouse movement of this frame in units.
float edge(Ui& ui, const char* name, bool vertical, float line_at, const char* help, float shown) {
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const ImVec2 extent = vertical ? ImVec2(ui.px(kEdge), space.y) : ImVec2(space.x, ui.px(kEdge));
  ImGui::InvisibleButton(name, ImVec2(std::max(extent.x, 1.0F), std::max(extent.y, 1.0F)));
  ui.mark(name, fixed_text(static_cast<double>(shown), 0));
  tooltip(ui, help);
  const bool active = ImGui::IsItemActive(), hot = active || ImGui::IsItemHovered();
  const UiColors colors = ui_colors(ui.theme);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float line = std::max(1.0F, std::floor(ui.px(1)));
  ImVec2 a = min, b = max;
  if (vertical) {
    a.x = std::floor(min.x + (max.x - min.x - line) * line_at);
    b.x = a.x + line;
  } else {
    a.y = std::floor(min.y + (max.y - min.y - line) * line_at);
    b.y = a.y + line;
  }
  draw.AddRectFilled(a, b, to_imgui(colors.border));
  if (hot) {
    draw.AddRectFilled(min, max, to_imgui(with_alpha(colors.accent, active ? 200 : 110)));
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  }
  if (!active) return 0.0F;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  return (vertical ? moved.x : moved.y) / ui.scale;
}

// Arguments shared by the parts of the window. They are adjacent without gaps; `spacing` applies
// inside of panels.
struct Frame {
  Ui& ui;
  const AppState& state;
  PanelViews& views;
  ImVec2 spacing;

  Sides sides() const {
    Sides shown = views.dragged ? *views.dragged : state.preferences.sides;
    if (state.plot_alone) shown.left_folded = shown.right_folded = true;
    return shown;
  }
};

// Applies a drag to a size; the command is sent on release, so that preferences are written once.
void resize(const Frame& frame, float Sides::*size, float resized) {
  std::optional<Sides>& dragged = frame.views.dragged;
  const bool dropped = ImGui::IsItemDeactivated();
  if (ImGui::IsItemActive() && !dragged) dragged = frame.sides();
  if (dragged && ImGui::IsItemActive()) (*dragged).*size = resized;
  if (dropped && dragged) frame.ui.send(command::SetSides{*dragged});
}

template <class Contents>
void panel(const Frame& frame, const char* name, ImVec2 size, const Contents& contents,
           std::optional<ContextKind> context = {}) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, frame.spacing);
  ImGui::BeginChild(name, size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  contents();
  const bool pressed = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
                       ImGui::IsMouseReleased(ImGuiMouseButton_Right);
  if (context && pressed) frame.ui.ask_context(*context);
  ImGui::EndChild();
  frame.ui.mark(name);
  ImGui::PopStyleVar();
}

// Height of the upper of two panels in a column of `height` units.
float upper_height(float wanted, float height) {
  const float least = std::min(kMinPanelHeight, height * 0.3F);
  return std::clamp(wanted, least, std::max(least, height - kEdge - kMinPanelHeight));
}

void left_side(const Frame& frame, float width) {
  Ui& ui = frame.ui;
  const AppState& state = frame.state;
  PanelViews& views = frame.views;
  ImGui::BeginChild("layout/left_side", ImVec2(ui.px(width), 0));
  const float height = ImGui::GetContentRegionAvail().y / ui.scale;
  const float chosen = frame.sides().left_top;
  const float share = state.document.cross ? 0.62F : 0.54F;
  const float fitting = std::min(height * share, views.tokens_height);
  const float upper = upper_height(chosen > 0.0F ? chosen : fitting, height);
  panel(
      frame, "panel/tokens", ImVec2(0, ui.px(upper)),
      [&] { views.tokens_height = tokens_panel(ui, state, views.tokens) / ui.scale; },
      ContextKind::Tokens);
  const float moved = edge(ui, "layout/left_top", false, 0.5F,
                           "Drag to share the height between tokens and inputs", upper);
  resize(frame, &Sides::left_top, upper + moved);
  panel(
      frame, "panel/inputs", ImVec2(0, 0), [&] { matrices_panel(ui, state, views.matrices); },
      ContextKind::Inputs);
  ImGui::EndChild();
}

void right_side(const Frame& frame) {
  Ui& ui = frame.ui;
  const AppState& state = frame.state;
  PanelViews& views = frame.views;
  ImGui::BeginChild("layout/right_side", ImVec2(0, 0));
  const float height = std::max(ImGui::GetContentRegionAvail().y / ui.scale, 1.0F);
  const float share = frame.sides().right_top;
  const float fitting = height - std::min(height * kRulesShare, kMaxRulesHeight);
  const float upper = upper_height(share > 0.0F ? share * height : fitting, height);
  panel(
      frame, "panel/inspector", ImVec2(0, ui.px(upper)),
      [&] { inspector_panel(ui, state, views.inspector); }, ContextKind::Inspector);
  const float moved = edge(ui, "layout/right_top", false, 0.5F,
                           "Drag to share the height between inspector and rules", upper);
  resize(frame, &Sides::right_top, std::clamp((upper + moved) / height, 0.01F, 1.0F));
  panel(frame, "panel/rules", ImVec2(0, 0), [&] { rules_panel(ui, state, views.rules); });
  ImGui::EndChild();
}

void middle(const Frame& frame, float width) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_imgui(ui_colors(frame.ui.theme).window));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.0F);
  ImGui::BeginChild("layout/middle", ImVec2(frame.ui.px(width), 0));
  stage_strip(frame.ui, frame.state);
  panel(frame, "panel/plots", ImVec2(0, 0),
        [&] { plots_panel(frame.ui, frame.state, frame.views.plots); });
  frame.views.plots_corner = ImVec2(ImGui::GetItemRectMax().x, ImGui::GetItemRectMin().y);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

void body(const Frame& frame) {
  Ui& ui = frame.ui;
  const Columns columns = columns_of(frame.sides(), ImGui::GetContentRegionAvail().x / ui.scale);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (columns.left > 0.0F) {
    left_side(frame, columns.left);
    ImGui::SameLine();
    const float moved = edge(ui, "layout/left", true, 1.0F,
                             "Drag to make the left side wider or narrower", columns.left);
    resize(frame, &Sides::left, std::max(columns.left + moved, kMinSideWidth));
    ImGui::SameLine();
  }
  middle(frame, columns.middle);
  if (columns.right > 0.0F) {
    ImGui::SameLine();
    const float moved = edge(ui, "layout/right", true, 0.0F,
                             "Drag to make the right side wider or narrower", columns.right);
    resize(frame, &Sides::right, std::max(columns.right - moved, kMinSideWidth));
    ImGui::SameLine();
    right_side(frame);
  }
  ImGui::PopStyleVar();
  if (!ImGui::IsAnyItemActive()) frame.views.dragged.reset();
}

}  // namespace

Columns columns_of(const Sides& sides, float width) {
  const auto side = [&](bool folded, float chosen, float usual) {
    if (folded) return 0.0F;
    return chosen > 0.0F ? std::clamp(chosen, kMinSideWidth, kMaxSideWidth) : usual;
  };
  const float usual_left = std::clamp(std::floor(0.163F * width), 176.0F, 300.0F);
  const float usual_right = std::clamp(std::floor(0.205F * width), 208.0F, 380.0F);
  float left = side(sides.left_folded, sides.left, usual_left);
  float right = side(sides.right_folded, sides.right, usual_right);
  const float edges = (left > 0.0F ? kEdge : 0.0F) + (right > 0.0F ? kEdge : 0.0F);
  const float most = std::max(width - kMinMiddleWidth - edges, 0.0F);
  if (left + right > most) {
    const float shrink = most / (left + right);
    left = std::floor(left * shrink);
    right = std::floor(right * shrink);
  }
  return {left, std::max(1.0F, width - left - right - edges), right};
}

float status_height(const Ui& ui) { return ImGui::GetTextLineHeight() + 2 * ui.px(kStatusPadding); }

bool main_window(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                 const JobQueue::Status& job, PanelViews& views) {
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("main", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_MenuBar |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(3);
  menu_row(ui, state, actions, views.document);
  const float status = status_height(ui);
  ImGui::BeginChild("layout/body", ImVec2(0, -status));
  body({ui, state, views, ImGui::GetStyle().ItemSpacing});
  ImGui::EndChild();
  ImGui::SetCursorPos(ImVec2(padding.x, ImGui::GetWindowHeight() - status + ui.px(kStatusPadding)));
  const bool cancelled = status_bar(ui, state, job);
  ImGui::End();
  return cancelled;
}

}  // namespace attn::gui
