// Spreadsheet: moves the cursor by mouse and keyboard, and reports user actions.
#include <imgui_internal.h>

#include <algorithm>

#include "base/number_text.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/grid/grid.h"
#include "gui/ui/grid/grid_layout.h"
#include "gui/ui/widgets.h"

namespace attn::gui {
namespace {

constexpr const char* kComputed = "These numbers are computed; change the inputs instead";

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
      if (view.editable) {
        begin_edit(view, interaction, place.row, place.col,
                   shortest_text(view.matrix.at(place.row, place.col)), true);
      } else {
        events.refused = kComputed;
      }
    } else if (ImGui::IsItemActive() && interaction.pressed) {
      if (view.editable) {
        run_value_drag(ui, view, interaction, events);
      } else if (place.row != view.row || place.col != view.col) {
        events.move = {place.row, place.col, !ImGui::IsItemActivated()};
      }
    }
    if (!ImGui::IsItemActive()) interaction.pressed = false;
    if (view.editable && (interaction.pressed || on_cell)) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    }
    if (on_cell && !interaction.editing) show_full_number(place);
    if (ImGui::IsItemHovered() && !interaction.naming) show_header(place);
  }
  void press(const GridPlace& place) {
    const bool shift = ImGui::GetIO().KeyShift;
    if (interaction.editing && !commit_edit(interaction, events)) return;
    interaction.pressed = false;
    interaction.run_start.reset();
    interaction.gesture = 0;
    switch (place.part) {
      case GridPart::Cell:
        events.move = {place.row, place.col, shift};
        interaction.pressed = !shift;
        interaction.edit_row = place.row;
        interaction.edit_col = place.col;
        break;
      // The cursor ends at the pressed header, so that nothing scrolls.
      case GridPart::RowHeader:
        events.move = {place.row, last_col(), false};
        events.then = {place.row, layout.first_col, true};
        if (layout.first_col > 0) events.then->col = 0;
        break;
      case GridPart::ColumnHeader:
        events.move = {last_row(), place.col, false};
        events.then = {0, place.col, true};
        break;
      case GridPart::Corner:
        events.move = {last_row(), last_col(), false};
        events.then = {0, 0, true};
        break;
      case GridPart::None:
        break;
    }
  }
  // The context menu applies to the cell under the pointer, and opens on release.
  void press_for_menu(const GridPlace& place) {
    if (interaction.naming) ImGui::ClearActiveID();  // commits the name, like every press elsewhere
    if (interaction.editing && !commit_edit(interaction, events)) return;
    if (is_in_selection(place)) return;
    press(place);
    interaction.pressed = false;
  }
  void read_keyboard() {
    if (interaction.pressed || !ImGui::IsWindowFocused()) return;
    ui.take_plain_keys();
    if (interaction.editing || interaction.naming) return;
    if (key_pressed(keys::kEscape, false)) return ImGui::SetWindowFocus(nullptr);
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl && !io.KeyShift && !io.KeyAlt) read_clipboard_keys();
    if (key_pressed(keys::kDelete, false) || key_pressed(keys::kBackspace, false)) {
      events.clear = view.editable;
      if (!view.editable) events.refused = kComputed;
    }
    if (!events.move) read_cursor_keys();
    start_typing();
  }
  void read_clipboard_keys() {
    if (key_pressed('C', false)) events.copy = true;
    if (key_pressed('X', false)) events.copy = events.clear = true;
    if (key_pressed('V', false)) events.paste = true;
    if (key_pressed('A', false)) {
      events.move = {last_row(), last_col(), false};
      events.then = {0, 0, true};
    }
    if (view.editable) return;
    if (events.paste || events.clear) events.refused = kComputed;
    events.paste = events.clear = false;
  }
  void read_cursor_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    std::size_t row = std::min(view.row, last_row()), col = std::min(view.col, last_col());
    events.move = entry_move(view, interaction, row, col);
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
    if (moved && (row != view.row || col != view.col || !extend)) events.move = {row, col, extend};
  }
  void start_typing() {
    const std::size_t row = std::min(view.row, last_row()), col = std::min(view.col, last_col());
    if (view.names_columns && is_column_selected() && key_pressed(keys::kF1 + 1, false)) {
      events.asks_name = col;
      return;
    }
    if (view.editable && key_pressed(keys::kF1 + 1, false)) {
      begin_edit(view, interaction, row, col, shortest_text(view.matrix.at(row, col)), false);
      return;
    }
    const std::string typed = take_typed_text();
    if (typed.empty()) return;
    if (view.editable) {
      // Any text starts an edit: the field explains why it is not a number, as for "1,5".
      begin_edit(view, interaction, row, col, typed, false);
    } else if (typed.find_first_of("0123456789+-.,") != std::string::npos) {
      events.refused = kComputed;
    }
  }
  void keep_cursor_in_view() {
    if (interaction.seen_row == view.row && interaction.seen_col == view.col) return;
    interaction.seen_row = view.row;
    interaction.seen_col = view.col;
    if (view.row > last_row() || view.col > last_col()) return;
    const ImVec2 min = layout.cell_min(view.row, view.col);
    const ImVec2 max = layout.cell_max(view.row, view.col);
    const ImVec2 shown = layout.cells_min();
    const float right = std::max(0.0F, max.x - layout.max.x);
    const float down = std::max(0.0F, max.y - layout.max.y);
    const float dx = min.x < shown.x ? min.x - shown.x : right;
    const float dy = min.y < shown.y ? min.y - shown.y : down;
    if (dx == 0.0F && dy == 0.0F) return;
    ImGui::SetScrollX(ImGui::GetScrollX() + dx);
    ImGui::SetScrollY(ImGui::GetScrollY() + dy);
    ui.redraw_within(0.0);
  }
  void show_full_number(const GridPlace& place) {
    const float value = view.matrix.at(place.row, place.col);
    const std::string full = shortest_text(value);
    const std::string shown = cell_text(value);
    // 0.5 is shown as 0.50: a tooltip would add nothing.
    const Result<float> read_back = parse_number(shown);
    if (read_back.ok() && read_back.value() == value) return;
    tooltip(ui, full);
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
    const GridSelection chosen = selection_of(view);
    return chosen.left == chosen.right && chosen.top == 0 && chosen.bottom >= last_row() &&
           layout.rows > 1;
  }
  // Whether a context menu at `place` applies to the selection; on a header, to exactly that row or
  // column.
  bool is_in_selection(const GridPlace& place) const {
    const GridSelection chosen = selection_of(view);
    const bool all_rows = chosen.top == 0 && chosen.bottom >= last_row();
    const bool all_cols = chosen.left == 0 && chosen.right >= last_col();
    switch (place.part) {
      case GridPart::Cell:
        return chosen.has_row(place.row) && chosen.has_col(place.col);
      case GridPart::RowHeader:
        return all_cols && place.row == view.row;
      case GridPart::ColumnHeader:
        return all_rows && place.col == view.col;
      case GridPart::Corner:
        return all_rows && all_cols;
      case GridPart::None:
        break;
    }
    return true;
  }
  // False over the text field while a number or a name is typed.
  bool is_pointed_at() const {
    if (!ImGui::IsItemHovered()) return false;
    const bool typing = interaction.editing || interaction.naming;
    return !typing || !ImGui::IsMouseHoveringRect(interaction.field_min, interaction.field_max);
  }

  std::size_t last_row() const { return layout.rows - 1; }
  std::size_t last_col() const { return layout.cols - 1; }
};

}  // namespace

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
    grid.read_mouse();
    grid.read_keyboard();
    draw_grid(ui, id, view, layout);
    if (interaction.editing) run_edit(ui, id, view, layout, interaction, grid.events);
    if (interaction.naming) run_naming(ui, id, view, layout, interaction, grid.events);
  }
  ImGui::EndChild();
  return grid.events;
}

}  // namespace attn::gui
