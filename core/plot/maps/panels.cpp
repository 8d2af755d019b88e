// Drawing of small heatmaps, and grids of panels.
#include <algorithm>
#include <utility>

#include "figure/text.h"
#include "plot/kit/axis.h"
#include "plot/kit/cells.h"
#include "plot/kit/page.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

struct SmallScene : CellPanel {
  const SmallMap& map;
  double width;
};

// Row labels take at most a quarter of the figure. Depends on the whole matrix, so that nothing
// moves while zooming.
void lay_out(SmallScene& scene) {
  const SmallMap& map = scene.map;
  const double titles = (map.subtitle.empty() ? 1.6 : 2.9) * scene.font();
  const FontStyle font = scene.label_font();
  const bool labelled = scene.options.axes;
  if (labelled) {
    scene.row_labels = widest_label(scene.document, scene.rows, 1, font, scene.metrics,
                                    std::max(0.25 * scene.width, 0.0));
  }
  const double left = scene.row_labels + (labelled ? scene.gap : 0.0);
  const double columns = static_cast<double>(scene.columns.count);
  const double rows = static_cast<double>(scene.rows.count);
  const double room = std::max(scene.width - left - 0.2 * scene.font(), scene.font());
  double cell = room / columns;
  double height = map.height > 0.0 ? map.height : cell * rows;
  if (map.height <= 0.0 && map.most_height > 0.0) {
    height = std::min(height, map.most_height);
    cell = height / rows;
  }
  if (!labelled) {
    scene.clip = {left, titles + scene.gap, cell * columns, height};
    return;
  }
  const double longest = 6.0 * scene.font();
  scene.widest_column =
      widest_label(scene.document, scene.columns, 1, font, scene.metrics, longest);
  scene.column_style =
      column_style({cell, scene.widest_column, scene.width - left - cell * (columns - 0.5), longest,
                    is_counted(scene.document, scene.columns)},
                   font.size);
  scene.clip = {left, titles + scene.column_style.height + scene.gap, cell * columns, height};
}

void add_titles(Figure& figure, const SmallScene& scene) {
  if (scene.map.opens) {
    figure.add(RectItem{.rect = {0.0, 0.0, scene.width, 1.4 * scene.font()},
                        .hit = hit_of(*scene.map.opens)});
  }
  const FontStyle bold{scene.font(), true, false, true};
  const FontStyle small{secondary_size(scene.font()), false, false, true};
  const Color color = scene.map.marked ? scene.theme.accent : scene.theme.ink;
  figure.add(text_item({0.0, scene.font()},
                       fitted(scene.metrics, scene.map.title, bold, scene.width), bold, color));
  if (scene.map.subtitle.empty()) return;
  figure.add(text_item({0.0, 2.3 * scene.font()},
                       fitted(scene.metrics, scene.map.subtitle, small, scene.width), small,
                       scene.theme.muted));
}

// A map with more cells than pixels shows the maximum under each.
MatrixItem matrix_of(const SmallScene& scene) {
  constexpr std::size_t kBudget = 1024;
  PlotOptions options = scene.options;
  options.pixel_budget = kBudget;
  options.pooling = Pooling::Maximum;
  const SmallMap& map = scene.map;
  MatrixItem m = matrix_item(*map.matrix, map.part, scene.window, scene.clip, map.scale, options);
  const std::size_t all = scene.rows.count;
  const auto rows = static_cast<double>(map.shown_rows == 0 ? all : std::min(map.shown_rows, all));
  const double end =
      scene.clip.y + (rows - scene.window.row) * (scene.clip.height / scene.window.rows);
  m.clip.height = std::clamp(end - m.clip.y, 0.0, m.clip.height);
  return m;
}

// Top of the cells, where bars begin too.
double top_of_cells(const Figure& panel) {
  const MatrixItem* map = find_matrix(panel);
  return map != nullptr ? map->clip.y : 0.0;
}

// A map and the bar of its range, whose top is that of the cells.
Figure with_bar(const Figure& panel, const Figure& bar, double gap) {
  Figure both = panel;
  const double top = top_of_cells(panel);
  append_moved(both, bar, {1.0, panel.width + gap, top});
  both.width = panel.width + gap + bar.width;
  both.height = std::max(panel.height, bar.height + top);
  return both;
}

// Sentence about the cells under a pixel of the panels, when there are several.
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

Figure small_map(const Drawing& drawing, const SmallMap& map, double width) {
  SmallScene scene{{drawing}, map, width};
  scene.gap = 0.4 * scene.font();
  scene.marked = map.marked;
  scene.rows = row_axis(*map.matrix);
  scene.columns = column_axis(drawing.result.shape(map.matrix->id().head), *map.matrix);
  const bool has_queries_and_keys = is_token_by_token(map.matrix->id());
  scene.window = clamped_window(has_queries_and_keys ? scene.options.window : CellWindow{},
                                map.matrix->extents());
  lay_out(scene);
  scene.right = scene.width - scene.clip.x - scene.clip.width;
  Figure figure{.width = width, .height = scene.clip.y + scene.clip.height + 0.2 * scene.font()};
  add_titles(figure, scene);
  add_cell_panel(figure, scene, matrix_of(scene));
  return figure;
}

Figure color_bar_figure(const Drawing& drawing, ColorBar bar, double height) {
  if (!drawing.options.color_bar) return {};
  bar.rect = {0.0, 0.0, 1.2 * drawing.font(), height};
  bar.font_size = drawing.font();
  bar.shown_by(drawing.options);
  Figure figure;
  add_color_bar(figure, bar, drawing.theme, drawing.metrics);
  figure.width = bar.rect.width + bar_room(bar, drawing.metrics);
  figure.height = height;
  return figure;
}

DrawPanel map_panel(const Drawing& drawing, SmallMap map, std::optional<ColorBar> own) {
  return [&drawing, map = std::move(map), own = std::move(own)](double width) {
    if (!own || !drawing.options.color_bar) return small_map(drawing, map, width);
    const double font = drawing.font();
    const Figure side = color_bar_figure(drawing, *own, 14.0 * font);
    const double gap = 0.8 * font;
    const double room = std::max(width - side.width - gap, 4.0 * font);
    return with_bar(small_map(drawing, map, room), side, gap);
  };
}

void add_panels(Page& page, const PanelGrid& grid) {
  const Drawing& drawing = page.drawing();
  const double font = drawing.font();
  const double gap = grid.gap * font;
  double room = page.width();
  std::optional<Figure> bar;
  if (grid.shared && drawing.options.color_bar) {
    bar = color_bar_figure(drawing, *grid.shared, grid.bar_height * font);
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
  if (!pooled.empty()) page.add_note(pooled);
}

}  // namespace attn
