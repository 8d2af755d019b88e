// Editing of spreadsheet cells by typing and by dragging.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/grid/grid_layout.h"
#include "gui/ui/style.h"
#include "gui/ui/text_input.h"
#include "gui/ui/widgets.h"
#include "numbers/read_numbers.h"

namespace attn::gui {
namespace {

constexpr float kCellDragThreshold = 3.0F;  // units
constexpr double kSpeed = 0.01;             // of the magnitude, per unit of movement
constexpr float kCellFieldWidth = 110.0F;   // units; fits a full float
constexpr float kProblemWidth = 260.0F;     // units
constexpr float kNameFieldWidth = 140.0F;   // units

// Drawn in the foreground, so that nothing covers the problem.
void show_problem(Ui& ui, const char* id, ImVec2 below, const std::string& problem) {
  const UiColors colors = ui_colors(ui.theme);
  const ImVec2 pad(ui.px(9), ui.px(6));
  const float wrap = ui.px(kProblemWidth);
  const ImVec2 text = ImGui::CalcTextSize(problem.c_str(), nullptr, false, wrap);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImVec2 min(below.x, below.y + ui.px(4));
  min.x = std::max(0.0F, std::min(min.x, screen.x - text.x - 2 * pad.x));
  min.y = std::max(0.0F, std::min(min.y, screen.y - text.y - 2 * pad.y));
  const ImVec2 max(min.x + text.x + 2 * pad.x, min.y + text.y + 2 * pad.y);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(min, max, to_imgui(mix(colors.panel, colors.error, 0.16)), ui.px(5));
  list.AddRect(min, max, to_imgui(colors.error), ui.px(5), 0, std::max(1.0F, ui.px(1)));
  list.AddText(nullptr, 0.0F, ImVec2(min.x + pad.x, min.y + pad.y), to_imgui(colors.text),
               problem.c_str(), nullptr, wrap);
  ui.mark_rect(std::string(id) + "/problem", min, max, problem);
}

// A field inside of the grid, as wide as `place`.
TextInputResult framed_field(Ui& ui, const char* label, const GridLayout& layout,
                             const ImRect& place, Color edge, std::string& text,
                             TextSelection selection, const char* hint) {
  const UiColors colors = ui_colors(ui.theme);
  const float width = place.GetWidth();
  const float pad_y = (place.GetHeight() - ImGui::GetFontSize()) / 2;
  ImGui::SetCursorScreenPos(
      ImVec2(std::max(layout.min.x, std::min(place.Min.x, layout.max.x - width)), place.Min.y));
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(7), pad_y));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0F, std::round(ui.px(2))));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, ui.px(3));
  ImGui::PushStyleColor(ImGuiCol_Border, ImGui::ColorConvertU32ToFloat4(to_imgui(edge)));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ImGui::ColorConvertU32ToFloat4(to_imgui(colors.field)));
  const TextInputResult input = text_input(ui, label, text, hint, selection);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(3);
  return input;
}

TextInputResult show_field(Ui& ui, const char* id, const GridLayout& layout,
                           GridInteraction& interaction) {
  const UiColors colors = ui_colors(ui.theme);
  const ImVec2 min = layout.cell_min(interaction.edit_row, interaction.edit_col);
  const ImVec2 max = layout.cell_max(interaction.edit_row, interaction.edit_col);
  const bool refused = !interaction.problem.empty();
  if (interaction.focus_text) ImGui::SetKeyboardFocusHere();
  const ImRect place(min, ImVec2(std::max(max.x, min.x + ui.px(kCellFieldWidth)), max.y));
  const TextInputResult input = framed_field(
      ui, "##edit", layout, place, refused ? colors.error : colors.accent, interaction.text,
      interaction.select_all ? TextSelection::All : TextSelection::End, "");
  ui.mark(std::string(id) + "/edit", interaction.text);
  interaction.field_min = ImGui::GetItemRectMin();
  interaction.field_max = ImGui::GetItemRectMax();
  if (refused) show_problem(ui, id, ImVec2(interaction.field_min.x, max.y), interaction.problem);
  return input;
}

bool is_confirmed() { return key_pressed(keys::kEnter) || key_pressed(keys::kKeypadEnter); }

std::size_t row_after(std::size_t row, bool back, std::size_t rows) {
  if (back) return row - std::min<std::size_t>(row, 1);
  return std::min(row + 1, rows - 1);
}

// Scale of a cell's drag: its magnitude, or the mean of its row if that is larger.
double drag_magnitude(const GridView& view, std::size_t row, float start) {
  double sum = 0.0;
  for (const float value : view.matrix.row(row)) sum += std::isfinite(value) ? std::abs(value) : 0;
  const double typical = std::min(1e30, sum / static_cast<double>(view.matrix.cols));
  const double magnitude = std::max(std::abs(static_cast<double>(start)), typical);
  return magnitude > 0.0 ? magnitude : 1.0;
}

}  // namespace

void begin_edit(const GridView& view, GridInteraction& interaction, std::size_t row,
                std::size_t col, std::string text, bool select_all) {
  interaction.pressed = false;
  interaction.problem.clear();
  interaction.editing = true;
  interaction.edit_row = row;
  interaction.edit_col = col;
  interaction.original = shortest_text(view.matrix.at(row, col));
  interaction.text = std::move(text);
  interaction.focus_text = true;
  interaction.select_all = select_all;
}

bool commit_edit(GridInteraction& interaction, GridEvents& events) {
  if (interaction.text != interaction.original) {
    const Result<float> number = evaluate_number(interaction.text);
    if (!number.ok()) {
      interaction.problem = refusal_text(number.error());
      interaction.focus_text = true;
      interaction.select_all = false;
      events.refused = interaction.problem;
      return false;
    }
    events.edit = {{}, interaction.edit_row, interaction.edit_col, number.value()};
  }
  interaction.editing = false;
  interaction.problem.clear();
  return true;
}

std::optional<command::MoveCursor> entry_move(const GridView& view, GridInteraction& interaction,
                                              std::size_t row, std::size_t col) {
  const bool back = ImGui::GetIO().KeyShift;
  if (key_pressed(keys::kTab)) {
    if (!interaction.run_start) interaction.run_start = col;
    const std::size_t count = view.matrix.rows * view.matrix.cols;  // row by row, and around
    const std::size_t next = (row * view.matrix.cols + col + (back ? count - 1 : 1)) % count;
    return command::MoveCursor{next / view.matrix.cols, next % view.matrix.cols, false};
  }
  if (!is_confirmed()) return std::nullopt;
  const std::size_t start = std::min(interaction.run_start.value_or(col), view.matrix.cols - 1);
  interaction.run_start.reset();
  return command::MoveCursor{row_after(row, back, view.matrix.rows), start, false};
}

void run_edit(Ui& ui, const char* id, const GridView& view, const GridLayout& layout,
              GridInteraction& interaction, GridEvents& events) {
  const bool waiting = interaction.focus_text;
  if (waiting) interaction.text += take_typed_text();
  const bool ends = is_confirmed() || key_pressed(keys::kTab) || key_pressed(keys::kUp) ||
                    key_pressed(keys::kDown);
  const TextInputResult input = show_field(ui, id, layout, interaction);
  if (input.active) interaction.focus_text = false;
  if (waiting) ui.redraw_within(0.0);
  if (input.changed) interaction.problem.clear();
  if (input.cancelled || key_pressed(keys::kEscape, false)) {
    interaction.editing = false;
    interaction.problem.clear();
    return;
  }
  const std::size_t row = interaction.edit_row, col = interaction.edit_col;
  if (ends) {
    if (!commit_edit(interaction, events)) return;
    events.move = entry_move(view, interaction, row, col);
    if (events.move) return;
    interaction.run_start.reset();
    events.move = {row_after(row, key_pressed(keys::kUp), view.matrix.rows), col, false};
  } else if (input.left && !waiting && !commit_edit(interaction, events)) {
    // The field lost the keyboard: an open field without it would go unnoticed.
    interaction.editing = false;
  }
}

void begin_naming(GridInteraction& interaction, std::size_t col, std::string name) {
  interaction.naming = col;
  interaction.name_before = name;
  interaction.name = std::move(name);
  interaction.focus_name = true;
}

void run_naming(Ui& ui, const char* id, const GridView& view, const GridLayout& layout,
                GridInteraction& interaction, GridEvents& events) {
  const std::size_t col = *interaction.naming;
  const bool waiting = interaction.focus_name;
  if (waiting) ImGui::SetKeyboardFocusHere();
  const bool goes_on = !waiting && key_pressed(keys::kTab);
  const float left = layout.cell_min(0, col).x;
  const ImRect place(left, layout.min.y, left + std::max(layout.cell_width, ui.px(kNameFieldWidth)),
                     layout.cells_min().y);
  const TextInputResult input =
      framed_field(ui, "##name", layout, place, ui_colors(ui.theme).accent, interaction.name,
                   TextSelection::All, "Name");
  ui.mark(std::string(id) + "/name", interaction.name);
  interaction.field_min = ImGui::GetItemRectMin();
  interaction.field_max = ImGui::GetItemRectMax();
  if (input.active) interaction.focus_name = false;
  if (waiting) ui.redraw_within(0.0);
  const bool cancelled = input.cancelled || key_pressed(keys::kEscape, false);
  const bool ends = goes_on || input.entered || is_confirmed() || (input.left && !waiting);
  if (!cancelled && !ends) return;
  interaction.naming.reset();
  if (cancelled) return;
  if (interaction.name != interaction.name_before) events.named = col;
  if (!goes_on) return;
  const std::size_t count = layout.cols;
  const std::size_t next = (col + (ImGui::GetIO().KeyShift ? count - 1 : 1)) % count;
  events.asks_name = next;
  events.move = {std::min(view.row, layout.rows - 1), next, false};
}

void run_value_drag(Ui& ui, const GridView& view, GridInteraction& interaction,
                    GridEvents& events) {
  const ImGuiIO& io = ImGui::GetIO();
  const float threshold = ui.px(kCellDragThreshold);
  if (io.MouseDragMaxDistanceSqr[0] < threshold * threshold) return;
  const std::size_t row = interaction.edit_row, col = interaction.edit_col;
  const float now = view.matrix.at(row, col);
  if (interaction.gesture == 0) {
    interaction.gesture = ui.new_gesture();
    interaction.drag_start = now;
    interaction.drag_value = std::isfinite(now) ? now : 0.0F;
    interaction.drag_magnitude = drag_magnitude(view, row, now);
  }
  if (key_pressed(keys::kEscape, false)) {
    events.edit = {{}, row, col, interaction.drag_start, interaction.gesture};
    interaction.pressed = false;
    return;
  }
  double speed = kSpeed * interaction.drag_magnitude;
  if (io.KeyShift) speed /= 10.0;
  if (io.KeyCtrl || io.KeyAlt) speed *= 10.0;
  interaction.drag_value += static_cast<double>(io.MouseDelta.x / ui.scale) * speed;
  // Rounds to decimal steps, so that dragging gives short numbers.
  const double step = std::pow(10.0, std::floor(std::log10(speed)));
  const auto value = static_cast<float>(std::round(interaction.drag_value / step) * step);
  if (value != now && std::isfinite(value))
    events.edit = {{}, row, col, value, interaction.gesture};
}

}  // namespace attn::gui
