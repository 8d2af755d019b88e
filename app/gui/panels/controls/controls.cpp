// Controls shared by panels: wrapped text in any script, arrows, flowing items, lists.
#include "gui/panels/controls/controls.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "figure/text.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

std::string numbered_label(const char* noun, std::uint64_t number) {
  return std::string(noun) + " " + std::to_string(number);
}

std::vector<std::string> lines_of(const Ui& ui, std::string_view text, const FontStyle& font,
                                  float width_px) {
  constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);
  const float width = std::max(width_px, ui.px(40)) / ui.scale;
  return wrapped(pango_metrics(), text, font, static_cast<double>(width), kAnyNumber);
}

// Size of a line without item spacing.
ImVec2 line_box(Ui& ui, std::string_view line, const FontStyle& font) {
  const ImVec2 size = ui.line_size(line, font);
  return ImVec2(size.x, std::max(size.y - ui.px(3), 1.0F));
}

}  // namespace

float problem_height(std::string_view text) {
  if (text.empty()) return 0.0F;
  const float width = ImGui::GetContentRegionAvail().x;
  return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width).y +
         ImGui::GetStyle().ItemSpacing.y;
}

void rich_text(Ui& ui, std::string_view text, double size, Color color, float width_px) {
  const FontStyle font{size, false, false, true};
  const float width = width_px > 0.0F ? width_px : ImGui::GetContentRegionAvail().x;
  ImGui::BeginGroup();
  for (const std::string& line : lines_of(ui, text, font, width)) {
    ui.draw_line(line, ImGui::GetCursorScreenPos(), font, color);
    ImGui::Dummy(line_box(ui, line, font));
  }
  ImGui::EndGroup();
}

float rich_text_height(Ui& ui, std::string_view text, double size, float width_px) {
  const FontStyle font{size, false, false, true};
  float height = 0.0F;
  for (const std::string& line : lines_of(ui, text, font, width_px)) {
    if (height > 0.0F) height += ImGui::GetStyle().ItemSpacing.y;
    height += line_box(ui, line, font).y;
  }
  return height;
}

std::string fitted_token(const Ui& ui, std::string_view token, float width_px) {
  return cut_in_middle(pango_metrics(), visible_token(token), FontStyle{kTextSize},
                       static_cast<double>(width_px / ui.scale));
}

void draw_in_row(Ui& ui, std::string_view text, ImVec2 at, float height_px, Color color,
                 bool formula) {
  const FontStyle font{kTextSize, false, false, formula};
  const float line_height = ui.line_size(text, FontStyle{kTextSize}).y;
  ui.draw_line(text, ImVec2(at.x, at.y + (height_px - line_height) / 2), font, color);
}

void fill_bar(const Ui& ui, ImVec2 at, float length, float height, Color color) {
  if (length == 0.0F || std::isnan(length)) return;
  const float width = std::max(std::abs(length), ui.line_px(1.0F));
  const float left = length < 0.0F ? at.x - width : at.x;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(left, at.y), ImVec2(left + width, at.y + height),
                                            to_imgui(color), ui.px(2));
}

void draw_cell(Ui& ui, const PlacedItem& item, const PlacedCell& cell, ImVec2 at,
               const DrawLink& link) {
  const UiColors& colors = ui.colors();
  const float height = ui.px(static_cast<float>(item.line_height));
  for (const PlacedLine& line : cell.lines) {
    for (const PlacedRun& run : line) {
      const bool leads = run.style == RunStyle::Link && !anchor_in(run.target).empty() && link;
      const Color color = leads                         ? colors.accent
                          : run.style == RunStyle::Code ? mix(colors.text, colors.accent, 0.35)
                                                        : colors.text;
      const ImVec2 place(at.x + ui.px(static_cast<float>(cell.x + run.x)), at.y);
      const float own = ui.line_size(run.text, run.font).y;
      ui.draw_line(run.text, ImVec2(place.x, place.y + (height - own) / 2), run.font, color);
      if (leads) link(run, place);
    }
    at.y += height;
  }
}

void draw_bullet(Ui& ui, const PlacedItem& item, ImVec2 at) {
  if (item.kind != BlockKind::ListItem) return;
  const float words = ui.px(static_cast<float>(item.line_height));
  ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(at.x + ui.px(7), at.y + words / 2), ui.px(2),
                                              to_imgui(ui.colors().muted));
}

float dragged_edge(Ui& ui, const std::string& name, ImVec2 size, bool beside, float line_at,
                   std::string_view help, std::string_view value) {
  const auto [pressed, hovered, min, max] = drawn_button(ui, name, size, value);
  tooltip(ui, help);
  const bool active = ImGui::IsItemActive();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float line = std::max(1.0F, std::floor(ui.px(1)));
  ImVec2 a = min, b = max;
  float &begin = beside ? a.x : a.y, &end = beside ? b.x : b.y;
  begin = std::floor(begin + (end - begin - line) * line_at);
  end = begin + line;
  draw.AddRectFilled(a, b, to_imgui(ui.colors().border));
  if (active || hovered) {
    draw.AddRectFilled(min, max, to_imgui(with_alpha(ui.colors().accent, active ? 200 : 110)));
    ImGui::SetMouseCursor(beside ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  }
  if (!active) return 0.0F;
  return beside ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
}

bool arrow_button(Ui& ui, ImGuiDir direction, std::string_view name, bool enabled,
                  std::string_view help) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::ArrowButton(std::string(name).c_str(), direction);
  ImGui::EndDisabled();
  ui.mark(name, {}, enabled);
  tooltip(ui, help);
  return pressed;
}

int match_arrows(Ui& ui, const std::string& name, bool enabled, const std::string& next_key) {
  ImGui::SameLine();
  const bool back = arrow_button(ui, ImGuiDir_Up, name + "/previous", enabled,
                                 "Previous match (Shift+" + next_key + ")");
  ImGui::SameLine();
  const bool on =
      arrow_button(ui, ImGuiDir_Down, name + "/next", enabled, "Next match (" + next_key + ")");
  return on ? 1 : back ? -1 : 0;
}

TextInputResult line_field(Ui& ui, std::string_view name, std::string& text, const char* hint,
                           std::string_view help, float width_px, TextSelection select,
                           const ScalarDrag* drag) {
  ImGui::SetNextItemWidth(width_px);
  const std::string shown(ui.text(Wording::Explanation, hint == nullptr ? "" : hint));
  const TextInputResult result =
      text_input(ui, ("##" + std::string(name)).c_str(), text, shown.c_str(), select, drag);
  ui.mark(name, text);
  tooltip(ui, help);
  return result;
}

bool button_beside(Ui& ui, std::string_view name, std::string_view label, std::string_view help,
                   float padding_px) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(padding_px, 0));
  const float left = ImGui::GetWindowContentRegionMax().x - button_width(ui, label);
  const bool fits = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x <= left;
  fits ? ImGui::SameLine(left) : ImGui::SetCursorPosX(left);
  const bool pressed = button(ui, name, label, {.kind = ButtonKind::Quiet, .tooltip = help});
  ImGui::PopStyleVar();
  return pressed;
}

float button_width(Ui& ui, std::string_view label) {
  return text_size(ui.text(Wording::Label, label)).x + 2 * ImGui::GetStyle().FramePadding.x;
}

float Flow::space() const {
  if (first) return ImGui::GetContentRegionAvail().x;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  return right - ImGui::GetItemRectMax().x - ImGui::GetStyle().ItemSpacing.x;
}

void Flow::next(float width_px) {
  if (!std::exchange(first, false) && width_px <= space()) ImGui::SameLine();
}

float numbered_choice_width(Ui& ui, const char* noun, const AttentionShape& layers) {
  const std::string widest = numbered_label(noun, layer_number(layers, layers.layers - 1) + 1);
  return text_size(ui.text(Wording::Label, widest)).x + ImGui::GetFrameHeight() +
         3 * ImGui::GetStyle().FramePadding.x;
}

std::optional<std::size_t> numbered_choice(Ui& ui, std::string_view name, const char* noun,
                                           const AttentionShape& layers, std::size_t current) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < layers.layers; ++i) {
    labels.push_back(numbered_label(noun, layer_number(layers, i)));
  }
  const std::vector<std::string_view> views(labels.begin(), labels.end());
  return combo(ui, name, views, current, numbered_choice_width(ui, noun, layers) / ui.scale,
               std::string("Shows another ") + static_cast<char>(noun[0] - 'A' + 'a') + (noun + 1));
}

}  // namespace attn::gui
