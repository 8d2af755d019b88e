// What a spreadsheet shows, what the user did in it, and what it remembers from frame to frame.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/tensor.h"
#include "document/token_list.h"
#include "gui/ui/context.h"

namespace attn::gui {

// What the grid shows; borrowed for the frame. Labels are tokens as they are in the document; the
// headers make their spaces and control characters visible.
struct GridView {
  MatrixView matrix;
  const TokenList* row_labels = nullptr;
  const TokenList* column_labels = nullptr;
  std::optional<std::uint64_t> version;  // of numbers and labels; without one they are read anew
  Color role;                            // tint of the header
  bool editable = true;
  bool names_columns = false;    // headers of columns can be named
  std::size_t row = 0, col = 0;  // cursor
  std::size_t anchor_row = 0, anchor_col = 0;
};

// What the user did; the caller turns it into commands, in the order of the members.
struct GridEvents {
  struct CellEdit {
    std::size_t row, col;
    float value;
    std::uint64_t gesture;
  };
  struct CursorMove {
    std::size_t row, col;
    bool extend;
  };
  std::optional<CellEdit> edit;  // typed (gesture 0) or dragged (one gesture per drag)
  std::optional<CursorMove> move;
  std::optional<CursorMove> then;      // second move that selects a whole row, column or matrix
  std::optional<std::string> refused;  // why the typed text is not a number
  bool copy = false;                   // Ctrl+C on the selection (Ctrl+X: and `clear`)
  bool paste = false;                  // Ctrl+V at the cursor
  bool clear = false;                  // Delete: zeros in the selection
  struct ColumnName {
    std::size_t col;
    std::string name;
  };
  std::optional<ColumnName> named;       // another name was typed
  std::optional<std::size_t> asks_name;  // the column that is to be named: answer with begin_naming
};

// What was measured of the labels and numbers of a version.
struct GridMeasures {
  std::optional<std::uint64_t> version;
  float scale = 0.0F;
  float widest_header = 0.0F, cell_width = 0.0F;  // pixels
};

// Text being typed and the drag in progress: belongs to the interaction, so the caller keeps one
// per grid on screen, and makes a new one when another matrix is shown.
struct GridInteraction {
  bool editing = false;
  std::size_t edit_row = 0, edit_col = 0;  // of the text or the drag
  std::string text;
  std::string original;     // the text at the start: unchanged is no edit
  std::string problem;      // shown at the cell until it is put right or Esc
  bool focus_text = false;  // the text field is about to get the keyboard
  bool select_all = false;  // with everything selected, else the caret at the end

  bool pressed = false;  // the button went down on the cell (edit_row, edit_col)
  std::uint64_t gesture = 0;
  float drag_start = 0.0F;
  double drag_value = 0.0, drag_magnitude = 1.0;

  std::optional<std::size_t> naming;  // the column whose name is being typed
  std::string name, name_before;
  bool focus_name = false;

  ImVec2 field_min{}, field_max{};  // where a number or a name is typed, screen pixels

  std::size_t seen_row = 0, seen_col = 0;  // cursor that was last brought into view
  std::optional<std::size_t> run_start;    // column of the first Tab; Enter goes back to it

  GridMeasures measures;
};

// Opens the field for the name of a column, which is `name` so far.
void begin_naming(GridInteraction& interaction, std::size_t col, std::string name);

// Draws only visible rows and columns, so 100,000 rows are fine. Keyboard: arrows, Home, End, Page
// keys (Shift extends, Ctrl goes to the edge); F2 or any character edits. Tab goes on to the next
// row after the last column and from the last cell to the first, as in a spreadsheet's selection;
// Enter goes one row down, after Tabs in the column where they began; Shift turns both around.
// Columns that can be named are so by a double-click on their header, and by F2 where a whole
// column is selected; Tab goes on to the next one's name. Probes: "ID/cell/ROW,COL" for visible
// cells with the number shown, "ID/row/ROW", "ID/col/COL", "ID/edit", "ID/problem", "ID/name".
// Pressing the right button where nothing is selected selects as the left one does.
// Of `size_px`, or lower where its rows need less.
GridEvents matrix_grid(Ui& ui, const char* id, const GridView& view, GridInteraction& interaction,
                       ImVec2 size_px);

}  // namespace attn::gui
