// Drawing one map of several.
#include "plot/parts/small_map.h"

#include <algorithm>
#include <cmath>

#include "figure/text.h"
#include "plot/parts/axis_labels.h"
#include "plot/parts/cell_panel.h"
#include "plot/parts/items.h"
#include "plot/parts/matrix_item.h"

namespace attn {
namespace {

struct SmallScene {
  const Document& document;
  const SmallMap& map;
  const PlotOptions& options;
  const FigureTheme& theme;
  const TextMetrics& metrics;
  double width;
  MatrixAxis rows{}, columns{};
  CellWindow window{};
  Rect clip{};
  ColumnStyle column_style{};
  double row_labels = 0.0;
  double widest_column = 0.0;

  double font() const { return options.font_size; }
  FontStyle label_font() const { return {font(), false, false}; }
  double cell_height() const { return clip.height / window.rows; }
  std::size_t shown_rows() const {
    return map.shown_rows == 0 ? rows.count : std::min(map.shown_rows, rows.count);
  }
  double y_of(double row) const { return clip.y + (row - window.row) * cell_height(); }
};

// Rows: wide enough for the labels, never more than a quarter of the figure. Depends on the whole
// matrix, so that nothing moves while one zooms.
void lay_out(SmallScene& scene) {
  const SmallMap& map = scene.map;
  const double gap = 0.4 * scene.font();
  const double titles = (map.subtitle.empty() ? 1.6 : 2.9) * scene.font();
  const FontStyle font = scene.label_font();
  const bool labelled = scene.options.axes;
  if (labelled) {
    scene.row_labels = widest_label(scene.document, scene.rows, 1, font, scene.metrics,
                                    std::max(0.25 * scene.width, 0.0));
  }
  const double left = scene.row_labels + (labelled ? gap : 0.0);
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
    scene.clip = {left, titles + gap, cell * columns, height};
    return;
  }
  const double longest = 6.0 * scene.font();
  scene.widest_column =
      widest_label(scene.document, scene.columns, 1, font, scene.metrics, longest);
  scene.column_style =
      column_style({cell, scene.widest_column, scene.width - left - cell * (columns - 0.5), longest,
                    is_counted(scene.document, scene.columns)},
                   font.size);
  scene.clip = {left, titles + scene.column_style.height + gap, cell * columns, height};
}

void add_titles(Figure& figure, const SmallScene& scene) {
  if (scene.map.opens) {
    RectItem area;
    area.rect = {0.0, 0.0, scene.width, 1.4 * scene.font()};
    area.hit = hit_of(*scene.map.opens);
    figure.items.push_back(area);
  }
  const FontStyle bold{scene.font(), true, false, true};
  const FontStyle small{secondary_size(scene.font()), false, false, true};
  const Color color = scene.map.marked ? scene.theme.accent : scene.theme.ink;
  figure.items.push_back(text_item(
      {0.0, scene.font()}, fitted(scene.metrics, scene.map.title, bold, scene.width), bold, color));
  if (scene.map.subtitle.empty()) return;
  figure.items.push_back(text_item({0.0, 2.3 * scene.font()},
                                   fitted(scene.metrics, scene.map.subtitle, small, scene.width),
                                   small, scene.theme.muted));
}

// Down to the last row that is shown.
Rect clip_of(const SmallScene& scene) {
  Rect clip = scene.clip;
  const double end = scene.y_of(static_cast<double>(scene.shown_rows()));
  clip.height = std::clamp(end - clip.y, 0.0, clip.height);
  return clip;
}

// A map of more cells than pixels shows the largest under each.
MatrixItem matrix_of(const SmallScene& scene) {
  constexpr std::size_t kMostTexels = 1024;
  PlotOptions options = scene.options;
  options.pixel_budget = kMostTexels;
  options.pooling = Pooling::Maximum;
  const SmallMap& map = scene.map;
  MatrixItem m =
      map.part != nullptr
          ? matrix_item(*map.matrix, *map.part, scene.window, scene.clip, map.scale, options)
          : matrix_item(*map.matrix, scene.window, scene.clip, map.scale, options);
  m.clip = clip_of(scene);
  return m;
}

CellPanel panel_of(const SmallScene& scene) {
  const FigureTheme& theme = scene.theme;
  const bool marked = scene.map.marked;
  return {.document = scene.document,
          .options = scene.options,
          .metrics = scene.metrics,
          .rows = scene.rows,
          .columns = scene.columns,
          .window = scene.window,
          .clip = scene.clip,
          .font = scene.label_font(),
          .row_ink = axis_color(scene.rows, theme, theme.ink),
          .column_ink = axis_color(scene.columns, theme, theme.ink),
          .gap = 0.4 * scene.font(),
          .row_labels = scene.row_labels,
          .widest_column = scene.widest_column,
          .right = scene.width - scene.clip.x - scene.clip.width,
          .column_style = scene.column_style,
          .frame = marked ? theme.accent : theme.muted,
          .frame_width = marked ? 1.5 : 0.75,
          .separated = true};
}

// Others have cells of their own.
CellWindow window_of(const SmallMap& map, const PlotOptions& options) {
  const bool shared = is_token_by_token(map.matrix->id());
  return clamped_window(shared ? options.window : CellWindow{}, map.matrix->extents());
}

}  // namespace

Figure small_map(const PlotInput& input, const SmallMap& map, const PlotOptions& options,
                 const TextMetrics& metrics, double width) {
  SmallScene scene{input.document, map, options, figure_theme(options.theme), metrics, width};
  scene.rows = row_axis(*map.matrix);
  scene.columns = column_axis(input.result.shape(), *map.matrix);
  scene.window = window_of(map, options);
  lay_out(scene);
  Figure figure;
  figure.width = width;
  figure.height = scene.clip.y + scene.clip.height + 0.2 * scene.font();
  add_titles(figure, scene);
  add_cell_panel(figure, panel_of(scene), matrix_of(scene));
  return figure;
}

Figure color_bar_figure(ColorBar bar, const PlotOptions& options, const TextMetrics& metrics,
                        double height) {
  if (!options.color_bar) return {};
  bar.rect = {0.0, 0.0, 1.2 * options.font_size, height};
  bar.font_size = options.font_size;
  Figure figure;
  add_color_bar(figure, bar, figure_theme(options.theme), metrics);
  figure.width = bar.rect.width + bar_room(bar, metrics);
  figure.height = height;
  return figure;
}

}  // namespace attn
