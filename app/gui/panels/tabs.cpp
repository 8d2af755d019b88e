// Tabs share the width evenly when they do not all fit.
#include "gui/panels/tabs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "gui/panels/controls.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kCross = 18.0F;  // units
constexpr float kWidest = 220.0F, kNewWidth = 26.0F;

// A document that is not looked at.
struct Tab {
  const OpenDocument& document;
  std::string text;
  std::string name;  // of its probe
  float width;       // pixels
};

// With room for the mark of unsaved changes, so that editing moves nothing.
float usual_width(const Ui& ui, const AppState& state, const OpenDocument& document) {
  const float wide = text_width(ui, tab_name(state, document)) + text_width(ui, kUnsavedMark);
  return std::min(std::ceil(wide) + ui.px(2 * kTabPadding), ui.px(kWidest));
}

void draw_cross(const Ui& ui, ImVec2 middle, bool hot) {
  const UiColors colors = ui_colors(ui.theme);
  const ImU32 ink = to_imgui(hot ? colors.text : colors.muted);
  const float reach = ui.px(3.5F), thick = std::max(1.0F, ui.px(1.2F));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto at = [&](float x, float y) {
    return ImVec2(middle.x + x * reach, middle.y + y * reach);
  };
  draw.AddLine(at(-1, -1), at(1, 1), ink, thick);
  draw.AddLine(at(-1, 1), at(1, -1), ink, thick);
}

// The cross that closes a tab, beside it.
void cross(Ui& ui, const std::string& name, std::uint64_t document) {
  ImGui::SameLine(0, 0);
  const bool pressed =
      ImGui::InvisibleButton(name.c_str(), ImVec2(ui.px(kCross), ImGui::GetFrameHeight()));
  ui.mark(name);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  draw_cross(ui, ImVec2((min.x + max.x) / 2, (min.y + max.y) / 2), ImGui::IsItemHovered());
  tooltip(ui, "Closes the document", "Ctrl+W");
  if (pressed) ui.send(command::CloseTab{document});
}

bool was_middle_clicked() {
  return ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
}

// The menu is about the tab that is looked at.
void ask_for_menu(Ui& ui, const OpenDocument& document) {
  if (!ImGui::IsItemHovered() || !ImGui::IsMouseReleased(ImGuiMouseButton_Right)) return;
  ui.send(command::SelectTab{document.id});
  ui.ask_context(ContextKind::Tab);
}

void other_tab(Ui& ui, const Tab& tab) {
  const UiColors colors = ui_colors(ui.theme);
  const bool pressed =
      ImGui::InvisibleButton(tab.name.c_str(), ImVec2(tab.width, ImGui::GetFrameHeight()));
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const bool hot = ImGui::IsItemHovered();
  if (hot) {
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(min.x, min.y + ui.px(3)), max,
                                              to_imgui(colors.hovered), ui.px(6),
                                              ImDrawFlags_RoundCornersTop);
  }
  const OpenDocument& document = tab.document;
  const std::string text = tab_text(ui, tab.text, has_unsaved_changes(document), tab.width);
  ui.mark(tab.name, text);
  draw_in_row(ui, text, ImVec2(min.x + ui.px(kTabPadding), min.y + ui.px(1)), max.y - min.y,
              hot ? colors.text : colors.muted);
  ask_for_menu(ui, document);
  if (was_middle_clicked()) ui.send(command::CloseTab{document.id});
  if (pressed) ui.send(command::SelectTab{document.id});
  tooltip(ui, document.path.empty() ? document.document.title : document.path);
}

}  // namespace

void tab_row(Ui& ui, const AppState& state, DocumentTabView& view, float width_px) {
  const std::vector<const OpenDocument*> open = open_documents(state);
  const float room = width_px - ui.px(kNewWidth + kCross);
  float wanted = 0.0F;
  for (const OpenDocument* document : open) wanted += usual_width(ui, state, *document);
  const float even = std::floor(room / static_cast<float>(open.size()));
  for (std::size_t i = 0; i < open.size(); ++i) {
    const float width = wanted <= room ? usual_width(ui, state, *open[i]) : even;
    const std::string name = "tabs/" + std::to_string(i);
    if (i > 0) ImGui::SameLine(0, 0);
    if (open[i]->id != state.id) {
      other_tab(ui, {*open[i], tab_name(state, *open[i]), name, width});
      continue;
    }
    document_tab(ui, state, view, open.size() == 1 ? room : width);
    ask_for_menu(ui, *open[i]);
    ui.mark(name, "on");
    if (open.size() > 1) cross(ui, name + "/close", state.id);
  }
  ImGui::SameLine(0, 0);
  if (button(ui, "tabs/new", "+",
             {.kind = ButtonKind::Quiet,
              .tooltip = "Opens the start page: a new document, recent files, examples"})) {
    ui.send(command::ShowOverlay{Overlay::Start});
  }
}

}  // namespace attn::gui
