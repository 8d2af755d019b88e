// Draws the heatmap of a matrix, with the whole of it in a corner while a part is in view.
#include "plot/maps/heatmap.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "engine/matrix/matrix.h"
#include "engine/read/derivation.h"
#include "plot/colors/color_range.h"
#include "plot/kit/axis.h"
#include "plot/kit/cells.h"
#include "plot/kit/drawing.h"
#include "plot/kit/pooled_part.h"
#include "plot/kit/statistics.h"
#include "plot/maps/heatmap_parts.h"

namespace attn {
namespace {

// In font sizes.
constexpr double kLeastSide = 8.0, kMostSide = 11.5;
constexpr double kOverviewMargin = 0.8, kEdge = 0.25;
constexpr double kShareOfClip = 0.25;  // of its shorter side
constexpr double kMostOfClip = 0.4;
constexpr double kThinnest = 0.15;             // of a long matrix, of its longer side
constexpr std::size_t kFewOverviewCells = 32;  // are large, and easily found again

CellWindow whole_window(const StageShape& extents) {
  return {0.0, 0.0, static_cast<double>(extents.rows), static_cast<double>(extents.cols)};
}

// A part is in view, of more than a few cells.
bool is_part(const Overview& o) {
  const StageShape extents = o.matrix.extents();
  const CellWindow whole = whole_window(extents);
  const bool has_many = std::max(extents.rows, extents.cols) >= kFewOverviewCells;
  return has_many && (o.window.rows < whole.rows || o.window.cols < whole.cols);
}

// In the upper right corner, which a causal mask leaves empty; width 0 where there is no room.
Rect place_of(const Overview& o) {
  const double font = o.options.font_size;
  const double shorter = std::min(o.clip.width, o.clip.height);
  const double side = std::clamp(kShareOfClip * shorter, kLeastSide * font, kMostSide * font);
  if (side > kMostOfClip * shorter) return {};
  const StageShape extents = o.matrix.extents();
  const double rows = static_cast<double>(extents.rows), cols = static_cast<double>(extents.cols);
  const double longer = std::max(rows, cols);
  const double width = side * std::max(cols / longer, kThinnest);
  const double height = side * std::max(rows / longer, kThinnest);
  return {o.clip.x + o.clip.width - width - kOverviewMargin * font,
          o.clip.y + kOverviewMargin * font, width, height};
}

// Of a matrix that somebody has: read once, and kept with the result.
PooledPartPtr read_now(const Overview& o) {
  const StageShape extents = o.matrix.extents();
  PooledMemo& memo = o.input.result.pooled_memo();
  const std::string key = "overview of " + text_of(o.matrix.id());
  if (auto known = std::dynamic_pointer_cast<const PooledPart>(memo.find(key))) return known;
  auto part = std::make_shared<PooledPart>();
  part->range = {0, 0, extents.rows, extents.cols};
  part->cells =
      pooled_by_rows(o.matrix, part->range, kOverviewSide, kOverviewSide, Pooling::Maximum);
  memo.keep(key, part);
  return part;
}

PooledPartPtr part_of(const Overview& o) {
  if (o.cells == nullptr) return read_now(o);
  if (o.input.derivations == nullptr) return nullptr;
  return pooled_part(*o.input.derivations, *o.cells, whole_window(o.matrix.extents()));
}

// The largest of each row as it is drawn, where colours are parts of it.
std::vector<float> tops_of(const MatrixCells& cells, const PlotOptions& options) {
  if (!has_parts_of_rows(options)) return {};
  std::vector<float> tops(cells.rows);
  for (std::size_t row = 0; row < cells.rows; ++row) {
    for (std::size_t col = 0; col < cells.cols; ++col) {
      const float value = cells.values[row * cells.cols + col];
      if (std::isfinite(value)) tops[row] = std::max(tops[row], value);
    }
  }
  return tops;
}

// A picture, whose cells are not to be pointed at.
MatrixItem item_of(const Overview& o, const PooledPart& part, const Rect& rect) {
  PlotOptions options = o.options;
  options.pixel_budget = kOverviewSide;
  MatrixItem item =
      matrix_item(o.matrix, part, whole_window(o.matrix.extents()), rect, o.scale, options);
  item.origin.reset();
  const std::vector<float> tops = tops_of(*item.cells, options);
  const RowTops rows{item.first_row, item.row_step, tops};
  return tinted(std::move(item), o.matrix, options, &rows);
}

void add_rect(Figure& figure, const Rect& rect, Color fill, Color stroke, double width) {
  figure.items.push_back(
      RectItem{.rect = rect, .fill = fill, .stroke = stroke, .stroke_width = width});
}

// The part in view, large enough to be seen, and inside the picture.
Rect frame_of(const Overview& o, const Rect& rect) {
  constexpr double kLeast = 5.0;
  const CellWindow whole = whole_window(o.matrix.extents());
  Rect frame;
  frame.width = std::clamp(o.window.cols / whole.cols * rect.width, kLeast, rect.width);
  frame.height = std::clamp(o.window.rows / whole.rows * rect.height, kLeast, rect.height);
  const double x = (o.window.col + o.window.cols / 2.0) / whole.cols * rect.width;
  const double y = (o.window.row + o.window.rows / 2.0) / whole.rows * rect.height;
  frame.x = rect.x + std::clamp(x - frame.width / 2.0, 0.0, rect.width - frame.width);
  frame.y = rect.y + std::clamp(y - frame.height / 2.0, 0.0, rect.height - frame.height);
  return frame;
}

void add_frame(Figure& figure, const Rect& frame, const FigureTheme& theme) {
  constexpr Color kNone{0, 0, 0, 0};
  add_rect(figure, frame, kNone, with_alpha(theme.background, 220), 3.5);
  add_rect(figure, frame, kNone, theme.accent, 1.5);
}

}  // namespace

void add_overview(Figure& figure, const Overview& o) {
  if (!o.options.overview || !is_part(o)) return;
  const Rect rect = place_of(o);
  const PooledPartPtr part = rect.width > 0.0 ? part_of(o) : nullptr;
  if (part == nullptr) return;
  const FigureTheme& theme = figure_theme(o.options.theme);
  const double edge = kEdge * o.options.font_size;
  add_rect(figure,
           {rect.x - edge, rect.y - edge, rect.width + 2.0 * edge, rect.height + 2.0 * edge},
           with_alpha(theme.background, 215), theme.muted, 0.75);
  figure.items.push_back(item_of(o, *part, rect));
  add_frame(figure, frame_of(o, rect), theme);
  figure.items.push_back(RectItem{
      .rect = rect, .hit = OverviewHit{rect, o.matrix.extents().rows, o.matrix.extents().cols}});
}

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
  std::optional<PooledQuestion> cells;  // how they were read beforehand, where nobody keeps them
  PooledPartPtr part = nullptr;
};

// --- the matrix ------------------------------------------------------------------------------

// A frame with nothing in it.
MatrixItem empty_item(const HeatmapScene& scene) {
  MatrixItem item;
  item.rect = item.clip = scene.layout.clip;
  item.cells = std::make_shared<MatrixCells>();
  item.scale = scene.parts.bar.scale;
  item.origin = scene.matrix.id();
  return item;
}

MatrixItem item_of_part(const HeatmapScene& scene) {
  if (scene.part == nullptr) return empty_item(scene);
  MatrixItem item = matrix_item(scene.matrix, *scene.part, scene.window, scene.layout.clip,
                                scene.parts.bar.scale, scene.options);
  const RowTops tops{scene.part->range.row, scene.part->cells.row_step, scene.part->tops};
  return tinted(std::move(item), scene.matrix, scene.options, &tops);
}

MatrixItem matrix_of(const HeatmapScene& scene) {
  if (scene.cells) return item_of_part(scene);
  return tinted(matrix_item(scene.matrix, scene.window, scene.layout.clip, scene.parts.bar.scale,
                            scene.options),
                scene.matrix, scene.options);
}

void add_waiting_words(Figure& figure, const HeatmapScene& scene) {
  const Rect& clip = scene.layout.clip;
  figure.items.push_back(text_item(
      {clip.x + clip.width / 2.0, clip.y + clip.height / 2.0}, "The map is not computed yet",
      {scene.layout.font_size, false, false}, scene.theme.muted, HAlign::Center, VAlign::Middle));
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
    next = middle + kLabelPitch * font.size / cell;
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
          .row_ink = axis_color(scene.parts.rows, scene.theme, scene.theme.ink),
          .column_ink = axis_color(scene.parts.columns, scene.theme, scene.theme.ink),
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
  const FontStyle font{l.font_size, false, false, true};
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

// "Attention weight: range 0 to 0.54"
std::string range_sentence(const ColorBar& bar) { return bar.title + ": " + bar.basis; }

void add_legend(Figure& figure, const MatrixItem& m, const HeatmapScene& scene) {
  const HeatmapLayout& l = scene.layout;
  std::vector<LegendEntry> legend = legend_in_view(scene.parts.legend, m);
  for (LegendEntry& entry : legend) {
    if (entry.range) entry.text = range_sentence(scene.parts.bar);
    if (entry.pooling) entry.text = pooling_sentence(m, scene.options.pooling);
    if (entry.pooling && scene.part != nullptr) entry.text += rows_read_words(*scene.part);
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
      RectItem frame{.rect = swatch.rect, .stroke = scene.theme.muted, .stroke_width = 0.5};
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
  const auto is_beyond = [&](float value) {
    return std::isfinite(value) && (high ? value > m.scale.high : value < m.scale.low);
  };
  const auto [rows, cols] = shown_texels(m);
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const float* texels = m.cells->values.data() + row * m.cells->cols;
    if (std::any_of(texels + cols.begin, texels + cols.end, is_beyond)) return true;
  }
  return false;
}

void add_bar(Figure& figure, const MatrixItem& m, const HeatmapScene& scene) {
  if (!scene.layout.bar_shown) return;
  ColorBar bar = scene.parts.bar;
  bar.rect = scene.layout.bar;
  bar.titled = scene.layout.bar_titled;
  bar.handles = scene.options.on_screen;
  bar.most_lines = basis_line_count(bar, scene.metrics);
  if (!scene.layout.histogram_shown) bar.seen = nullptr;
  if (!scene.matrix.is_masked()) {
    bar.beyond_low = bar.beyond_low || any_beyond(m, false);
    bar.beyond_high = bar.beyond_high || any_beyond(m, true);
  }
  if (m.row_step > 1 || m.col_step > 1) {
    bar.basis += ", " + pooling_word(scene.options.pooling) + " of the cells under a pixel";
  }
  add_color_bar(figure, bar, scene.theme, scene.metrics);
}

// Whether a pixel holds several cells while all of the matrix is in view.
bool pools_cells(const HeatmapScene& scene) {
  const Rect& clip = scene.layout.clip;
  return scene.parts.rows.count > most_texels(clip.height, scene.options) ||
         scene.parts.columns.count > most_texels(clip.width, scene.options);
}

// On paper no room is kept for labels that are left out; on screen they come into view.
void set_layout(HeatmapScene& scene) {
  scene.layout = lay_out(scene.parts, scene.options, scene.metrics);
  if (pools_cells(scene)) {
    scene.parts.legend.push_back(
        pooling_entry({scene.input, scene.matrix, scene.options, scene.cells}, scene.layout.clip));
    scene.layout = lay_out(scene.parts, scene.options, scene.metrics);
  }
  if (scene.options.color_bar && !(scene.layout.bar_shown && scene.layout.bar_titled)) {
    LegendEntry words{CellLook::Mapped, range_sentence(scene.parts.bar)};
    words.range = true;
    scene.parts.legend.insert(scene.parts.legend.begin(), std::move(words));
    scene.layout = lay_out(scene.parts, scene.options, scene.metrics);
  }
  if (scene.options.height > 0.0 || scene.options.window != CellWindow{}) return;
  const double cell = scene.layout.clip.height / static_cast<double>(scene.parts.rows.count);
  const std::size_t rows = label_stride(kLabelPitch * tick_size(scene.layout.font_size), cell);
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
  std::optional<PooledQuestion> cells;  // where nobody keeps them
  if (is_read_beforehand(source)) {
    cells = caption != nullptr ? caption->cells : pooled_question(input.result, options);
  }
  const StatisticsPtr seen = caption != nullptr ? caption->seen : nullptr;
  const HeatmapSubject subject{input, source, options, cells, seen};
  HeatmapScene scene{input, source, options, theme, metrics, parts_of(subject, metrics),
                     {},    {},     cells};
  if (caption != nullptr) set_caption(*caption, options, scene.parts);
  scene.window = clamped_window(options.window, shape);
  if (options.is_file() && options.title != "none") {  // where nobody can zoom out
    HeatmapParts& parts = scene.parts;
    (parts.subtitle.empty() ? parts.title : parts.subtitle) += part_words(parts, scene.window);
  }
  set_layout(scene);
  set_range(subject, scene.layout.clip, scene.parts);
  if (cells && input.derivations != nullptr) {
    scene.part = pooled_part(*input.derivations, *cells, scene.window);
  }
  Figure figure;
  figure.width = scene.layout.width;
  figure.height = scene.layout.height;
  figure.background = theme.background;
  figure.title = scene.parts.title;
  figure.alt_text = caption != nullptr ? alt_text_of(source, caption->matrix)
                                       : alt_text_of(input, source, options);
  const MatrixItem matrix = matrix_of(scene);
  add_cell_panel(figure, panel_of(scene), matrix);
  add_overview(figure, {input, source, options, scene.window, scene.layout.clip,
                        scene.parts.bar.scale, cells ? &*cells : nullptr});
  add_head(figure, scene);
  if (options.axes) add_axis_titles(figure, scene);
  add_unseeing_marks(figure, scene);
  add_bar(figure, matrix, scene);
  add_legend(figure, matrix, scene);
  if (matrix.cells->values.empty()) add_waiting_words(figure, scene);
  return figure;
}

// A file whose colours are given, and that draws nothing of the rest.
bool needs_the_part_alone(const PlotInput& input, const MatrixId& matrix,
                          const PlotOptions& options) {
  const bool in_unit =
      is_computed(matrix) && matrix.stage == Stage::Weights && has_scores(input.result.problem());
  const bool is_given =
      (options.range_low && options.range_high) || (options.range == ColorSpan::Unit && in_unit);
  return options.is_file() && is_given && !options.log && !options.shows_histogram() &&
         !options.overview;
}

std::vector<Need> color_needs(const PlotInput& input, const PooledQuestion& cells, bool is_kept,
                              const PlotOptions& options) {
  const bool by_pixels = !is_kept && has_range_of_pixels(cells, options.range);
  const StatisticsOptions how = statistics_of_colors(options);
  const StatisticsOptions of_bar = statistics_of_histogram(options);
  const std::size_t heads = how.all_heads && is_computed(cells.id) ? input.result.shape().heads : 1;
  std::vector<Need> needs;
  const bool of_cells = !by_pixels && !has_parts_of_rows(options);
  if (of_cells) needs = statistics_needs({cells, how, is_kept, heads});
  if (options.shows_histogram() && !(of_cells && of_bar == how)) {
    append(needs, statistics_needs({cells, of_bar, is_kept, 1, false}));
  }
  return needs;
}

}  // namespace

std::vector<Need> heatmap_needs(const PlotInput& input, const PooledQuestion& cells, bool is_kept,
                                const PlotOptions& options) {
  std::vector<Need> needs;
  const CellWindow window = clamped_window(options.window, cells.extents);
  const bool is_alone = needs_the_part_alone(input, cells.id, options);
  if (!is_kept) needs = is_alone ? window_needs(cells, window) : pooled_needs(cells, window);
  if (!is_alone) append(needs, color_needs(input, cells, is_kept, options));
  if (shows_unseeing(cells.id)) append(needs, unseeing_needs(input.result, cells.id.head));
  return needs;
}

std::vector<Need> heatmap_needs(const PlotInput& input, const PlotOptions& options) {
  const auto cells = pooled_question(input.result, options);
  const MatrixId id{options.stage, options.at};
  const PooledQuestion kept{id, extents_of(input.result.shape(id.head), id)};
  return heatmap_needs(input, cells.value_or(kept), !cells, options);
}

Status check_part(const PlotInput& input, const PooledQuestion& cells, const PlotOptions& options) {
  if (cells.extents.rows == 0 || cells.extents.cols == 0) return ok_status();
  const CellWindow window = clamped_window(options.window, cells.extents);
  const bool is_known =
      input.derivations != nullptr && pooled_part(*input.derivations, cells, window) != nullptr;
  return is_known ? ok_status() : Status(why_no_part(input.derivations, cells));
}

Result<Figure> heatmap_plot(const PlotInput& input, const PlotOptions& options,
                            const TextMetrics& metrics) {
  if (const auto cells = pooled_question(input.result, options)) {
    if (const Status known = check_part(input, *cells, options); !known) return known.error();
  }
  return heatmap(input, options, metrics);
}

Figure heatmap(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics) {
  const PlotOptions fitted = fitted_to(options, input.result);
  const MatrixId id{fitted.stage, fitted.at};
  const MatrixPtr matrix = stage_matrix(borrowed(input.result), id);
  if (matrix == nullptr) return empty_figure(fitted, figure_theme(fitted.theme));
  return drawn(input, *matrix, fitted, metrics, nullptr);
}

Figure heatmap(const PlotInput& input, const Matrix& matrix, const PlotOptions& options,
               const TextMetrics& metrics, const HeatmapCaption& caption) {
  return drawn(input, matrix, fitted_to(options, input.result), metrics, &caption);
}

}  // namespace attn
