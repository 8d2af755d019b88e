// Drawing one map of several.
#include "plot/small_map.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "plot/items.h"
#include "plot/marks.h"
#include "plot/matrix_item.h"

namespace attn {
namespace {

struct Scene {
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
  FontStyle label_font() const { return {0.8 * font(), false, false}; }
  double cell_width() const { return clip.width / window.cols; }
  double cell_height() const { return clip.height / window.rows; }
  std::size_t shown_rows() const {
    return map.shown_rows == 0 ? rows.count : std::min(map.shown_rows, rows.count);
  }
  double x_of(double col) const { return clip.x + (col - window.col) * cell_width(); }
  double y_of(double row) const { return clip.y + (row - window.row) * cell_height(); }
};

Color axis_color(const MatrixAxis& axis, const FigureTheme& theme) {
  if (!axis.tokens) return theme.muted;
  return axis.side == Side::Query ? theme.query : theme.key;
}

// Rows: wide enough for the labels, never more than a quarter of the figure. Depends on the whole
// matrix, so that nothing moves while one zooms.
void lay_out(Scene& scene) {
  const SmallMap& map = scene.map;
  const double gap = 0.4 * scene.font();
  const double titles = (map.subtitle.empty() ? 1.6 : 2.9) * scene.font();
  const FontStyle font = scene.label_font();
  scene.row_labels = widest_label(scene.document, scene.rows, 1, font, scene.metrics,
                                  std::max(0.25 * scene.width, 0.0));
  const double left = scene.row_labels + gap;
  const double columns = static_cast<double>(scene.columns.count);
  const double rows = static_cast<double>(scene.rows.count);
  const double room = std::max(scene.width - left - 0.2 * scene.font(), scene.font());
  double cell = room / columns;
  double height = map.height > 0.0 ? map.height : cell * rows;
  if (map.height <= 0.0 && map.most_height > 0.0) {
    height = std::min(height, map.most_height);
    cell = height / rows;
  }
  const double longest = 6.0 * scene.font();
  scene.widest_column =
      widest_label(scene.document, scene.columns, 1, font, scene.metrics, longest);
  scene.column_style = column_style(
      {cell, scene.widest_column, scene.width - left - cell * (columns - 0.5), longest}, font.size);
  scene.clip = {left, titles + scene.column_style.height + gap, cell * columns, height};
}

void add_titles(Figure& figure, const Scene& scene) {
  if (scene.map.opens) {
    RectItem area;
    area.rect = {0.0, 0.0, scene.width, 1.4 * scene.font()};
    area.hit = hit_of(*scene.map.opens);
    figure.items.push_back(area);
  }
  const FontStyle bold{0.95 * scene.font(), true, false};
  const FontStyle small{0.85 * scene.font(), false, false};
  const Color color = scene.map.marked ? scene.theme.accent : scene.theme.ink;
  figure.items.push_back(text_item(
      {0.0, scene.font()}, fitted(scene.metrics, scene.map.title, bold, scene.width), bold, color));
  if (scene.map.subtitle.empty()) return;
  figure.items.push_back(text_item({0.0, 2.3 * scene.font()},
                                   fitted(scene.metrics, scene.map.subtitle, small, scene.width),
                                   small, scene.theme.muted));
}

// Down to the last row that is shown.
Rect clip_of(const Scene& scene) {
  Rect clip = scene.clip;
  const double end = scene.y_of(static_cast<double>(scene.shown_rows()));
  clip.height = std::clamp(end - clip.y, 0.0, clip.height);
  return clip;
}

MatrixItem add_matrix(Figure& figure, const Scene& scene) {
  // A map of more cells than pixels shows the largest under each.
  constexpr std::size_t kMostTexels = 1024;
  PlotOptions options = scene.options;
  options.pixel_budget = kMostTexels;
  options.pooling = Pooling::Maximum;
  MatrixItem m = matrix_item(*scene.map.matrix, scene.window, scene.clip, scene.map.scale, options);
  m.clip = clip_of(scene);
  figure.items.push_back(m);
  RectItem frame;
  frame.rect = scene.clip;
  frame.stroke = scene.map.marked ? scene.theme.accent : scene.theme.muted;
  frame.stroke_width = scene.map.marked ? 1.5 : 0.75;
  figure.items.push_back(frame);
  return m;
}

bool is_hidden(const MatrixCells& cells, std::size_t i) {
  return !cells.hidden.empty() && cells.hidden[i] != kVisible;
}

// As large as all of them can be; 0: too small to read.
double number_size(const Scene& scene, const MatrixCells& cells) {
  const double largest = 0.8 * scene.font();
  double widest = 0.0;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    if (is_hidden(cells, i)) continue;
    const std::string text =
        fixed_text(static_cast<double>(cells.values[i]), scene.options.decimals);
    widest = std::max(widest, scene.metrics.measure(text, {largest, false, false}).width);
  }
  const double shrunk = largest * std::min(1.0, 0.85 * scene.cell_width() / std::max(widest, 1e-9));
  const double size = std::min(shrunk, 0.5 * scene.cell_height());
  return size < 0.6 * scene.font() ? 0.0 : size;
}

void add_numbers(Figure& figure, const Scene& scene, const MatrixItem& m) {
  constexpr std::size_t kMostNumbers = 2500;
  const MatrixCells& cells = *m.cells;
  const bool pooled = m.row_step > 1 || m.col_step > 1;
  if (!scene.options.values || pooled || cells.values.size() > kMostNumbers) return;
  const double size = number_size(scene, cells);
  if (size == 0.0) return;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    if (is_hidden(cells, i)) continue;
    const Rect cell = cell_rect(m, m.first_row + i / cells.cols, m.first_col + i % cells.cols);
    const bool whole =
        cell.width > 0.99 * scene.cell_width() && cell.height > 0.99 * scene.cell_height();
    if (!whole) continue;
    const Color ground = std::isfinite(cells.values[i])
                             ? m.scale.map->colors[color_index(m.scale, cells.values[i])]
                             : scene.theme.hatch_ground;
    figure.items.push_back(
        text_item({cell.x + cell.width / 2.0, cell.y + cell.height / 2.0},
                  fixed_text(static_cast<double>(cells.values[i]), scene.options.decimals),
                  {size, false, false}, readable_on(ground), HAlign::Center, VAlign::Middle));
  }
}

// Of the labels whose cell's middle is in view every strideth.
template <class Add>
void for_labels(double start, double length, std::size_t count, std::size_t stride,
                const Add& add) {
  for (std::size_t i = 0; i < count; i += stride) {
    const double middle = static_cast<double>(i) + 0.5;
    if (middle >= start && middle <= start + length) add(i, middle);
  }
}

HitId hit_of_label(const MatrixAxis& axis, std::size_t index) {
  return axis.tokens ? HitId(TokenHit{axis.side, axis.sample, index}) : HitId();
}

void add_row_labels(Figure& figure, const Scene& scene) {
  const FontStyle font = scene.label_font();
  const std::size_t stride = label_stride(1.2 * font.size, scene.cell_height());
  const Color color = axis_color(scene.rows, scene.theme);
  for_labels(scene.window.row, scene.window.rows, scene.rows.count, stride,
             [&](std::size_t i, double middle) {
               const std::string label = axis_label(scene.document, scene.rows, i);
               TextItem item =
                   text_item({scene.row_labels, scene.y_of(middle)},
                             fitted(scene.metrics, label, font, scene.row_labels + 1e-6), font,
                             color, HAlign::Right, VAlign::Middle);
               item.hit = hit_of_label(scene.rows, i);
               figure.items.push_back(std::move(item));
             });
}

// Wider columns have room for more labels; the zone that they take stays as it is.
ColumnStyle style_in_view(const Scene& scene) {
  const double right = scene.width - scene.clip.x - scene.clip.width;
  const ColumnStyle style =
      column_style({scene.cell_width(), scene.widest_column, right, scene.column_style.height},
                   scene.label_font().size);
  const bool whole = scene.window.cols >= static_cast<double>(scene.columns.count);
  const bool turns = scene.column_style.degrees == 0.0 && style.degrees != 0.0;
  return whole || turns ? scene.column_style : style;
}

void add_column_labels(Figure& figure, const Scene& scene) {
  const FontStyle font = scene.label_font();
  const ColumnStyle style = style_in_view(scene);
  const Color color = axis_color(scene.columns, scene.theme);
  const double foot = scene.clip.y - 0.4 * scene.font();
  const bool flat = style.degrees == 0.0;
  for_labels(scene.window.col, scene.window.cols, scene.columns.count, style.stride,
             [&](std::size_t i, double middle) {
               TextItem item = text_item(
                   {scene.x_of(middle), foot - (style.degrees == 45.0 ? 0.35 * font.size : 0.0)},
                   fitted(scene.metrics, axis_label(scene.document, scene.columns, i), font,
                          style.longest + 1e-6),
                   font, color, flat ? HAlign::Center : HAlign::Left,
                   flat ? VAlign::Baseline : VAlign::Middle);
               item.degrees = style.degrees;
               item.hit = hit_of_label(scene.columns, i);
               figure.items.push_back(std::move(item));
             });
}

// Others have cells of their own.
CellWindow window_of(const SmallMap& map, const PlotOptions& options) {
  const bool shared = is_token_by_token(map.matrix->id());
  return clamped_window(shared ? options.window : CellWindow{}, map.matrix->extents());
}

}  // namespace

Figure small_map(const PlotInput& input, const SmallMap& map, const PlotOptions& options,
                 const TextMetrics& metrics, double width) {
  Scene scene{input.document, map, options, figure_theme(options.theme), metrics, width};
  scene.rows = row_axis(*map.matrix);
  scene.columns = column_axis(input.result.shape(), *map.matrix);
  scene.window = window_of(map, options);
  lay_out(scene);
  Figure figure;
  figure.width = width;
  figure.height = scene.clip.y + scene.clip.height + 0.2 * scene.font();
  add_titles(figure, scene);
  const std::size_t item = figure.items.size();
  const MatrixItem m = add_matrix(figure, scene);
  add_numbers(figure, scene, m);
  add_part(figure, FigurePart::Kind::RowLabels, item, [&] { add_row_labels(figure, scene); });
  add_part(figure, FigurePart::Kind::ColumnLabels, item, [&] { add_column_labels(figure, scene); });
  add_pins(figure, item, options);
  return figure;
}

Figure color_bar_figure(ColorBar bar, const PlotOptions& options, const TextMetrics& metrics,
                        double height) {
  bar.rect = {0.0, 0.0, 1.2 * options.font_size, height};
  bar.font_size = options.font_size;
  Figure figure;
  add_color_bar(figure, bar, figure_theme(options.theme), metrics);
  figure.width = bar.rect.width + bar_room(bar, metrics);
  figure.height = height;
  return figure;
}

}  // namespace attn
