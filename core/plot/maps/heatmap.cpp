// Drawing the heatmap of a matrix.
#include "plot/maps/heatmap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "engine/matrix/matrix.h"
#include "plot/colors/spread.h"
#include "plot/colors/tints.h"
#include "plot/colors/weight_range.h"
#include "plot/maps/heatmap_layout.h"
#include "plot/maps/heatmap_words.h"
#include "plot/parts/axis_labels.h"
#include "plot/parts/cell_panel.h"
#include "plot/parts/items.h"
#include "plot/parts/matrix_item.h"
#include "plot/parts/pooled_part.h"

namespace attn {
namespace {

// What every step of drawing needs.
struct HeatmapScene {
  const PlotInput& input;
  const Matrix& matrix;
  const PlotOptions& options;  // fitted to the result
  const FigureTheme& theme;
  const TextMetrics& metrics;
  HeatmapParts parts;
  HeatmapLayout layout;
  CellWindow window;
  PooledPartPtr part = nullptr;  // where cells were computed beforehand
};

// --- the matrix ------------------------------------------------------------------------------

// Null: the cells are read while drawing.
PooledPartPtr part_of_scene(const HeatmapScene& scene) {
  if (!is_computed(scene.matrix.id()) || scene.input.derivations == nullptr) return nullptr;
  const auto question = pooled_question(scene.input.result, scene.options);
  return question ? pooled_part(*scene.input.derivations, *question, scene.window) : nullptr;
}

MatrixItem matrix_of(const HeatmapScene& scene) {
  const ColorScale& scale = scene.parts.bar.scale;
  MatrixItem item =
      scene.part ? matrix_item(scene.matrix, *scene.part, scene.window, scene.layout.clip, scale,
                               scene.options)
                 : matrix_item(scene.matrix, scene.window, scene.layout.clip, scale, scene.options);
  return tinted(std::move(item), scene.matrix, scene.options);
}

// --- labels ----------------------------------------------------------------------------------

// Beside the rows that see no key; not one above the other where rows are thinner than a line.
void add_unseeing_marks(Figure& figure, const HeatmapScene& scene) {
  const HeatmapLayout& l = scene.layout;
  const FontStyle font{tick_size(l.font_size), false, false};
  const double cell = l.clip.height / scene.window.rows;
  double next = 0.0;  // middle of the next row that has room for a mark
  for (const std::size_t i : scene.parts.unseeing) {
    const double middle = static_cast<double>(i) + 0.5;
    if (middle < std::max(next, scene.window.row)) continue;
    if (middle > scene.window.row + scene.window.rows) break;
    const Point at{l.clip.x - label_gap(l.font_size),
                   l.clip.y + (middle - scene.window.row) * cell};
    figure.items.push_back(text_item(at, std::string(kUnseeingMark), font, scene.theme.ink,
                                     HAlign::Right, VAlign::Middle));
    next = middle + 1.25 * font.size / cell;
  }
}

CellPanel panel_of(const HeatmapScene& scene) {
  const HeatmapLayout& l = scene.layout;
  return {.document = scene.input.document,
          .options = scene.options,
          .metrics = scene.metrics,
          .rows = scene.parts.rows,
          .columns = scene.parts.columns,
          .window = scene.window,
          .clip = l.clip,
          .font = {tick_size(l.font_size), false, false},
          .row_ink = scene.theme.ink,
          .column_ink = scene.theme.ink,
          .gap = label_gap(l.font_size),
          .row_labels = l.row_labels,
          .mark_width = scene.parts.mark_width,
          .widest_column = scene.parts.widest_col,
          .right = l.width - 0.9 * l.font_size - (l.clip.x + l.clip.width),
          .column_style = l.columns,
          .frame = scene.theme.muted,
          .separated = true};
}

void add_axis_titles(Figure& figure, const HeatmapScene& scene) {
  const HeatmapLayout& l = scene.layout;
  const FontStyle font{l.font_size, false, false};
  TextItem column = text_item(l.column_title, "", font,
                              axis_color(scene.parts.columns, scene.theme, scene.theme.ink));
  column.text = fitted(scene.metrics, scene.parts.columns.title, font, l.width - 2 * l.font_size);
  column.halign = HAlign::Center;
  const double half = scene.metrics.measure(column.text, font).width / 2.0;
  column.anchor.x = std::clamp(column.anchor.x, half + l.font_size / 2.0,
                               std::max(l.width - half - l.font_size / 2.0, half));
  figure.items.push_back(column);
  TextItem row =
      text_item(l.row_title, "", font, axis_color(scene.parts.rows, scene.theme, scene.theme.ink));
  row.text = fitted(scene.metrics, scene.parts.rows.title, font, l.row_title_length);
  row.halign = HAlign::Center;
  row.valign = VAlign::Middle;
  row.degrees = 90.0;
  figure.items.push_back(row);
}

void add_head(Figure& figure, const HeatmapScene& scene) {
  const HeatmapLayout& l = scene.layout;
  Point at = l.title;
  for (const std::string& line : l.title_lines) {
    figure.items.push_back(text_item(at, line, title_font(l.font_size), scene.theme.ink));
    at.y += title_line(l.font_size);
  }
  at = l.subtitle;
  for (const std::string& line : l.subtitle_lines) {
    figure.items.push_back(text_item(at, line, subtitle_font(l.font_size), scene.theme.muted));
    at.y += subtitle_line(l.font_size);
  }
}

void add_legend(Figure& figure, const MatrixItem& m, const HeatmapScene& scene) {
  const HeatmapLayout& l = scene.layout;
  std::vector<LegendEntry> legend = legend_in_view(scene.parts.legend, m);
  for (LegendEntry& entry : legend) {
    if (entry.pooling) entry.text = pooling_sentence(m, scene.options.pooling);
  }
  const LegendFlow flow = legend_flow(legend, l.legend.width, l.font_size, scene.metrics);
  const FontStyle font = legend_font(l.font_size);
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const LegendFlow::Entry& entry = flow.entries[i];
    Point at{l.legend.x + entry.start.x, l.legend.y + entry.start.y};
    if (legend[i].look != CellLook::Mapped) {
      MatrixItem swatch = m;
      auto cell = std::make_shared<MatrixCells>();
      cell->rows = cell->cols = 1;
      cell->values = {std::numeric_limits<float>::quiet_NaN()};
      cell->hidden = {legend[i].rules};
      swatch.cells = cell;
      swatch.origin.reset();
      swatch.rect = swatch.clip = {at.x, at.y, swatch_width(l.font_size), 0.95 * l.font_size};
      swatch.first_row = swatch.first_col = 0;
      swatch.row_step = swatch.col_step = swatch.row_count = swatch.col_count = 1;
      RectItem frame;
      frame.rect = swatch.rect;
      frame.stroke = scene.theme.muted;
      frame.stroke_width = 0.5;
      frame.hit = ColorBarHit{};  // part of the key to the colours, not a cell
      figure.items.push_back(std::move(swatch));
      figure.items.push_back(frame);
      at.x += swatch_width(l.font_size) + 0.5 * l.font_size;
    }
    at.y += 0.8 * l.font_size;
    for (const std::string& line : entry.lines) {
      figure.items.push_back(text_item(at, line, font, scene.theme.muted));
      at.y += legend_line(l.font_size);
    }
  }
}

// Values beyond the range. Those of hidden cells are not in the range of the stages that show them.
bool any_beyond(const MatrixItem& m, bool high) {
  return std::any_of(m.cells->values.begin(), m.cells->values.end(), [&](float value) {
    return std::isfinite(value) && (high ? value > m.scale.high : value < m.scale.low);
  });
}

void add_bar(Figure& figure, const MatrixItem& m, const HeatmapScene& scene) {
  if (!scene.layout.bar_shown) return;
  ColorBar bar = scene.parts.bar;
  bar.rect = scene.layout.bar;
  bar.titled = scene.layout.bar_titled;
  bar.handles = scene.options.handles;
  if (!scene.matrix.is_masked()) {
    bar.beyond_low = bar.beyond_low || any_beyond(m, false);
    bar.beyond_high = bar.beyond_high || any_beyond(m, true);
  }
  if (scene.part != nullptr) bar.basis += rows_read_words(*scene.part);
  if (m.row_step > 1 || m.col_step > 1) {
    bar.basis += ", " + pooling_word(scene.options.pooling) + " of the cells under a pixel";
  }
  add_color_bar(figure, bar, scene.theme, scene.metrics);
}

// On paper no room is kept for labels that are left out; on screen they come into view.
void set_layout(HeatmapScene& scene) {
  scene.layout = lay_out(scene.parts, scene.options, scene.metrics);
  if (scene.options.height > 0.0 || scene.options.window != CellWindow{}) return;
  const double cell = scene.layout.clip.height / static_cast<double>(scene.parts.rows.count);
  const std::size_t rows = label_stride(1.25 * tick_size(scene.layout.font_size), cell);
  const std::size_t columns = scene.layout.columns.stride;
  if (rows == 1 && columns == 1) return;
  measure_labels(scene.input.document, scene.options, scene.metrics, rows, columns, scene.parts);
  scene.layout = lay_out(scene.parts, scene.options, scene.metrics);
}

Figure empty_figure(const PlotOptions& options, const FigureTheme& theme) {
  Figure figure;
  figure.width = options.width;
  figure.height = options.height > 0.0 ? options.height : 6.0 * options.font_size;
  figure.background = theme.background;
  figure.alt_text = "An empty heatmap";
  TextItem text = text_item({figure.width / 2.0, figure.height / 2.0}, "No cells to show",
                            {options.font_size, false, false}, theme.muted);
  text.halign = HAlign::Center;
  text.valign = VAlign::Middle;
  figure.items.push_back(text);
  return figure;
}

// `options` are fitted to the result.
Figure drawn(const PlotInput& input, const Matrix& source, const PlotOptions& options,
             const TextMetrics& metrics, const HeatmapCaption* caption) {
  const FigureTheme& theme = figure_theme(options.theme);
  const StageShape shape = source.extents();
  if (shape.rows == 0 || shape.cols == 0) return empty_figure(options, theme);
  HeatmapScene scene{
      input, source, options, theme, metrics, parts_of(input, source, options, metrics), {}, {}};
  if (caption != nullptr) set_caption(*caption, options, scene.parts);
  set_layout(scene);
  scene.window = clamped_window(options.window, shape);
  scene.part = part_of_scene(scene);
  Figure figure;
  figure.width = scene.layout.width;
  figure.height = scene.layout.height;
  figure.background = theme.background;
  figure.title = scene.parts.title;
  figure.alt_text = caption != nullptr ? alt_text_of(source, caption->matrix)
                                       : alt_text_of(input, source, options);
  const MatrixItem matrix = matrix_of(scene);
  add_cell_panel(figure, panel_of(scene), matrix);
  add_head(figure, scene);
  add_axis_titles(figure, scene);
  add_unseeing_marks(figure, scene);
  add_bar(figure, matrix, scene);
  add_legend(figure, matrix, scene);
  return figure;
}

// --- what is found once, where reading all cells for every frame would take too long ------------

void add_range_need(const AttentionShape& shape, const MatrixId& id, const PlotOptions& options,
                    std::vector<Need>& needs) {
  constexpr std::size_t kStepsOfACell = 8;
  const std::size_t heads = options.range == ColorSpan::Heads ? shape.heads : 1;
  const StageShape extents = stage_shape(shape, id.stage);
  const std::size_t cells = element_count({extents.rows, extents.cols, heads});
  if (cells <= kReadAtOnce) return;
  const auto derive = [id, span = options.range](const Document& /*document*/,
                                                 const ResultPtr& result,
                                                 Progress* /*progress*/) -> Result<DerivationPtr> {
    const MatrixPtr weights = stage_matrix(result, id);
    return DerivationPtr(std::make_shared<KeptRange>(kept_range(*weights, span, result.get())));
  };
  const std::size_t gathered = std::min(cells, kMostGathered);
  needs.push_back({key_of_range(id, options.range), "Range of the colours",
                   element_count({gathered, kStepsOfACell}), derive,
                   element_count({gathered, sizeof(float)}), false});
}

void add_spread_need(const AttentionShape& shape, const MatrixId& id, const PlotOptions& options,
                     std::vector<Need>& needs) {
  constexpr std::size_t kStepsOfACell = 4;
  const StageShape extents = extents_of(shape, id);
  const std::size_t cells = element_count({extents.rows, extents.cols});
  if (cells <= kReadAtOnce) return;
  const bool in_rows = has_parts_of_rows(options);
  const auto derive = [id, in_rows](const Document& /*document*/, const ResultPtr& result,
                                    Progress* /*progress*/) -> Result<DerivationPtr> {
    return DerivationPtr(std::make_shared<Spread>(spread_of(*stage_matrix(result, id), in_rows)));
  };
  needs.push_back({key_of_spread(id, in_rows), "Histogram of the values",
                   element_count({cells, kStepsOfACell}), derive, 0, false});
}

// Weights, whose range depends on more than their ends, and what nobody has seen all of. The range
// of pixels is there with the map.
bool has_range_to_read(const AttentionResult& result, const PlotOptions& options) {
  const auto question = pooled_question(result, options);
  if (question && has_range_of_pixels(*question, options.range)) return false;
  return options.stage == Stage::Weights || !result.range(options.stage, options.at);
}

}  // namespace

std::vector<Need> heatmap_needs(const PlotInput& input, const PlotOptions& options) {
  const MatrixId id{options.stage, options.at, input.result.problem().part};
  std::vector<Need> needs;
  const auto question = pooled_question(input.result, options);
  if (question) {
    needs = pooled_needs(*question, clamped_window(options.window, question->extents));
  }
  if (has_range_to_read(input.result, options)) {
    add_range_need(input.result.shape(), id, options, needs);
  }
  if (options.histogram) add_spread_need(input.result.shape(), id, options, needs);
  return needs;
}

Figure heatmap(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics) {
  const PlotOptions fitted = fitted_to(options, input.result);
  const MatrixId id{fitted.stage, fitted.at, input.result.problem().part};
  const MatrixPtr matrix = stage_matrix(borrowed(input.result), id);
  if (matrix == nullptr) return empty_figure(fitted, figure_theme(fitted.theme));
  return drawn(input, *matrix, fitted, metrics, nullptr);
}

Figure heatmap(const PlotInput& input, const Matrix& matrix, const PlotOptions& options,
               const TextMetrics& metrics, const HeatmapCaption& caption) {
  return drawn(input, matrix, fitted_to(options, input.result), metrics, &caption);
}

}  // namespace attn
