// Draws a bar with its label and number in a row of the inspector.
#include "gui/panels/controls/bars.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "figure/lettering.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

void draw_bar(Ui& ui, const BarRow& row, ImVec2 min, ImVec2 max) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float fraction = std::clamp(row.value / row.extent, -1.0F, 1.0F);
  const float width = max.x - min.x;
  const float zero = row.diverging ? min.x + width / 2 : min.x;
  const float room = row.diverging ? width / 2 : width;
  const float end = zero + fraction * room;
  const Color track = with_alpha(ui.colors().muted, 30);
  draw.AddRectFilled(min, max, to_imgui(track), ui.px(2));
  draw.AddRectFilled(ImVec2(std::min(zero, end), min.y), ImVec2(std::max(zero, end), max.y),
                     to_imgui(row.color), ui.px(2));
  if (row.diverging) {
    draw.AddLine(ImVec2(zero, min.y), ImVec2(zero, max.y), to_imgui(ui.colors().muted));
  }
}

// Pixels that are left of `room` in front of them.
float draw_factors(Ui& ui, const BarRow& row, ImVec2 right, float room) {
  if (row.factors.empty()) return room;
  const char* begin = row.factors.data();
  const char* end = begin + row.factors.size();
  const float width = ImGui::CalcTextSize(begin, end).x;
  const ImVec2 at(right.x - width, right.y + ui.px(0.5F));
  ImGui::GetWindowDrawList()->AddText(at, to_imgui(ui.colors().muted), begin, end);
  return std::max(room - width - ui.px(6), 1.0F);
}

// Ends at `right`, and is cut where there is less than `room`.
void draw_label(Ui& ui, const BarRow& row, ImVec2 right, float room, float height) {
  const Color ink = ui.colors().ink;
  const char* begin = row.label.data();
  const char* end = begin + row.label.size();
  const float own_width = row.label_is_numbers ? ImGui::CalcTextSize(begin, end).x : room + 1;
  if (own_width <= room) {
    const ImVec2 at(right.x - own_width, right.y + ui.px(0.5F));
    return ImGui::GetWindowDrawList()->AddText(at, to_imgui(ink), begin, end);
  }
  const std::string label = fitted_token(ui, row.label, room);
  const float width = ui.labels.line_size(label, FontStyle{kTextSize}, ui.scale).x;
  draw_in_row(ui, label, ImVec2(right.x - std::min(width, room), right.y), height, ink);
}

}  // namespace

void bar_row(Ui& ui, const BarRow& row) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, ui.px(120));
  const float height = ImGui::GetTextLineHeight() + ui.px(1);
  const float label_px = std::min(width * row.label_share, ui.px(row.label_share * 350));
  const float number_px = ui.px(62);
  const FigureTheme& colors = ui.colors();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (row.marked) {
    draw.AddRectFilled(ImVec2(at.x - ui.px(3), at.y), ImVec2(at.x + width, at.y + height),
                       to_imgui(with_alpha(colors.accent, 45)), ui.px(3));
  }
  const ImVec2 label_end(at.x + label_px - ui.px(8), at.y);
  const float room = draw_factors(ui, row, label_end, label_px - ui.px(8));
  draw_label(ui, row, ImVec2(at.x + room, at.y), room, height);
  draw_bar(ui, row, ImVec2(at.x + label_px, at.y + ui.px(6)),
           ImVec2(at.x + width - number_px, at.y + height - ui.px(6)));
  const std::string number = with_minus(short_text(static_cast<double>(row.value)));
  const float text_width = ImGui::CalcTextSize(number.c_str()).x;
  draw.AddText(ImVec2(at.x + width - text_width, at.y + ui.px(0.5F)), to_imgui(colors.ink),
               number.c_str());
  ImGui::Dummy(ImVec2(width, height));
  if (!row.factors.empty() && !row.label_is_numbers) text_tooltip(ui, row.label);
}

}  // namespace attn::gui
