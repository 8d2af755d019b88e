// Drawing of small heatmaps, and grids of panels.
#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/text.h"
#include "plot/kit/axis.h"
#include "plot/kit/cells.h"
#include "plot/kit/legend.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

// Sizes in font sizes.
constexpr double kLargestOnPaper = 30.0;  // longer side of a map
constexpr double kLargestCell = 24.0, kLargestPaperCell = 12.0, kSmallestMap = 3.0;
constexpr double kLeastGrid = 17.9;  // height; lower panes scroll
constexpr double kTitleLine = 1.3, kPanelGap = 1.4, kRowGap = 1.0;
constexpr double kShortBar = 7.0, kShortBarOnScreen = 3.5;
constexpr double kWidePage = 36.0;  // has words next to bars

struct SmallScene : CellPanel {
  const SmallMap& map;
  PanelRoom room;
  PanelTitles titles{};
};

FontStyle panel_title_font(double font) { return {font, true, false, true}; }

// Rectangle of cells as large as the space next to the labels allows.
Rect cells_at(const SmallScene& scene, double left, double top) {
  const double font = scene.font(), least = kSmallestMap * font;
  const bool is_paper = scene.options.pane_height <= 0.0;
  const auto columns = static_cast<double>(scene.columns.count);
  const auto rows = static_cast<double>(scene.rows.count);
  double most = (is_paper ? kLargestPaperCell : kLargestCell) * font;
  if (is_paper) most = std::min(most, kLargestOnPaper * font / std::max(columns, rows));
  const double below = scene.room.height - top - 0.2 * font;
  const double across = std::max(scene.room.width - left - 0.2 * font, least) / columns;
  const double down = scene.room.height > 0.0 ? std::max(below, least) / rows : most;
  if (!scene.map.stretched) {
    const double cell = std::min({across, down, most});
    return {left, top, cell * columns, cell * rows};
  }
  const double height = std::min(down, (is_paper ? 1.6 : 4.0) * font);
  return {left, top, std::min(across, 4.0 * height) * columns, height * rows};
}

// Lays out labels and cells. Depends on the whole matrix, so that nothing moves while zooming.
// Labels of columns take height from the cells, whose width decides how the labels are drawn.
void lay_out(SmallScene& scene) {
  const PanelRoom& room = scene.room;
  const double font = scene.font();
  const FontStyle labels = scene.label_font();
  const bool names_rows = scene.options.axes && room.names_rows;
  const bool names_columns = scene.options.axes && room.names_columns;
  if (names_rows) {
    const double most = std::max(0.25 * room.width, std::min(4.5 * font, 0.4 * room.width));
    scene.row_labels = widest_label(scene.document, scene.rows, 1, labels, scene.metrics,
                                    room.row_labels > 0.0 ? room.row_labels : most);
  }
  const double longest = 6.0 * font;
  if (names_columns) {
    scene.widest_column =
        widest_label(scene.document, scene.columns, 1, labels, scene.metrics, longest);
  }
  const double left = names_rows ? scene.row_labels + scene.gap : 0.0;
  const double titles = scene.titles.height + 0.3 * font + scene.gap;
  double zone = 0.0;
  for (int pass = 0; pass < 3; ++pass) {
    scene.clip = cells_at(scene, left, std::max(titles + zone, room.top));
    scene.right = room.width - left - scene.clip.width;
    if (!names_columns) return;
    const double cell = scene.clip.width / static_cast<double>(scene.columns.count);
    scene.column_style = column_style(
        {cell, scene.widest_column, scene.right + cell / 2.0, longest,
         is_counted(scene.document, scene.columns), stacked_letters(scene.document, scene.columns)},
        labels.size);
    zone = std::max(zone, scene.column_style.height);
  }
  scene.clip.y = std::max(titles + zone, room.top);
}

// The item of the map; with more cells than pixels, each pixel shows the maximum of its cells.
MatrixItem matrix_of(const SmallScene& scene) {
  constexpr std::size_t kBudget = 1024;
  PlotOptions options = scene.options;
  options.pixel_budget = kBudget;
  options.pooling = Pooling::Maximum;
  options.range = ColorSpan::Automatic;  // the maps share one
  const SmallMap& map = scene.map;
  MatrixItem m = matrix_item(*map.matrix, map.part, scene.window, scene.clip, map.scale, options);
  const std::size_t all = scene.rows.count;
  const auto rows = static_cast<double>(map.shown_rows == 0 ? all : std::min(map.shown_rows, all));
  const double end =
      scene.clip.y + (rows - scene.window.row) * (scene.clip.height / scene.window.rows);
  m.clip.height = std::clamp(end - m.clip.y, 0.0, m.clip.height);
  return m;
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

SmallScene scene_of(const Drawing& drawing, const SmallMap& map, const PanelRoom& room) {
  SmallScene scene{{drawing}, map, room};
  scene.titles = panel_titles(drawing, map.title, map.subtitle, room.width);
  const double beside = map.bar ? width_of_bar(drawing, *map.bar) : 0.0;
  scene.room.width = std::max(room.width - beside, drawing.font());
  scene.gap = 0.4 * scene.font();
  scene.marked = map.marked;
  scene.rows = row_axis(*map.matrix);
  scene.columns = column_axis(drawing.result.shape(map.matrix->id().head), *map.matrix);
  const bool has_queries_and_keys = is_token_by_token(map.matrix->id());
  scene.window = clamped_window(has_queries_and_keys ? scene.options.window : CellWindow{},
                                map.matrix->extents());
  lay_out(scene);
  return scene;
}

bool has_upright_words(const Drawing& drawing) {
  return !drawing.options.on_screen && drawing.options.width >= kWidePage * drawing.font();
}

ColorBar bar_for(const Drawing& drawing, ColorBar bar, const Rect& cells) {
  const double font = drawing.font();
  const double least = drawing.options.on_screen ? kShortBarOnScreen : kShortBar;
  bar.rect = {cells.right() + kBarGap * font, cells.y, kBarWidth * font,
              std::max(cells.height, least * font)};
  bar.font_size = font;
  bar.has_basis = drawing.options.notes;
  bar.titled = has_upright_words(drawing);
  return bar;
}

struct Places {
  const Drawing& drawing;
  const PanelGrid& grid;
  const double page_width;
  const Tiling tiling;
  const double columns = static_cast<double>(tiling.columns);
  const double rows = static_cast<double>(tiling.rows);
  const double gap = kPanelGap * drawing.font();
  const double whole = page_width - gap * (columns - 1.0);
  const double left = grid.shares_labels ? first({.width = whole}).x : 0.0;
  const double width = (whole - left) / columns;
  const double above = grid.shares_labels ? top(true) - top(false) : 0.0;
  const double gaps = kRowGap * drawing.font() * (rows - 0.7);
  const double height =
      std::max((std::max(grid.height, kLeastGrid* drawing.font()) - above - gaps) / rows,
               4.0 * drawing.font());

  Rect first(const PanelRoom& room) const { return grid.panels.front().cells(room); }
  double top(bool names_columns) const {
    return first({.width = width, .names_rows = false, .names_columns = names_columns}).y;
  }

  PanelRoom room(std::size_t panel) const {
    PanelRoom room{.width = width, .height = height};
    if (!grid.shares_labels) return room;
    room.row_labels = left;
    room.names_rows = panel % tiling.columns == 0;
    room.names_columns = panel < tiling.columns;
    if (room.names_rows) room.width += left;
    if (room.names_columns) room.height += above;
    return room;
  }

  // Side of a square with the area of the smallest map.
  double size() const {
    double least = 1e9;
    for (std::size_t i = 0; i < grid.panels.size(); ++i) {
      const Rect cells = grid.panels[i].cells(room(i));
      least = std::min(least, std::sqrt(cells.width * cells.height));
    }
    return least;
  }
};

// The panels, those of a row with their cells aligned.
std::vector<Figure> drawn_in(const Places& places) {
  const std::size_t columns = places.tiling.columns;
  const std::vector<Panel>& panels = places.grid.panels;
  std::vector<Figure> drawn;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    PanelRoom room = places.room(i);
    const std::size_t first = i - i % columns;
    for (std::size_t j = first; j < std::min(first + columns, panels.size()); ++j) {
      room.top = std::max(room.top, panels[j].cells(places.room(j)).y);
    }
    drawn.push_back(panels[i].draw(room));
  }
  return drawn;
}

// Adds panels in rows and columns as wide as they need. Returns the rectangle around their cells.
Rect add_in(Figure& page, const Places& places, const std::vector<Figure>& drawn, double row_gap) {
  const std::size_t columns = places.tiling.columns;
  std::vector<double> widths(columns);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    widths[i % columns] = std::max(widths[i % columns], drawn[i].width);
  }
  Rect cells{0.0, -1.0, 0.0, 0.0};
  double x = 0.0, y = 0.0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (i % columns == 0) x = 0.0;
    if (i % columns == 0 && i > 0) y = page.height + row_gap;
    append_moved(page, drawn[i], {1.0, x, y});
    if (const MatrixItem* map = find_matrix(drawn[i])) {
      if (cells.y < 0.0) cells.y = map->clip.y;
      cells.height = y + map->clip.bottom() - cells.y;
    }
    page.width = std::max(page.width, x + widths[i % columns]);
    page.height = std::max(page.height, y + drawn[i].height);
    x += widths[i % columns] + places.gap;
  }
  cells.width = page.width;
  page.height += 0.3 * row_gap;
  return cells;
}

}  // namespace

PanelTitles panel_titles(const Drawing& drawing, const std::string& title,
                         const std::string& subtitle, double width) {
  const double font = drawing.font();
  PanelTitles titles{wrapped(drawing.metrics, title, panel_title_font(font), width, 3),
                     wrapped(drawing.metrics, subtitle, words_font(font), width, 6)};
  titles.width =
      std::max(widest_of(titles.bold, std::identity(), panel_title_font(font), drawing.metrics),
               widest_of(titles.small, std::identity(), words_font(font), drawing.metrics));
  titles.height = kTitleLine * font * static_cast<double>(titles.bold.size() + titles.small.size());
  return titles;
}

void add_titles(Figure& figure, const Drawing& drawing, const PanelTitles& titles, Color color) {
  const double font = drawing.font(), pitch = kTitleLine * font;
  const double y = add_lines(figure, titles.bold,
                             text_item({0.0, font}, "", panel_title_font(font), color), pitch);
  add_lines(figure, titles.small, text_item({0.0, y}, "", words_font(font), drawing.theme.muted),
            pitch);
}

Figure small_map(const Drawing& drawing, const SmallMap& map, const PanelRoom& room) {
  const SmallScene scene = scene_of(drawing, map, room);
  const Rect& clip = scene.clip;
  const double least = std::max(scene.titles.width, clip.right() + 0.2 * scene.font());
  const bool is_wide = scene.column_style.degrees == 45.0 && !map.bar;  // beyond the last column
  Figure figure{.width = is_wide ? scene.room.width : std::min(least, room.width),
                .height = clip.bottom() + 0.2 * scene.font()};
  if (map.opens) {
    figure.add(RectItem{.rect = {0.0, 0.0, figure.width, kTitleLine * scene.font()},
                        .hit = hit_of(*map.opens)});
  }
  add_titles(figure, scene, scene.titles, map.marked ? scene.theme.accent : scene.theme.ink);
  add_cell_panel(figure, scene, matrix_of(scene));
  if (map.bar) add_bar_beside(figure, drawing, *map.bar, clip);
  return figure;
}

double width_of_bar(const Drawing& drawing, const ColorBar& bar) {
  if (!drawing.options.color_bar) return 0.0;
  const auto room = [&](double height) {  // a low bar breaks words, a high one has more ticks
    return bar_room(bar_for(drawing, bar, {0.0, 0.0, 0.0, height}), drawing.metrics);
  };
  return (kBarGap + kBarWidth) * drawing.font() + std::max(room(0.0), room(kPageHeight));
}

void add_bar_beside(Figure& maps, const Drawing& drawing, ColorBar bar, const Rect& cells) {
  if (!drawing.options.color_bar) return;
  bar = bar_for(drawing, std::move(bar), cells);
  add_color_bar(maps, bar, drawing.theme, drawing.metrics);
  const double right = bar.rect.right() + bar_room(bar, drawing.metrics);
  maps.width = std::max(maps.width, right);
  maps.height = std::max(maps.height, bar.rect.bottom());
}

std::string sentence_of_bar(const Drawing& drawing, const ColorBar& bar) {
  const PlotOptions& options = drawing.options;
  const bool has_words = options.on_screen ? options.notes : !has_upright_words(drawing);
  if (!has_words || !options.color_bar) return "";
  const std::string basis = options.notes ? bar.range.basis : "";
  return bar.title + (basis.empty() ? "" : ": " + basis) + ".";
}

Panel map_panel(const Drawing& drawing, SmallMap map) {
  return {map.bar ? sentence_of_bar(drawing, *map.bar) : "",
          [&drawing, map](const PanelRoom& room) { return scene_of(drawing, map, room).clip; },
          [&drawing, map](const PanelRoom& room) { return small_map(drawing, map, room); }};
}

void add_panels(Page& page, PanelGrid grid) {
  if (grid.panels.empty()) return;  // nothing is computed yet
  const Drawing& drawing = page.drawing();
  std::vector<std::string> words = grid.notes;
  if (grid.shared) words.push_back(sentence_of_bar(drawing, *grid.shared));
  for (const Panel& panel : grid.panels) words.push_back(panel.sentence);
  if (grid.height <= 0.0) {
    grid.height = page.room(words, kPageHeight) - hatching_height(drawing, page.width());
  }
  double width = page.width();
  if (grid.shared) width -= width_of_bar(drawing, *grid.shared);
  width = std::max(width, 4.0 * drawing.font());
  constexpr double kEnough = 9.0;  // font sizes, for a title above each
  const auto size = [&](const Tiling& tried) { return Places{drawing, grid, width, tried}.size(); };
  const Tiling tiling = best_tiling(grid.panels.size(), drawing, size, kEnough);
  const Places places{drawing, grid, width, tiling};
  const std::vector<Figure> drawn = drawn_in(places);
  Figure whole;
  const Rect cells = add_in(whole, places, drawn, kRowGap * drawing.font());
  if (grid.shared) add_bar_beside(whole, drawing, *grid.shared, cells);
  page.add_part(whole, HAlign::Center);
  if (grid.shared) page.add_words(sentence_of_bar(drawing, *grid.shared));
  add_hatching_key(page, whole);
  page.add_note(pooled_words(drawn));
  for (const Panel& panel : grid.panels) page.add_words(panel.sentence);
  for (const std::string& text : grid.notes) page.add_note(text);
}

}  // namespace attn
