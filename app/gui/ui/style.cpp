// Colours and measures of the interface.
#include "gui/ui/style.h"

#include <cmath>
#include <vector>

namespace attn::gui {
namespace {

// Sets only measures that the interface uses: it has no sliders, tab bars, title bars or resizable
// windows.
void set_measures(ImGuiStyle& style) {
  style.WindowPadding = ImVec2(12, 8);
  style.FramePadding = ImVec2(8, 4);
  style.CellPadding = ImVec2(6, 4);
  style.ItemSpacing = ImVec2(7, 5);
  style.ItemInnerSpacing = ImVec2(6, 4);
  style.ScrollbarSize = 12;
  style.GrabMinSize = 12;
  style.WindowRounding = 6;
  style.ChildRounding = 6;
  style.FrameRounding = 5;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 6;
  style.WindowBorderSize = 1;
  style.ChildBorderSize = 1;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.DisabledAlpha = 0.45F;
}

ImVec4 shade(Color c, float opacity = 1.0F) {
  ImVec4 color = ImGui::ColorConvertU32ToFloat4(IM_COL32(c.r, c.g, c.b, c.a));
  color.w *= opacity;
  return color;
}

void set_surfaces(ImVec4* colors, const UiColors& ui) {
  colors[ImGuiCol_Text] = shade(ui.text);
  colors[ImGuiCol_TextDisabled] = shade(ui.muted);
  colors[ImGuiCol_WindowBg] = shade(ui.panel);
  colors[ImGuiCol_PopupBg] = shade(mix(ui.panel, ui.field, 0.35));
  colors[ImGuiCol_Border] = shade(ui.edge);
  colors[ImGuiCol_MenuBarBg] = shade(ui.panel);
  colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  colors[ImGuiCol_ScrollbarGrab] = shade(ui.edge);
  colors[ImGuiCol_ScrollbarGrabHovered] = shade(mix(ui.edge, ui.muted, 0.5));
  colors[ImGuiCol_ScrollbarGrabActive] = shade(ui.muted);
  colors[ImGuiCol_Separator] = shade(ui.border);
  colors[ImGuiCol_TableRowBgAlt] = shade(ui.raised, 0.35F);
  colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.45F);
}

void set_controls(ImVec4* colors, const UiColors& ui) {
  colors[ImGuiCol_FrameBg] = shade(ui.field);
  colors[ImGuiCol_FrameBgHovered] = shade(mix(ui.field, ui.hovered, 0.5));
  colors[ImGuiCol_FrameBgActive] = shade(mix(ui.field, ui.hovered, 0.8));
  colors[ImGuiCol_Button] = shade(ui.raised);
  colors[ImGuiCol_ButtonHovered] = shade(ui.hovered);
  colors[ImGuiCol_ButtonActive] = shade(ui.pressed);
  colors[ImGuiCol_Header] = shade(ui.accent, 0.20F);
  colors[ImGuiCol_HeaderHovered] = shade(ui.hovered);
  colors[ImGuiCol_HeaderActive] = shade(ui.accent, 0.35F);
  colors[ImGuiCol_PlotHistogram] = shade(ui.accent);  // progress
  colors[ImGuiCol_TextSelectedBg] = shade(ui.accent, 0.35F);
  colors[ImGuiCol_NavHighlight] = ImVec4(0, 0, 0, 0);  // FocusOrder draws the frame
}

UiColors derived_colors(const ThemeInfo& theme) {
  const FigureTheme& figure = theme.colors;
  const bool dark = theme.is_dark, strong = theme.kind == ThemeKind::Contrast;
  UiColors ui;
  static_cast<FigureTheme&>(ui) = figure;
  ui.window = figure.background;
  ui.field = dark ? mix(figure.background, Color{0, 0, 0, 255}, 0.15) : Color{255, 255, 255, 255};
  ui.raised = mix(figure.panel, figure.ink, dark ? 0.08 : 0.06);
  ui.hovered = mix(figure.panel, figure.ink, dark ? 0.16 : 0.12);
  ui.pressed = mix(figure.panel, figure.ink, dark ? 0.24 : 0.20);
  ui.border = mix(figure.panel, figure.ink, strong ? 0.55 : dark ? 0.13 : 0.14);
  ui.edge = mix(figure.panel, figure.ink, strong ? 0.65 : dark ? 0.47 : 0.55);
  ui.text = figure.ink;
  ui.accent_ink = readable_on(figure.accent);
  ui.positive = dark ? Color{186, 132, 34, 255} : Color{196, 138, 40, 255};
  ui.negative = dark ? Color{24, 142, 132, 255} : Color{32, 150, 138, 255};
  ui.warning = dark ? Color{235, 190, 80, 255} : Color{136, 88, 0, 255};
  ui.error = dark ? Color{255, 122, 112, 255} : Color{190, 36, 36, 255};
  return ui;
}

}  // namespace

const UiColors& ui_colors(ThemeKind theme) {
  static const std::vector<UiColors> kAll = [] {
    std::vector<UiColors> all;
    for (const ThemeInfo& info : all_themes()) all.push_back(derived_colors(info));
    return all;
  }();
  return kAll[static_cast<std::size_t>(theme)];
}

// Contrast with the text grows under the pointer.
ButtonBackground primary_background(const UiColors& colors) {
  const bool dark_ink = colors.accent_ink.r == 0;
  const Color away = dark_ink ? Color{255, 255, 255, 255} : Color{0, 0, 0, 255};
  return {colors.accent, mix(colors.accent, away, 0.12), mix(colors.accent, away, 0.24)};
}

ButtonBackground on_background(const UiColors& colors, bool quiet) {
  const Color rest = mix(colors.panel, colors.accent, quiet ? 0.15 : 0.28);
  return {rest, mix(rest, colors.accent, 0.12), mix(rest, colors.accent, 0.22)};
}

Color number_tint(const UiColors& colors, Color background, float value) {
  if (!std::isfinite(value) || value == 0.0F) return background;
  const double magnitude = std::abs(static_cast<double>(value));
  const double strength = 0.72 * std::sqrt(magnitude / (magnitude + 1.0));
  return mix(background, value > 0.0F ? colors.positive : colors.negative, strength);
}

void apply_style(ThemeKind theme, float scale) {
  ImGuiStyle style;
  const UiColors& ui = ui_colors(theme);
  set_measures(style);
  set_surfaces(style.Colors, ui);
  set_controls(style.Colors, ui);
  style.ScaleAllSizes(scale);
  style.WindowBorderSize = style.ChildBorderSize = style.PopupBorderSize =
      std::fmax(1.0F, std::floor(scale));
  style.FrameBorderSize = style.WindowBorderSize;
  ImGui::GetStyle() = style;
}

}  // namespace attn::gui
