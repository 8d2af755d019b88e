// Draws what one chooses one of many with: a field that opens a list, or a word.
#include <imgui_internal.h>

#include <cmath>

#include "gui/ui/style.h"
#include "gui/ui/widgets.h"

namespace attn::gui {
namespace {

constexpr float kTriangle = 7.0F, kTriangleGap = 5.0F;  // units

float field_width(const Ui& ui, float units) { return units > 0.0F ? ui.px(units) : -FLT_MIN; }

// What was chosen in the list that is open. Ends it.
std::optional<std::size_t> opened_list(Ui& ui, std::string_view name,
                                       std::span<const std::string_view> choices,
                                       std::size_t selected,
                                       const ReasonAgainst& reason_against = {}) {
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string choice(choices[i]);
    const std::string shown = item_label(ui.say(Wording::Label, choice), choice);
    const std::string reason = reason_against ? reason_against(i) : "";
    const auto flags = reason.empty() ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled;
    if (ImGui::Selectable(shown.c_str(), i == selected, flags)) chosen = i;
    if (!reason.empty()) tooltip(ui, reason, {}, true);
    ui.mark(std::string(name) + "/" + choice, i == selected ? "on" : "", reason.empty());
    if (i == selected) ImGui::SetItemDefaultFocus();
  }
  ImGui::EndCombo();
  return chosen;
}

std::string selected_choice(std::span<const std::string_view> choices, std::size_t selected) {
  return std::string(selected < choices.size() ? choices[selected] : std::string_view());
}

ImFont* font_of(const Ui& ui, bool strong) {
  return strong && ui.fonts.bold != nullptr ? ui.fonts.bold : ImGui::GetFont();
}

// The field is empty: a font pushed for its word would be popped in the window of the open list.
bool begin_word(const Ui& ui, const std::string& id) {
  const UiColors colors = ui_colors(ui.theme);
  const auto set = [](ImGuiCol which, Color color) {
    ImGui::PushStyleColor(which, ImGui::ColorConvertU32ToFloat4(to_imgui(color)));
  };
  set(ImGuiCol_FrameBg, with_alpha(colors.hovered, 0));
  set(ImGuiCol_FrameBgHovered, colors.hovered);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0F);
  const bool open = ImGui::BeginCombo(id.c_str(), "",
                                      ImGuiComboFlags_HeightLarge | ImGuiComboFlags_NoArrowButton);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  return open;
}

void draw_word(const Ui& ui, ImDrawList& draw, ImVec2 min, const std::string& word, bool strong,
               bool hot) {
  const UiColors colors = ui_colors(ui.theme);
  const Color ink = strong || hot ? colors.text : mix(colors.muted, colors.text, 0.35);
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  draw.AddText(font_of(ui, strong), ImGui::GetFontSize(),
               ImVec2(min.x + padding.x, min.y + padding.y), to_imgui(ink), word.data(),
               word.data() + word.size());
}

void draw_triangle(const Ui& ui, ImDrawList& draw, ImVec2 min, ImVec2 max, bool hot) {
  const UiColors colors = ui_colors(ui.theme);
  const float size = ui.px(kTriangle), right = max.x - ImGui::GetStyle().FramePadding.x;
  const float middle = std::floor((min.y + max.y) / 2 + ui.px(1));
  draw.AddTriangleFilled(
      ImVec2(right - size, middle - size * 0.28F), ImVec2(right, middle - size * 0.28F),
      ImVec2(right - size / 2, middle + size * 0.36F), to_imgui(hot ? colors.text : colors.muted));
}

}  // namespace

std::optional<std::size_t> combo(Ui& ui, std::string_view name, std::string_view label,
                                 std::span<const std::string_view> choices, std::size_t selected,
                                 float width, std::string_view explanation) {
  if (!label.empty()) {
    control_name(ui, label);
    ImGui::SameLine();
  }
  const std::string choice = selected_choice(choices, selected);
  const std::string shown(ui.say(Wording::Label, choice));
  ImGui::SetNextItemWidth(field_width(ui, width));
  const std::string id = "##" + std::string(name);
  std::optional<std::size_t> chosen;
  if (ImGui::BeginCombo(id.c_str(), shown.c_str(), ImGuiComboFlags_HeightLarge)) {
    chosen = opened_list(ui, name, choices, selected);
  }
  ui.mark(name, choice);
  tooltip(ui, explanation);
  return chosen;
}

namespace {

float width_of_word(const Ui& ui, std::string_view word, bool strong) {
  const ImFont* font = font_of(ui, strong);
  const ImVec2 text = font->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0.0F, word.data(),
                                          word.data() + word.size());
  return std::ceil(text.x) + ui.px(kTriangleGap + kTriangle) + 2 * ImGui::GetStyle().FramePadding.x;
}

}  // namespace

float word_menu_width(Ui& ui, std::string_view choice, bool strong) {
  return width_of_word(ui, ui.say(Wording::Label, choice), strong);
}

std::optional<std::size_t> word_menu(Ui& ui, std::string_view name,
                                     std::span<const std::string_view> choices,
                                     std::size_t selected, bool strong,
                                     const ReasonAgainst& reason_against,
                                     std::string_view explanation) {
  const std::string choice = selected_choice(choices, selected);
  const std::string shown(ui.say(Wording::Label, choice));
  const float width = width_of_word(ui, shown, strong);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max(min.x + width, min.y + ImGui::GetFrameHeight());
  const bool hot = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::SetNextItemWidth(width);
  std::optional<std::size_t> chosen;
  if (begin_word(ui, "##" + std::string(name))) {
    chosen = opened_list(ui, name, choices, selected, reason_against);
  }
  ui.mark(name, choice);
  tooltip(ui, explanation);
  draw_word(ui, draw, min, shown, strong, hot);
  draw_triangle(ui, draw, min, max, hot);
  return chosen;
}

}  // namespace attn::gui
