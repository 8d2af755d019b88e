// A matrix as a spreadsheet: cells tinted by sign and magnitude; drag to change, type to enter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "gui/ui/grid/grid_view.h"

namespace attn::gui {

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
