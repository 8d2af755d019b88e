// Spreadsheet: moves the cursor by mouse and keyboard, edits cells by typing and dragging, and
// reports user actions.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/grid/grid.h"
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

struct Grid {
  Ui& ui;
  const char* id;
  const GridView& view;
  const GridLayout& layout;
  GridInteraction& interaction;
  GridEvents events;

  void read_mouse() {
    const GridPlace place = place_at(layout, ImGui::GetIO().MousePos);
    const bool pointed_at = is_pointed_at();
    const bool on_cell = pointed_at && place.part == GridPart::Cell;
    // Two quick drags on one cell are not a double-click.
    const bool double_click =
        on_cell && interaction.gesture == 0 && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    const bool on_header = pointed_at && place.part == GridPart::ColumnHeader;
    if (ImGui::IsItemActivated()) press(place);
    if (pointed_at && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) press_for_menu(place);
    if (on_header && view.names_columns && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      events.asks_name = place.col;
    }
    if (double_click) {
      interaction.pressed = false;
      begin_edit(place.row, place.col, shortest_text(view.matrix.at(place.row, place.col)), true);
    } else if (ImGui::IsItemActive() && interaction.pressed) {
      run_value_drag();
    }
    if (!ImGui::IsItemActive()) interaction.pressed = false;
    if (interaction.pressed || on_cell) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (on_cell && !interaction.editing) show_full_number(place);
    if (ImGui::IsItemHovered() && !interaction.naming) show_header(place);
  }
  void press(const GridPlace& place) {
    const bool shift = ImGui::GetIO().KeyShift;
    if (interaction.editing && !commit_edit()) return;
    interaction.pressed = false;
    interaction.run_start.reset();
    interaction.gesture = 0;
    if (place.part == GridPart::Cell) {
      events.move = {place.row, place.col, shift};
      interaction.pressed = !shift;
      interaction.edit_row = place.row;
      interaction.edit_col = place.col;
    } else if (place.part != GridPart::None) {
      select_block(place);
    }
  }
  // Selects the row or column of a header, or all. The cursor ends at the pressed header, so that
  // nothing scrolls.
  void select_block(const GridPlace& place) {
    const bool of_row = place.part == GridPart::RowHeader;
    const bool of_col = place.part == GridPart::ColumnHeader;
    events.move = {of_row ? place.row : last_row(), of_col ? place.col : last_col(), false};
    events.then = {of_row ? place.row : 0, of_col ? place.col : 0, true};
  }
  // The context menu applies to the cell under the pointer, and opens on release.
  void press_for_menu(const GridPlace& place) {
    if (interaction.naming) ImGui::ClearActiveID();  // commits the name, like every press elsewhere
    if (interaction.editing && !commit_edit()) return;
    if (is_in_selection(place)) return;
    press(place);
    interaction.pressed = false;
  }
  void read_keyboard() {
    if (interaction.pressed || !ImGui::IsWindowFocused()) return;
    ui.take_plain_keys();
    if (interaction.editing || interaction.naming) return;
    if (key_pressed(keys::kEscape, false)) return ImGui::SetWindowFocus(nullptr);
    if (leaves_by_tab()) return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl && !io.KeyShift && !io.KeyAlt) read_clipboard_keys();
    events.clear =
        events.clear || key_pressed(keys::kDelete, false) || key_pressed(keys::kBackspace, false);
    if (!events.move) read_cursor_keys();
    start_typing();
  }
  // Tab behind the last cell, and Shift+Tab before the first one, lead to the next control.
  bool leaves_by_tab() {
    const bool forward = !ImGui::GetIO().KeyShift;
    const std::size_t row = forward ? last_row() : 0, col = forward ? last_col() : 0;
    const bool at_end = view.cursor.row == row && view.cursor.col == col;
    if (!at_end || events.move || !key_pressed(keys::kTab)) return false;
    interaction.run_start.reset();
    ImGui::SetWindowFocus(nullptr);
    ui.focus.leave(id, forward);
    return true;
  }
  void read_clipboard_keys() {
    if (key_pressed('C', false)) events.copy = true;
    if (key_pressed('X', false)) events.copy = events.clear = true;
    if (key_pressed('V', false)) events.paste = true;
    if (key_pressed('A', false)) select_block({GridPart::Corner});
  }
  void read_cursor_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    std::size_t row = std::min(view.cursor.row, last_row()),
                col = std::min(view.cursor.col, last_col());
    events.move = entry_move(row, col);
    if (events.move) return;
    const std::size_t page = layout.rows_per_page();
    const bool extend = io.KeyShift;
    bool moved = true;
    if (key_pressed(keys::kLeft)) {
      col = io.KeyCtrl || col == 0 ? 0 : col - 1;
    } else if (key_pressed(keys::kRight)) {
      col = io.KeyCtrl ? last_col() : std::min(col + 1, last_col());
    } else if (key_pressed(keys::kUp)) {
      row = io.KeyCtrl || row == 0 ? 0 : row - 1;
    } else if (key_pressed(keys::kDown)) {
      row = io.KeyCtrl ? last_row() : std::min(row + 1, last_row());
    } else if (key_pressed(keys::kHome)) {
      col = 0;
      if (io.KeyCtrl) row = 0;
    } else if (key_pressed(keys::kEnd)) {
      col = last_col();
      if (io.KeyCtrl) row = last_row();
    } else if (key_pressed(keys::kPageUp)) {
      row -= std::min(row, page);
    } else if (key_pressed(keys::kPageDown)) {
      row = std::min(row + page, last_row());
    } else {
      moved = false;
    }
    if (moved) interaction.run_start.reset();
    if (moved && (row != view.cursor.row || col != view.cursor.col || !extend))
      events.move = {row, col, extend};
  }
  void start_typing() {
    const std::size_t row = std::min(view.cursor.row, last_row()),
                      col = std::min(view.cursor.col, last_col());
    if (view.names_columns && is_column_selected() && key_pressed(keys::kF1 + 1, false)) {
      events.asks_name = col;
      return;
    }
    if (key_pressed(keys::kF1 + 1, false)) {
      begin_edit(row, col, shortest_text(view.matrix.at(row, col)), false);
      return;
    }
    const std::string typed = take_typed_text();
    // Any text starts an edit: the field explains why it is not a number, as for "1,5".
    if (!typed.empty()) begin_edit(row, col, typed, false);
  }
  // Scrolls until the cursor's whole cell is in view: a new window knows how far it can scroll only
  // after its first frame.
  void keep_cursor_in_view() {
    if (interaction.seen_row == view.cursor.row && interaction.seen_col == view.cursor.col) return;
    if (view.cursor.row > last_row() || view.cursor.col > last_col()) return;
    const ImVec2 min = layout.cell_min(view.cursor.row, view.cursor.col);
    const ImVec2 max = layout.cell_min(view.cursor.row + 1, view.cursor.col + 1);
    const ImVec2 shown = layout.cells_min();
    const float right = std::max(0.0F, max.x - layout.max.x);
    const float down = std::max(0.0F, max.y - layout.max.y);
    const float dx = min.x < shown.x ? min.x - shown.x : right;
    const float dy = min.y < shown.y ? min.y - shown.y : down;
    const bool fits =
        layout.cell_width <= layout.max.x - shown.x && layout.cell_height <= layout.max.y - shown.y;
    if ((dx == 0.0F && dy == 0.0F) || !fits) {
      interaction.seen_row = view.cursor.row;
      interaction.seen_col = view.cursor.col;
      // The grid itself may stand partly below the edge of its panel.
      ImGui::ScrollToRect(ImGui::GetCurrentWindow()->ParentWindow, ImRect(min, max),
                          ImGuiScrollFlags_KeepVisibleEdgeY);
    }
    if (dx == 0.0F && dy == 0.0F) return;
    ImGui::SetScrollX(ImGui::GetScrollX() + dx);
    ImGui::SetScrollY(ImGui::GetScrollY() + dy);
    ui.redraw_within(0.0);
  }
  void show_full_number(const GridPlace& place) {
    const float value = view.matrix.at(place.row, place.col);
    // 0.5 is shown as 0.50: a tooltip would add nothing.
    const Result<float> read_back = parse_number(cell_text(value));
    if (read_back.ok() && read_back.value() == value) return;
    tooltip(ui, with_replaced(shortest_text(value), "-", "−"));
  }
  // Full name, which the header may show shortened.
  void show_header(const GridPlace& place) {
    if (place.part == GridPart::RowHeader) {
      text_tooltip(ui, header_text(view.row_labels, place.row));
    } else if (place.part == GridPart::ColumnHeader) {
      const std::string text = header_text(view.column_labels, place.col);
      text_tooltip(ui, view.names_columns ? text + "  –  double-click to name it" : text);
    }
  }
  bool is_column_selected() const {
    const CellRange chosen = selection();
    return chosen.cols == 1 && chosen.rows == layout.rows && layout.rows > 1;
  }
  // True if a context menu at `place` applies to the selection; on a header, to exactly that row or
  // column.
  bool is_in_selection(const GridPlace& place) const {
    const CellRange chosen = selection();
    if (place.part == GridPart::Cell) {
      return is_among(place.row, chosen.row, chosen.rows) &&
             is_among(place.col, chosen.col, chosen.cols);
    }
    const bool rows = place.part == GridPart::RowHeader ? place.row == view.cursor.row
                                                        : chosen.rows == layout.rows;
    const bool cols = place.part == GridPart::ColumnHeader ? place.col == view.cursor.col
                                                           : chosen.cols == layout.cols;
    return place.part == GridPart::None || (rows && cols);
  }
  // False over the text field while a number or a name is typed.
  bool is_pointed_at() const {
    if (!ImGui::IsItemHovered()) return false;
    const bool typing = interaction.editing || interaction.naming;
    return !typing || !ImGui::IsMouseHoveringRect(interaction.field_min, interaction.field_max);
  }

  // Opens the text field on a cell with `text` in it.
  void begin_edit(std::size_t row, std::size_t col, std::string text, bool select_all) {
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
  // Applies the typed text as the cell's value. Returns false when it is rejected: editing
  // continues and the problem is shown at the cell.
  bool commit_edit() {
    if (interaction.text != interaction.original) {
      const Result<float> number = evaluate_number(interaction.text);
      if (!number.ok()) {
        interaction.problem = refusal_text(number.error());
        interaction.focus_text = true;
        interaction.select_all = false;
        return false;
      }
      events.edit = {{}, interaction.edit_row, interaction.edit_col, number.value()};
    }
    interaction.editing = false;
    interaction.problem.clear();
    return true;
  }
  // Cell after Enter or Tab (Shift: backwards); nothing when neither was pressed.
  std::optional<command::MoveCursor> entry_move(std::size_t row, std::size_t col) {
    const bool back = ImGui::GetIO().KeyShift;
    if (key_pressed(keys::kTab)) {
      if (!interaction.run_start) interaction.run_start = col;
      const std::size_t count = view.matrix.rows * view.matrix.cols;  // row by row, and around
      const std::size_t next = (row * view.matrix.cols + col + (back ? count - 1 : 1)) % count;
      return command::MoveCursor{next / view.matrix.cols, next % view.matrix.cols, false};
    }
    if (!enter_pressed(true)) return std::nullopt;
    const std::size_t start = std::min(interaction.run_start.value_or(col), view.matrix.cols - 1);
    interaction.run_start.reset();
    return command::MoveCursor{row_after(row, back, view.matrix.rows), start, false};
  }
  // Text field over its cell; Enter, Tab, Up, Down, Esc and losing the focus end the edit.
  void run_edit() {
    const bool waiting = interaction.focus_text;
    if (waiting) interaction.text += take_typed_text();
    const bool ends = enter_pressed(true) || key_pressed(keys::kTab) || key_pressed(keys::kUp) ||
                      key_pressed(keys::kDown);
    const TextInputResult input = show_field();
    if (input.changed) interaction.problem.clear();
    if (input.cancelled) {
      interaction.editing = false;
      interaction.problem.clear();
      return;
    }
    const std::size_t row = interaction.edit_row, col = interaction.edit_col;
    if (ends) {
      if (!commit_edit()) return;
      events.move = entry_move(row, col);
      if (events.move) return;
      interaction.run_start.reset();
      events.move = {row_after(row, key_pressed(keys::kUp), view.matrix.rows), col, false};
    } else if (input.left && !waiting && !commit_edit()) {
      // The field lost the keyboard: an open field without it would go unnoticed.
      interaction.editing = false;
    }
  }
  // Name field over the header of its column; Enter, Tab, Esc and losing the focus end it.
  void run_naming() {
    const std::size_t col = *interaction.naming;
    const bool waiting = interaction.focus_text;
    const bool goes_on = !waiting && key_pressed(keys::kTab);
    const float left = layout.cell_min(0, col).x;
    const ImRect place(left, layout.min.y,
                       left + std::max(layout.cell_width, ui.px(kNameFieldWidth)),
                       layout.cells_min().y);
    const TextInputResult input = framed_field("name", place, ui.colors().accent, "Name");
    const bool ends = goes_on || input.entered || enter_pressed(true) || (input.left && !waiting);
    if (!input.cancelled && !ends) return;
    interaction.naming.reset();
    if (input.cancelled) return;
    if (interaction.text != interaction.original) events.named = col;
    if (!goes_on) return;
    const std::size_t count = layout.cols;
    const std::size_t next = (col + (ImGui::GetIO().KeyShift ? count - 1 : 1)) % count;
    events.asks_name = next;
    events.move = {std::min(view.cursor.row, layout.rows - 1), next, false};
  }
  // Changes the value by the pointer's movement while the button is held on a cell.
  void run_value_drag() {
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
  TextInputResult show_field() {
    const ImVec2 min = layout.cell_min(interaction.edit_row, interaction.edit_col);
    const ImVec2 max = layout.cell_min(interaction.edit_row + 1, interaction.edit_col + 1);
    const bool refused = !interaction.problem.empty();
    const ImRect place(min, ImVec2(std::max(max.x, min.x + ui.px(kCellFieldWidth)), max.y));
    const TextInputResult input =
        framed_field("edit", place, refused ? ui.colors().error : ui.colors().accent, "");
    if (refused) show_problem(ImVec2(interaction.field_min.x, max.y));
    return input;
  }
  // The field inside of the grid, as wide as `place`, with probe name "ID/NAME".
  TextInputResult framed_field(const std::string& name, const ImRect& place, Color edge,
                               const char* hint) {
    const TextSelection selection =
        interaction.select_all ? TextSelection::All : TextSelection::End;
    const float width = place.GetWidth();
    const float pad_y = (place.GetHeight() - ImGui::GetFontSize()) / 2;
    ImGui::SetCursorScreenPos(
        ImVec2(std::max(layout.min.x, std::min(place.Min.x, layout.max.x - width)), place.Min.y));
    ImGui::SetNextItemWidth(width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(7), pad_y));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0F, std::round(ui.px(2))));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, ui.px(3));
    ImGui::PushStyleColor(ImGuiCol_Border, to_vec(edge));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, to_vec(ui.colors().field));
    if (interaction.focus_text) {
      ImGui::SetKeyboardFocusHere();
      ui.redraw_within(0.0);
    }
    TextInputResult input =
        text_input(ui, ("##" + name).c_str(), interaction.text, hint, selection);
    if (input.active) interaction.focus_text = false;
    input.cancelled = input.cancelled || key_pressed(keys::kEscape, false);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(3);
    ui.mark(std::string(id) + "/" + name, interaction.text);
    interaction.field_min = ImGui::GetItemRectMin();
    interaction.field_max = ImGui::GetItemRectMax();
    return input;
  }
  // Drawn in the foreground, so that nothing covers the problem.
  void show_problem(ImVec2 below) {
    const std::string& problem = interaction.problem;
    const UiColors& colors = ui.colors();
    const ImVec2 pad = ui.px(9, 6);
    const float wrap = ui.px(kProblemWidth);
    const ImVec2 text = ImGui::CalcTextSize(problem.c_str(), nullptr, false, wrap);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImVec2 min(below.x, below.y + ui.px(4));
    min.x = std::max(0.0F, std::min(min.x, screen.x - text.x - 2 * pad.x));
    min.y = std::max(0.0F, std::min(min.y, screen.y - text.y - 2 * pad.y));
    const ImVec2 max(min.x + text.x + 2 * pad.x, min.y + text.y + 2 * pad.y);
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled(min, max, to_imgui(mix(colors.panel, colors.error, 0.16)), ui.px(5));
    list.AddRect(min, max, to_imgui(colors.error), ui.px(5), 0, ui.line_px(1));
    list.AddText(nullptr, 0.0F, min + pad, to_imgui(colors.text), problem.c_str(), nullptr, wrap);
    ui.mark_rect(std::string(id) + "/problem", min, max, problem);
  }

  CellRange selection() const { return selection_of(view.cursor, layout.rows, layout.cols); }
  std::size_t last_row() const { return layout.rows - 1; }
  std::size_t last_col() const { return layout.cols - 1; }
};

}  // namespace

void begin_naming(GridInteraction& interaction, std::size_t col, std::string name) {
  interaction.naming = col;
  interaction.editing = false;
  interaction.original = name;
  interaction.text = std::move(name);
  interaction.focus_text = interaction.select_all = true;
}

GridEvents matrix_grid(Ui& ui, const char* id, const GridView& view, GridInteraction& interaction,
                       ImVec2 size_px) {
  const float width_before = interaction.measures.cell_width;
  GridLayout layout = measure_grid(ui, view, interaction.measures);
  // Wider columns may push the renamed one out of view.
  if (interaction.measures.cell_width != width_before) interaction.seen_row = layout.rows;
  const ImVec2 content(layout.header_width + layout.cell_width * static_cast<float>(layout.cols),
                       layout.header_height + layout.cell_height * static_cast<float>(layout.rows));
  // The scroll bar lies below the last row of a low grid.
  const float bar = content.x > size_px.x ? ImGui::GetStyle().ScrollbarSize : 0.0F;
  const float height = std::max(std::min(content.y + bar, size_px.y), 1.0F);
  ImGui::SetNextWindowContentSize(content);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild(id, ImVec2(size_px.x, height), false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  const auto has_changed = [](const char* name, float length) {
    float& before = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(name));
    return std::exchange(before, length) != length;
  };
  float room = 0.0F;  // of all windows around, some of which scroll
  for (const ImGuiWindow* around = ImGui::GetCurrentWindow()->ParentWindow; around != nullptr;
       around = around->ParentWindow) {
    room += around->InnerRect.GetHeight();
  }
  const bool is_wider = has_changed("width", size_px.x),
             is_higher = has_changed("height", size_px.y), has_room = has_changed("room", room);
  // Scroll bars appear a frame later than what they scroll, over its last column.
  const ImRect& inner = ImGui::GetCurrentWindow()->InnerRect;
  const bool has_bars = has_changed("inner width", inner.GetWidth()),
             has_bar_below = has_changed("inner height", inner.GetHeight());
  if (is_wider || is_higher || has_room || has_bars || has_bar_below) {
    interaction.seen_row = layout.rows;
  }
  Grid grid{ui, id, view, layout, interaction, {}};
  if (layout.rows > 0 && layout.cols > 0) {
    place_grid(layout);
    const bool names_nothing = interaction.naming && *interaction.naming >= layout.cols;
    if (interaction.edit_row >= layout.rows || interaction.edit_col >= layout.cols ||
        names_nothing) {
      interaction = {};
    }
    grid.keep_cursor_in_view();
    ImGui::SetCursorScreenPos(layout.min);
    overlappable_button("cells", ImVec2(std::max(1.0F, layout.max.x - layout.min.x),
                                        std::max(1.0F, layout.max.y - layout.min.y)));
    ui.mark(id);
    if (ui.take_request(id)) ImGui::SetWindowFocus();
    grid.read_mouse();
    grid.read_keyboard();
    draw_grid(ui, id, view, layout);
    if (interaction.editing) grid.run_edit();
    if (interaction.naming) grid.run_naming();
  }
  ImGui::EndChild();
  return grid.events;
}

}  // namespace attn::gui
