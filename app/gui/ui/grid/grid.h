// View, events and interaction state of a spreadsheet.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/tensor.h"
#include "document/token_list.h"
#include "gui/ui/context.h"
#include "session/command.h"

namespace attn::gui {

// Contents of the grid; borrowed for the frame. Labels are the document's tokens; the headers make
// spaces and control characters visible.
struct GridView {
  MatrixView matrix;
  const TokenList* row_labels = nullptr;
  const TokenList* column_labels = nullptr;
  std::optional<std::uint64_t> version;  // of numbers and labels; none: read every frame
  Color role;                            // tint of the headers
  bool names_columns = false;            // column headers can be renamed
  GridState cursor;                      // and the selection
};

// The selected block of a matrix with that many rows and columns.
CellRange selection_of(const GridState& grid, std::size_t rows, std::size_t cols);

// User actions; the caller turns them into commands, in the order of the members.
struct GridEvents {
  // Typed (gesture 0) or dragged (one gesture per drag); the caller names the matrix.
  std::optional<command::SetCell> edit;
  std::optional<command::MoveCursor> move;
  std::optional<command::MoveCursor> then;  // second move, to select a row, column or all
  bool copy = false;                        // Ctrl+C on the selection (Ctrl+X: and `clear`)
  bool paste = false;                       // Ctrl+V at the cursor
  bool clear = false;                       // Delete: zeros in the selection
  std::optional<std::size_t> named;         // column that was renamed to GridInteraction::text
  std::optional<std::size_t> asks_name;     // column to be named: answer with begin_naming
};

// Cached measurements of the labels and numbers of one version.
struct GridMeasures {
  std::optional<std::uint64_t> version;
  float scale = 0.0F;
  float widest_header = 0.0F, cell_width = 0.0F;  // pixels
};

// Text being typed and drag in progress: the caller keeps one per grid on screen, and makes a new
// one when another matrix is shown.
struct GridInteraction {
  bool editing = false;
  std::size_t edit_row = 0, edit_col = 0;  // cell of the text or the drag
  std::optional<std::size_t> naming;       // column being renamed, instead of a cell
  std::string text;
  std::string original;     // initial text; unchanged text is no edit
  std::string problem;      // shown at the cell until corrected or cancelled by Esc
  bool focus_text = false;  // the text field is about to get the keyboard
  bool select_all = false;  // select all the text; else the caret is at the end

  bool pressed = false;  // the button was pressed on the cell (edit_row, edit_col)
  std::uint64_t gesture = 0;
  float drag_start = 0.0F;
  double drag_value = 0.0, drag_magnitude = 1.0;

  ImVec2 field_min{}, field_max{};  // rectangle of the text field, screen pixels

  std::size_t seen_row = 0, seen_col = 0;  // cursor that was last scrolled into view
  std::optional<std::size_t> run_start;    // column of the first Tab; Enter returns to it

  GridMeasures measures;
};

// Opens the field for the name of a column; `name` is its current one.
void begin_naming(GridInteraction& interaction, std::size_t col, std::string name);

// Draws visible rows and columns only, so that 100,000 rows are cheap. Keyboard: arrows, Home, End,
// Page keys (Shift extends, Ctrl moves to the edge); F2 or any character edits. Tab moves to the
// next cell, row by row and around; Enter moves down one row, after Tabs in the column where they
// began; Shift reverses both. A double-click on a header renames its column, as does F2 on a whole
// selected column; Tab moves to the next name. Probes: "ID/cell/ROW,COL" for visible cells with the
// number shown, "ID/row/ROW", "ID/col/COL", "ID/edit", "ID/problem", "ID/name". The right button
// selects like the left one when pressed outside of the selection.
// `size_px` is the largest size; the height is less if all rows need less.
GridEvents matrix_grid(Ui& ui, const char* id, const GridView& view, GridInteraction& interaction,
                       ImVec2 size_px);

}  // namespace attn::gui
