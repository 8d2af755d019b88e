// Typing into a cell and dragging its value. For matrix_grid's own sources.
#pragma once

#include "gui/ui/grid/grid_layout.h"

namespace attn::gui {

// Opens the text field on a cell with `text` in it.
void begin_edit(const GridView& view, GridInteraction& interaction, std::size_t row,
                std::size_t col, std::string text, bool select_all);

// Takes the typed text as the cell's value. False when it is refused: editing goes on and the
// problem shows at the cell.
bool commit_edit(GridInteraction& interaction, GridEvents& events);

// Where Enter or Tab (Shift: backwards) leads from a cell; nothing when neither was pressed.
std::optional<GridEvents::CursorMove> entry_move(const GridView& view, GridInteraction& interaction,
                                                 std::size_t row, std::size_t col);

// The text field over its cell; Enter, Tab, Up, Down, Esc and leaving it end the edit.
void run_edit(Ui& ui, const char* id, const GridView& view, const GridLayout& layout,
              GridInteraction& interaction, GridEvents& events);

// The field for a name over the header of its column; Enter, Tab, Esc and leaving it end it.
void run_naming(Ui& ui, const char* id, const GridView& view, const GridLayout& layout,
                GridInteraction& interaction, GridEvents& events);

// While the button is held on a cell: changes its value with the pointer's way.
void run_value_drag(Ui& ui, const GridView& view, GridInteraction& interaction, GridEvents& events);

}  // namespace attn::gui
