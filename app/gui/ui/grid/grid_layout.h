// Positions of the cells of a spreadsheet and their drawing. Internal to matrix_grid.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>

#include "gui/ui/grid/grid.h"

namespace attn::gui {

inline constexpr float kHeaderPadding = 12.0F;  // units, left and right of the label together

// True if the index is among the `count` ones from `first` on; wraps around for those before.
constexpr bool is_among(std::size_t index, std::size_t first, std::size_t count) {
  return index - first < count;
}

// All lengths in pixels. Headers stay in place while the cells scroll.
struct GridLayout {
  ImVec2 min{0, 0}, max{0, 0};  // visible headers and cells, without scroll bars
  float header_width = 0, header_height = 0;
  float cell_width = 0, cell_height = 0;
  double scroll_x = 0, scroll_y = 0;
  std::size_t rows = 0, cols = 0;
  std::size_t first_row = 0, end_row = 0;  // at least partly visible
  std::size_t first_col = 0, end_col = 0;

  ImVec2 cells_min() const { return ImVec2(min.x + header_width, min.y + header_height); }
  ImVec2 cell_min(std::size_t row, std::size_t col) const;
  std::size_t rows_per_page() const;
};

// Header width from the first labels and the available width, cell size from the font, content size
// of all cells. Labels and numbers are read only when the version differs from that of `measures`.
GridLayout measure_grid(Ui& ui, const GridView& view, GridMeasures& measures);
// Reads position and scrolling from the current ImGui window.
void place_grid(GridLayout& layout);

enum class GridPart { None, Cell, RowHeader, ColumnHeader, Corner };
struct GridPlace {
  GridPart part = GridPart::None;
  std::size_t row = 0, col = 0;  // nearest cell
};
GridPlace place_at(const GridLayout& layout, ImVec2 pixel);

// Number as shown in a cell: two decimals, fewer for large numbers, scientific notation where two
// decimals would be 0.00.
std::string cell_text(float value);

// Label with visible spaces, or the index without one.
std::string header_text(const TokenList* labels, std::size_t index);

// Draws cells, headers, selection and cursor; records the probes.
void draw_grid(Ui& ui, const char* id, const GridView& view, const GridLayout& layout);

}  // namespace attn::gui
