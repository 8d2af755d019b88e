// Draws a matrix with all that belongs to it.
#include "plot/parts/cell_panel.h"

#include <algorithm>
#include <cmath>

#include "plot/parts/axis_labels.h"
#include "plot/parts/cell_numbers.h"
#include "plot/parts/items.h"
#include "plot/parts/marks.h"

namespace attn {
namespace {

// Thin lines of the background between cells large enough to spare them.
void add_separators(Figure& figure, const CellPanel& panel, const Rect& clip) {
  const double cell_width = clip.width / panel.window.cols;
  const double cell_height = clip.height / panel.window.rows;
  if (std::min(cell_width, cell_height) < 1.2 * panel.options.font_size) return;
  const Color color = figure_theme(panel.options.theme).background;
  const double bottom = clip.y + clip.height, right = clip.x + clip.width;
  for (double col = std::floor(panel.window.col) + 1.0;; col += 1.0) {
    const double x = clip.x + (col - panel.window.col) * cell_width;
    if (x >= right - 1e-6) break;
    figure.items.push_back(LineItem{{x, clip.y}, {x, bottom}, color, 0.8, {}});
  }
  for (double row = std::floor(panel.window.row) + 1.0;; row += 1.0) {
    const double y = clip.y + (row - panel.window.row) * cell_height;
    if (y >= bottom - 1e-6) break;
    figure.items.push_back(LineItem{{clip.x, y}, {right, y}, color, 0.8, {}});
  }
}

void add_frame(Figure& figure, const CellPanel& panel) {
  RectItem frame;
  // Around the cells, not over those at the edges.
  const double half = panel.frame_width / 2.0;
  frame.rect = {panel.clip.x - half, panel.clip.y - half, panel.clip.width + panel.frame_width,
                panel.clip.height + panel.frame_width};
  frame.stroke = panel.frame;
  frame.stroke_width = panel.frame_width;
  figure.items.push_back(frame);
}

// Wider columns have room for more labels; the zone that they take stays as it is.
ColumnStyle style_in_view(const CellPanel& panel) {
  const ColumnStyle& whole = panel.column_style;
  if (panel.window.cols >= static_cast<double>(panel.columns.count)) return whole;
  const ColumnSpace space{panel.clip.width / panel.window.cols, panel.widest_column, panel.right,
                          whole.height, is_counted(panel.document, panel.columns)};
  ColumnStyle style = column_style(space, panel.font.size);
  if (whole.degrees == 0.0 && style.degrees != 0.0) style = level_style(space, panel.font.size);
  style.height = whole.height;
  return style;
}

LabelPlace place_of(const CellPanel& panel, double start, double length, Color ink) {
  return {panel.clip, start, length, panel.font, ink, panel.gap, panel.row_labels};
}

void add_labels(Figure& figure, std::size_t item, const CellPanel& panel) {
  const CellWindow& window = panel.window;
  const FigureTheme& theme = figure_theme(panel.options.theme);
  add_part(figure, FigurePart::Kind::RowLabels, item, [&] {
    add_row_labels(figure, panel.document, panel.rows,
                   place_of(panel, window.row, window.rows, panel.row_ink), panel.mark_width, theme,
                   panel.metrics);
  });
  add_part(figure, FigurePart::Kind::ColumnLabels, item, [&] {
    add_column_labels(figure, panel.document, panel.columns,
                      place_of(panel, window.col, window.cols, panel.column_ink),
                      style_in_view(panel), theme, panel.metrics);
  });
}

}  // namespace

std::size_t add_cell_panel(Figure& figure, const CellPanel& panel, const MatrixItem& matrix) {
  const std::size_t item = figure.items.size();
  figure.items.push_back(matrix);
  if (panel.separated) add_separators(figure, panel, matrix.clip);
  add_frame(figure, panel);
  add_cell_numbers(figure, matrix, panel.options, panel.metrics);
  if (panel.options.axes) add_labels(figure, item, panel);
  add_pins(figure, item, panel.options);
  return item;
}

}  // namespace attn
