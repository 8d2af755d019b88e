#include "plot/small_map.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "plot/items.h"

namespace attn {
namespace {

struct Scene {
  const Document& document;
  const SmallMap& map;
  const PlotOptions& options;
  const FigureTheme& theme;
  const TextMetrics& metrics;
  double width;
  Rect clip{};
  ColumnStyle columns{};
  double row_labels = 0.0;

  double font() const { return options.font_size; }
  FontStyle label_font() const { return {0.8 * font(), false, false}; }
  double cell_width() const { return clip.width / static_cast<double>(map.columns.count); }
  std::size_t shown_rows() const {
    return map.shown_rows == 0 ? map.rows.count : std::min(map.shown_rows, map.rows.count);
  }
  double cell_height() const { return clip.height / static_cast<double>(map.rows.count); }
};

Color axis_color(const MatrixAxis& axis, const FigureTheme& theme) {
  if (!axis.tokens) return theme.muted;
  return axis.side == Side::Query ? theme.query : theme.key;
}

// Rows: wide enough for the labels, never more than a quarter of the figure.
void lay_out(Scene& scene) {
  const SmallMap& map = scene.map;
  const double gap = 0.4 * scene.font();
  const double titles = (map.subtitle.empty() ? 1.6 : 2.9) * scene.font();
  const FontStyle font = scene.label_font();
  scene.row_labels = widest_label(scene.document, map.rows, 1, font, scene.metrics,
                                  std::max(0.25 * scene.width, 0.0));
  const double left = scene.row_labels + gap;
  const double columns = static_cast<double>(map.columns.count);
  const double rows = static_cast<double>(map.rows.count);
  const double room = std::max(scene.width - left - 0.2 * scene.font(), scene.font());
  double cell = room / columns;
  double height = map.height > 0.0 ? map.height : cell * rows;
  if (map.height <= 0.0 && map.most_height > 0.0) {
    height = std::min(height, map.most_height);
    cell = height / rows;
  }
  const double longest = 6.0 * scene.font();
  scene.columns = column_style(
      {cell, widest_label(scene.document, map.columns, 1, font, scene.metrics, longest),
       scene.width - left - cell * (columns - 0.5), longest},
      font.size);
  scene.clip = {left, titles + scene.columns.height + gap, cell * columns, height};
}

void add_titles(Figure& figure, const Scene& scene) {
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

void add_matrix(Figure& figure, const Scene& scene) {
  MatrixItem m;
  m.cells = scene.map.cells;
  m.row_step = scene.map.row_step;
  m.col_step = scene.map.col_step;
  m.row_count = scene.map.rows.count;
  m.col_count = scene.map.columns.count;
  const std::size_t rows = m.cells->rows * m.row_step, cols = m.cells->cols * m.col_step;
  m.rect = m.clip = scene.clip;
  m.rect.height = scene.cell_height() * static_cast<double>(rows);
  m.rect.width = scene.cell_width() * static_cast<double>(cols);
  m.clip.height = scene.cell_height() * static_cast<double>(scene.shown_rows());
  m.scale = scene.map.scale;
  m.hatch = scene.theme.hatch;
  m.hatch_ground = scene.theme.hatch_ground;
  figure.items.push_back(m);
  RectItem frame;
  frame.rect = scene.clip;
  frame.stroke = scene.map.marked ? scene.theme.accent : scene.theme.muted;
  frame.stroke_width = scene.map.marked ? 1.5 : 0.75;
  frame.hit = scene.map.hit;
  figure.items.push_back(frame);
}

bool is_hidden(const MatrixCells& cells, std::size_t i) {
  return !cells.hidden.empty() && cells.hidden[i] != kVisible;
}

void add_numbers(Figure& figure, const Scene& scene) {
  const MatrixCells& cells = *scene.map.cells;
  const bool pooled = scene.map.row_step > 1 || scene.map.col_step > 1;
  if (!scene.options.values || pooled || cells.values.size() > 2500) return;
  const double largest = 0.8 * scene.font();
  double widest = 0.0;
  const auto text_of = [&](std::size_t i) {
    return fixed_text(static_cast<double>(cells.values[i]), scene.options.decimals);
  };
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    if (is_hidden(cells, i)) continue;
    widest = std::max(widest, scene.metrics.measure(text_of(i), {largest, false, false}).width);
  }
  const double shrunk = largest * std::min(1.0, 0.85 * scene.cell_width() / std::max(widest, 1e-9));
  const double size = std::min(shrunk, 0.5 * scene.cell_height());
  if (size < 0.6 * scene.font()) return;
  for (std::size_t i = 0; i < scene.shown_rows() * cells.cols; ++i) {
    if (is_hidden(cells, i)) continue;
    const std::size_t row = i / cells.cols;
    const Point middle{
        scene.clip.x + (static_cast<double>(i % cells.cols) + 0.5) * scene.cell_width(),
        scene.clip.y + (static_cast<double>(row) + 0.5) * scene.cell_height()};
    const bool finite = std::isfinite(cells.values[i]);
    const Color ground =
        finite ? scene.map.scale.map->colors[color_index(scene.map.scale, cells.values[i])]
               : scene.theme.hatch_ground;
    figure.items.push_back(text_item(middle, text_of(i), {size, false, false}, readable_on(ground),
                                     HAlign::Center, VAlign::Middle));
  }
}

void add_row_labels(Figure& figure, const Scene& scene) {
  const FontStyle font = scene.label_font();
  const std::size_t stride = label_stride(1.2 * font.size, scene.cell_height());
  const Color color = axis_color(scene.map.rows, scene.theme);
  for (std::size_t i = 0; i < scene.map.rows.count; i += stride) {
    const double y = scene.clip.y + (static_cast<double>(i) + 0.5) * scene.cell_height();
    const std::string label = axis_label(scene.document, scene.map.rows, i);
    figure.items.push_back(text_item({scene.row_labels, y},
                                     fitted(scene.metrics, label, font, scene.row_labels + 1e-6),
                                     font, color, HAlign::Right, VAlign::Middle));
  }
}

void add_column_labels(Figure& figure, const Scene& scene) {
  const FontStyle font = scene.label_font();
  const ColumnStyle& style = scene.columns;
  const Color color = axis_color(scene.map.columns, scene.theme);
  const double foot = scene.clip.y - 0.4 * scene.font();
  for (std::size_t i = 0; i < scene.map.columns.count; i += style.stride) {
    const double x = scene.clip.x + (static_cast<double>(i) + 0.5) * scene.cell_width();
    const bool flat = style.degrees == 0.0;
    TextItem item =
        text_item({x, foot - (style.degrees == 45.0 ? 0.35 * font.size : 0.0)},
                  fitted(scene.metrics, axis_label(scene.document, scene.map.columns, i), font,
                         style.longest + 1e-6),
                  font, color, flat ? HAlign::Center : HAlign::Left,
                  flat ? VAlign::Baseline : VAlign::Middle);
    item.degrees = style.degrees;
    figure.items.push_back(std::move(item));
  }
}

}  // namespace

Figure small_map(const Document& document, const SmallMap& map, const PlotOptions& options,
                 const TextMetrics& metrics, double width) {
  Scene scene{document, map, options, figure_theme(options.theme), metrics, width};
  lay_out(scene);
  Figure figure;
  figure.width = width;
  figure.height = scene.clip.y + scene.clip.height + 0.2 * scene.font();
  add_titles(figure, scene);
  add_matrix(figure, scene);
  add_numbers(figure, scene);
  add_row_labels(figure, scene);
  add_column_labels(figure, scene);
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
