// How panels share the width of a page.
#include "plot/parts/panel_grid.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

// Where bars begin as well.
double top_of_cells(const Figure& panel) {
  const MatrixItem* map = find_matrix(panel);
  return map != nullptr ? map->clip.y : 0.0;
}

// A map and the bar of its own range, which begins where its cells do.
Figure with_bar(const Figure& panel, const Figure& bar, double gap) {
  Figure both = panel;
  const double top = top_of_cells(panel);
  append_moved(both, bar, {1.0, panel.width + gap, top});
  both.width = panel.width + gap + bar.width;
  both.height = std::max(panel.height, bar.height + top);
  return both;
}

// What a pixel of the panels stands for, where it is several cells.
std::string pooled_words(const std::vector<Figure>& panels) {
  std::size_t rows = 1, cols = 1;
  for (const Figure& panel : panels) {
    const MatrixItem* map = find_matrix(panel);
    if (map == nullptr || !map->origin) continue;
    rows = std::max(rows, map->row_step);
    cols = std::max(cols, map->col_step);
  }
  if (rows == 1 && cols == 1) return "";
  return "Each pixel shows the maximum of " + std::to_string(rows) + " × " + std::to_string(cols) +
         " cells.";
}

}  // namespace

DrawPanel map_panel(const PlotInput& input, SmallMap map, const PlotOptions& options,
                    const TextMetrics& metrics, std::optional<ColorBar> own) {
  return [&input, map = std::move(map), &options, &metrics, own = std::move(own)](double width) {
    if (!own || !options.color_bar) return small_map(input, map, options, metrics, width);
    const double font = options.font_size;
    ColorBar bar = *own;
    bar.scale = map.scale;
    const Figure side = color_bar_figure(std::move(bar), options, metrics, 14.0 * font);
    const double gap = 0.8 * font;
    const double room = std::max(width - side.width - gap, 4.0 * font);
    return with_bar(small_map(input, map, options, metrics, room), side, gap);
  };
}

void add_panels(Page& page, const PanelGrid& grid, const PlotOptions& options,
                const TextMetrics& metrics) {
  const double font = options.font_size;
  const double gap = grid.gap * font;
  double room = page.width();
  std::optional<Figure> bar;
  if (grid.shared && options.color_bar) {
    bar = color_bar_figure(*grid.shared, options, metrics, grid.bar_height * font);
    room -= std::max(bar->width, grid.bar_room) + gap;
  }
  room = std::max(room, 4.0 * font);
  const std::size_t columns = columns_in(room + gap, grid.least * font + gap, grid.most);
  const double share =
      (room - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  std::vector<Figure> drawn;
  for (const DrawPanel& draw : grid.panels) {
    drawn.push_back(draw(std::min(share, grid.widest * font)));
  }
  if (bar) page.add_beside(*bar, drawn.empty() ? 0.0 : top_of_cells(drawn.front()));
  page.add_grid(drawn, columns, gap);
  const std::string pooled = pooled_words(drawn);
  if (!pooled.empty()) page.add_words(pooled);
}

}  // namespace attn
