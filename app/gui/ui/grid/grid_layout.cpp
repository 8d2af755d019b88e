// Layout of a spreadsheet: measurement, cell at a position, and drawing of cells, headers and
// selection.
#include "gui/ui/grid/grid_layout.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "figure/text.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

constexpr float kMinCellWidth = 40.0F;  // units
constexpr std::size_t kCellsMeasured = 1 << 16;
constexpr float kNarrowestHeader = 28.0F;
constexpr float kWidestHeader = 96.0F;   // units, at least;
constexpr float kWidestColumn = 64.0F;   // from the names of columns
constexpr float kMaxHeaderShare = 0.4F;  // or this share of the available width, if larger
constexpr std::size_t kLabelsMeasured = 200;

float label_width(Ui& ui, const TokenList& labels, std::size_t index) {
  return ui.line_size(header_text(&labels, index), kLabelFont).x;
}

// Widest of the first names; 0 without names.
float widest_name(Ui& ui, const TokenList& labels) {
  float widest = 0.0F;
  const std::span<const TokenName> names = labels.names();
  for (const TokenName& name : names.first(std::min(names.size(), kLabelsMeasured))) {
    widest = std::max(widest, label_width(ui, labels, name.index));
  }
  return widest;
}

// Widest of the first names and of the last row, whose number is the longest.
float widest_header(Ui& ui, const GridView& view) {
  const TokenList* labels = view.row_labels;
  if (labels == nullptr || labels->empty()) return 0.0F;
  const float last = label_width(ui, *labels, labels->size() - 1);
  return std::ceil(std::max(last, widest_name(ui, *labels))) + ui.px(kHeaderPadding);
}

// Widest of the named columns; tokens do not widen cells.
float widest_column(Ui& ui, const GridView& view) {
  if (!view.names_columns || view.column_labels == nullptr) return 0.0F;
  const float widest = widest_name(ui, *view.column_labels);
  if (widest == 0.0F) return 0.0F;
  return std::min(std::ceil(widest) + ui.px(kHeaderPadding), ui.px(kWidestColumn));
}

// The available width may change from frame to frame.
float header_width(const Ui& ui, float widest) {
  const float most =
      std::max(ui.px(kWidestHeader), kMaxHeaderShare * ImGui::GetContentRegionAvail().x);
  return std::ceil(std::min(std::max(widest, ui.px(kNarrowestHeader)), most));
}

// Width of the widest number: the largest with a sign, or the smallest, which is written in
// scientific notation.
float cell_width(const Ui& ui, const MatrixView& matrix) {
  float largest = 0.0F, smallest = 1.0F;
  const std::size_t rows =
      std::min(matrix.rows, kCellsMeasured / std::max<std::size_t>(matrix.cols, 1) + 1);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t col = 0; col < matrix.cols; ++col) {
      const float magnitude = std::abs(matrix.at(row, col));
      if (!std::isfinite(magnitude) || magnitude == 0.0F) continue;
      largest = std::max(largest, magnitude);
      smallest = std::min(smallest, magnitude);
    }
  }
  float widest = ui.px(kMinCellWidth);
  for (const float value : {largest, smallest}) {
    const float width = ImGui::CalcTextSize(with_replaced(cell_text(-value), "-", "−").c_str()).x;
    widest = std::max(widest, width + ui.px(10));
  }
  return std::round(widest);
}

// Cells of size `cell` within `space` pixels from `scroll` on: [first, end).
void visible_range(double scroll, float space, float cell, std::size_t count, std::size_t& first,
                   std::size_t& end) {
  first = std::min(count, static_cast<std::size_t>(std::max(0.0, std::floor(scroll / cell))));
  const double last = std::ceil((scroll + std::max(0.0F, space)) / cell);
  end = std::clamp(static_cast<std::size_t>(std::max(0.0, last)), first, count);
}

std::size_t nearest(double position, float cell, std::size_t count) {
  const double index = std::floor(position / cell);
  return static_cast<std::size_t>(std::clamp(index, 0.0, static_cast<double>(count) - 1.0));
}

struct GridPainter {
  Ui& ui;
  const char* id;
  const GridView& view;
  const GridLayout& layout;
  const UiColors& colors;
  ImDrawList& list;

  float gap() const { return std::max(1.0F, std::floor(ui.px(1))); }  // between cells
  void cell(std::size_t row, std::size_t col) const {
    const float value = view.matrix.at(row, col);
    const std::string text = with_replaced(cell_text(value), "-", "−");
    ImVec2 min = layout.cell_min(row, col), max = layout.cell_min(row + 1, col + 1);
    const Color background = number_tint(colors, colors.field, value);
    list.AddRectFilled(min, ImVec2(max.x - gap(), max.y - gap()), to_imgui(background), ui.px(3));
    const Color readable = readable_on(background);
    Color ink = readable == readable_on(colors.field) ? colors.text : readable;
    if (!std::isfinite(value)) ink = colors.error;
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    ui.draw_text(
        text,
        ImVec2(std::floor(max.x - size.x - ui.px(5)), std::floor((min.y + max.y - size.y) / 2)),
        ink);
    if (ui.probe == nullptr) return;
    min = ImMax(min, layout.cells_min());
    ui.mark_rect(std::string(id) + "/cell/" + std::to_string(row) + "," + std::to_string(col), min,
                 ImMin(max, layout.max), text);
  }
  void cells() const {
    list.PushClipRect(layout.cells_min(), layout.max, true);
    for (std::size_t row = layout.first_row; row < layout.end_row; ++row) {
      for (std::size_t col = layout.first_col; col < layout.end_col; ++col) cell(row, col);
    }
    selection();
    list.PopClipRect();
  }
  void selection() const {
    const GridState& cursor = view.cursor;
    if (cursor.row >= layout.rows || cursor.col >= layout.cols) return;
    const CellRange chosen = selection_of(cursor, layout.rows, layout.cols);
    const float line = std::max(1.0F, std::round(ui.px(2)));
    const bool has_keys = ImGui::IsWindowFocused();
    const auto frame = [&](const CellRange& cells, float width, std::uint8_t fill) {
      const ImVec2 min = layout.cell_min(cells.row, cells.col);
      ImVec2 max = layout.cell_min(cells.row + cells.rows, cells.col + cells.cols);
      max = ImVec2(max.x - gap(), max.y - gap());
      if (fill > 0) list.AddRectFilled(min, max, to_imgui(with_alpha(colors.text, fill)));
      const Color ring = has_keys ? colors.accent : mix(colors.field, colors.accent, 0.5);
      list.AddRect(min, max, to_imgui(ring), ui.px(3), 0, width);
    };
    if (chosen.rows > 1 || chosen.cols > 1) frame(chosen, ui.line_px(1), 26);
    frame({cursor.row, cursor.col, 1, 1}, line, 0);
  }
  void header(ImVec2 min, ImVec2 max, const std::string& label, bool lit, bool centred) const {
    const Color background = mix(colors.panel, view.role, lit ? 0.34 : 0.12);
    list.AddRectFilled(min, ImVec2(max.x - gap(), max.y - gap()), to_imgui(background), ui.px(3));
    const double space = static_cast<double>((max.x - min.x) / ui.scale - kHeaderPadding);
    const std::string shown = cut_in_middle(pango_metrics(), label, kLabelFont, space);
    const ImVec2 size = ui.line_size(shown, kLabelFont);
    const float x = centred ? (min.x + max.x - size.x) / 2 : max.x - size.x - ui.px(5);
    ui.draw_line(shown, ImVec2(x, (min.y + max.y - size.y) / 2), kLabelFont,
                 lit ? colors.text : mix(colors.muted, colors.text, 0.35));
  }
  // Draws the headers of the rows, or of the columns.
  void headers(bool rows) const {
    const CellRange chosen = selection_of(view.cursor, layout.rows, layout.cols);
    const ImVec2 cells = layout.cells_min();
    const ImVec2 begin(rows ? layout.min.x : cells.x, rows ? cells.y : layout.min.y);
    list.PushClipRect(begin, layout.max, true);
    const std::size_t end = rows ? layout.end_row : layout.end_col;
    for (std::size_t i = rows ? layout.first_row : layout.first_col; i < end; ++i) {
      const ImVec2 cell = layout.cell_min(rows ? i : 0, rows ? 0 : i);
      const ImVec2 min(rows ? begin.x : cell.x, rows ? cell.y : begin.y);
      const ImVec2 max(rows ? cells.x : cell.x + layout.cell_width,
                       rows ? cell.y + layout.cell_height : cells.y);
      const std::string label = header_text(rows ? view.row_labels : view.column_labels, i);
      const bool lit =
          rows ? is_among(i, chosen.row, chosen.rows) : is_among(i, chosen.col, chosen.cols);
      header(min, max, label, lit, !rows);
      if (ui.probe == nullptr) continue;
      ui.mark_rect(std::string(id) + (rows ? "/row/" : "/col/") + std::to_string(i),
                   ImMax(min, begin), ImMin(max, layout.max), label);
    }
    list.PopClipRect();
  }
  void corner() const {
    const ImVec2 max = layout.cells_min();
    list.AddRectFilled(layout.min, ImVec2(max.x - gap(), max.y - gap()),
                       to_imgui(mix(colors.panel, view.role, 0.12)), ui.px(3));
  }
};

}  // namespace

CellRange selection_of(const GridState& grid, std::size_t rows, std::size_t cols) {
  const auto inside = [](std::size_t index, std::size_t count) {
    return std::min(index, count == 0 ? 0 : count - 1);
  };
  const std::size_t r0 = inside(std::min(grid.row, grid.anchor_row), rows);
  const std::size_t r1 = inside(std::max(grid.row, grid.anchor_row), rows);
  const std::size_t c0 = inside(std::min(grid.col, grid.anchor_col), cols);
  const std::size_t c1 = inside(std::max(grid.col, grid.anchor_col), cols);
  return {r0, c0, r1 - r0 + 1, c1 - c0 + 1};
}

ImVec2 GridLayout::cell_min(std::size_t row, std::size_t col) const {
  const double x = static_cast<double>(col) * cell_width - scroll_x;
  const double y = static_cast<double>(row) * cell_height - scroll_y;
  return ImVec2(cells_min().x + static_cast<float>(x), cells_min().y + static_cast<float>(y));
}

std::size_t GridLayout::rows_per_page() const {
  const float pages = std::floor((max.y - cells_min().y) / cell_height) - 1.0F;
  return static_cast<std::size_t>(std::max(1.0F, pages));
}

GridLayout measure_grid(Ui& ui, const GridView& view, GridMeasures& measures) {
  if (!view.version || view.version != measures.version || measures.scale != ui.scale) {
    measures = {view.version, ui.scale, widest_header(ui, view),
                std::max(cell_width(ui, view.matrix), widest_column(ui, view))};
  }
  return {.header_width = header_width(ui, measures.widest_header),
          .header_height = std::round(ui.px(21)),
          .cell_width = measures.cell_width,
          .cell_height = std::round(ui.px(22)),
          .rows = view.matrix.rows,
          .cols = view.matrix.cols};
}

void place_grid(GridLayout& layout) {
  const ImRect inner = ImGui::GetCurrentWindow()->InnerRect;
  layout.min = inner.Min;
  layout.max = inner.Max;
  layout.scroll_x = ImGui::GetScrollX();
  layout.scroll_y = ImGui::GetScrollY();
  visible_range(layout.scroll_y, layout.max.y - layout.cells_min().y, layout.cell_height,
                layout.rows, layout.first_row, layout.end_row);
  visible_range(layout.scroll_x, layout.max.x - layout.cells_min().x, layout.cell_width,
                layout.cols, layout.first_col, layout.end_col);
}

GridPlace place_at(const GridLayout& layout, ImVec2 pixel) {
  GridPlace place;
  if (layout.rows == 0 || layout.cols == 0) return place;
  const double x = pixel.x - layout.cells_min().x, y = pixel.y - layout.cells_min().y;
  place.row = nearest(y + layout.scroll_y, layout.cell_height, layout.rows);
  place.col = nearest(x + layout.scroll_x, layout.cell_width, layout.cols);
  const bool past_end =
      x + layout.scroll_x >= static_cast<double>(layout.cols) * layout.cell_width ||
      y + layout.scroll_y >= static_cast<double>(layout.rows) * layout.cell_height;
  if (past_end) return place;
  if (x >= 0.0 && y >= 0.0) place.part = GridPart::Cell;
  if (x < 0.0 && y >= 0.0) place.part = GridPart::RowHeader;
  if (x >= 0.0 && y < 0.0) place.part = GridPart::ColumnHeader;
  if (x < 0.0 && y < 0.0) place.part = GridPart::Corner;
  return place;
}

std::string header_text(const TokenList* labels, std::size_t index) {
  return labels != nullptr && index < labels->size() ? visible_token(labels->spoken(index))
                                                     : std::to_string(index);
}

std::string cell_text(float value) {
  const float magnitude = std::abs(value);
  if (!std::isfinite(value) || value == 0.0F) return fixed_text(value, 2);
  if (magnitude < 0.005F || magnitude >= 999999.5F) return short_text(value, 2);
  if (magnitude < 999.995F) return fixed_text(value, 2);
  return fixed_text(value, magnitude < 9999.95F ? 1 : 0);
}

void draw_grid(Ui& ui, const char* id, const GridView& view, const GridLayout& layout) {
  const GridPainter painter{ui, id, view, layout, ui.colors(), *ImGui::GetWindowDrawList()};
  painter.cells();
  painter.headers(true);
  painter.headers(false);
  painter.corner();
}

}  // namespace attn::gui
