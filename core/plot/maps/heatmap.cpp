// Drawing of heatmaps of stages and of matrices made from weights, with an overview in a corner
// while a part is in view.
#include "plot/maps/heatmap.h"

#include <cmath>
#include <memory>
#include <utility>

#include "base/number_text.h"
#include "engine/matrix/derived.h"
#include "engine/matrix/layer_flow.h"
#include "engine/read/derivation.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

// --- the overview ----------------------------------------------------------------------------

// Sizes in font sizes.
constexpr double kLeastSide = 8.0, kMostSide = 11.5;
constexpr double kOverviewMargin = 0.8, kEdge = 0.25;
constexpr double kShareOfClip = 0.25;  // of its shorter side
constexpr double kMostOfClip = 0.4;
constexpr double kThinnest = 0.15;             // of a long matrix, relative to its longer side
constexpr std::size_t kFewOverviewCells = 32;  // fewer cells are large and easily found again

// True if a part of a matrix of more than a few cells is in view.
bool is_part(const HeatmapScene& s) {
  const StageShape extents = s.matrix.extents();
  const CellWindow whole = clamped_window({}, extents);
  const bool has_many = std::max(extents.rows, extents.cols) >= kFewOverviewCells;
  return has_many && (s.window.rows < whole.rows || s.window.cols < whole.cols);
}

// Rectangle in the upper right corner, empty under a causal mask; width 0 when too large.
Rect place_of(const HeatmapScene& s) {
  const double font = s.font();
  const double shorter = std::min(s.clip.width, s.clip.height);
  const double side = std::clamp(kShareOfClip * shorter, kLeastSide * font, kMostSide * font);
  if (side > kMostOfClip * shorter) return {};
  const StageShape extents = s.matrix.extents();
  const double rows = static_cast<double>(extents.rows), cols = static_cast<double>(extents.cols);
  const double longer = std::max(rows, cols);
  const double width = side * std::max(cols / longer, kThinnest);
  const double height = side * std::max(rows / longer, kThinnest);
  return {s.clip.right() - width - kOverviewMargin * font, s.clip.y + kOverviewMargin * font, width,
          height};
}

// Overview of a materialised matrix, read once and cached with the result.
PooledPartPtr read_now(const HeatmapScene& s) {
  const StageShape extents = s.matrix.extents();
  return cached<PooledPart>(s.result, "overview of " + text_of(s.matrix.id()), [&] {
    auto part = std::make_shared<PooledPart>();
    part->range = {0, 0, extents.rows, extents.cols};
    part->cells =
        pooled_by_rows(s.matrix, part->range, kOverviewSide, kOverviewSide, Pooling::Maximum);
    part->tops = coarsened(part->cells, 1, part->cells.cols).values;
    return part;
  });
}

// Item of the overview, whose cells have no hits.
MatrixItem item_of(const HeatmapScene& s, const PooledPart& part, const Rect& rect) {
  PlotOptions options = s.options;
  options.pixel_budget = kOverviewSide;
  MatrixItem item = matrix_item(s.matrix, &part, clamped_window({}, s.matrix.extents()), rect,
                                s.bar.range, options);
  item.origin.reset();
  return item;
}

// Frame of the part in view, inside the overview and large enough to see.
Rect frame_of(const HeatmapScene& s, const Rect& rect) {
  constexpr double kLeast = 5.0;
  const CellWindow whole = clamped_window({}, s.matrix.extents());
  Rect frame;
  frame.width = std::clamp(s.window.cols / whole.cols * rect.width, kLeast, rect.width);
  frame.height = std::clamp(s.window.rows / whole.rows * rect.height, kLeast, rect.height);
  const double x = (s.window.col + s.window.cols / 2.0) / whole.cols * rect.width;
  const double y = (s.window.row + s.window.rows / 2.0) / whole.rows * rect.height;
  frame.x = rect.x + std::clamp(x - frame.width / 2.0, 0.0, rect.width - frame.width);
  frame.y = rect.y + std::clamp(y - frame.height / 2.0, 0.0, rect.height - frame.height);
  return frame;
}

// Draws none when the whole matrix is in view, nothing is known of it, it has few cells, or it does
// not fit.
void add_overview(Figure& figure, const HeatmapScene& s) {
  if (!s.options.overview || s.turn != Turn{} || !is_part(s)) return;
  const Rect rect = place_of(s);
  if (rect.width <= 0.0) return;
  const CellWindow whole = clamped_window({}, s.matrix.extents());
  const PooledPartPtr part =
      !s.caption.cells ? read_now(s) : pooled_part(s.derivations, *s.caption.cells, whole);
  if (part == nullptr) return;
  figure.add(RectItem{.rect = rect.grown(kEdge * s.font()),
                      .fill = with_alpha(s.theme.background, 215),
                      .stroke = s.theme.muted,
                      .stroke_width = 0.75});
  figure.add(item_of(s, *part, rect));
  const Rect frame = frame_of(s, rect);
  figure.add(
      RectItem{.rect = frame, .stroke = with_alpha(s.theme.background, 220), .stroke_width = 3.5});
  figure.add(RectItem{.rect = frame, .stroke = s.theme.accent, .stroke_width = 1.5});
  figure.add(RectItem{.rect = rect,
                      .hit = OverviewHit{rect, s.matrix.extents().rows, s.matrix.extents().cols}});
}

// --- labels ----------------------------------------------------------------------------------

// Marks the rows that see no key at their end, thinned out where rows are thinner than a line of
// text.
void add_unseeing_marks(Figure& figure, const HeatmapScene& scene) {
  if (scene.turn.transposed) return;
  const FontStyle font = scene.label_font();
  const double cell = scene.clip.height / scene.window.rows;
  double next = 0.0;  // middle of the next row with space for a mark
  for (const std::size_t i : scene.unseeing) {
    const double middle = static_cast<double>(i) + 0.5;
    if (middle < std::max(next, scene.window.row)) continue;
    if (middle > scene.window.row + scene.window.rows) break;
    const double down = (middle - scene.window.row) * cell;
    const Point at{scene.clip.x - scene.gap,
                   scene.turn.upward ? scene.clip.bottom() - down : scene.clip.y + down};
    figure.add(text_item(at, std::string(kUnseeingMark), font, scene.theme.ink, HAlign::Right,
                         VAlign::Middle));
    next = middle + kLabelPitch * font.size / cell;
  }
}

void add_axis_titles(Figure& figure, const HeatmapScene& scene) {
  const HeatmapLayout& l = scene.layout;
  const FontStyle font{scene.font(), false, false, true};
  TextItem column = text_item(
      l.column_title,
      fitted(scene.metrics, scene.columns.title, font, scene.options.width - 2 * scene.font()),
      font, axis_color(scene.columns, scene.theme), HAlign::Center);
  const double half = scene.metrics.measure(column.text, font).width / 2.0;
  column.anchor.x = std::clamp(column.anchor.x, half + scene.font() / 2.0,
                               std::max(scene.options.width - half - scene.font() / 2.0, half));
  figure.add(std::move(column));
  TextItem row =
      text_item(l.row_title, fitted(scene.metrics, scene.rows.title, font, l.row_title_length),
                font, axis_color(scene.rows, scene.theme), HAlign::Center, VAlign::Middle);
  row.degrees = 90.0;
  figure.add(std::move(row));
}

void add_head(Figure& figure, const HeatmapScene& scene) {
  const HeatmapLayout& l = scene.layout;
  const double font = scene.font(), margin = kMargin * font;
  add_lines(figure, l.title_lines,
            text_item({margin, margin + 1.2 * font}, "", title_font(font), scene.theme.ink),
            title_line(font));
  const double below = margin + static_cast<double>(l.title_lines.size()) * title_line(font);
  add_lines(figure, l.subtitle_lines,
            text_item({margin, below + 0.95 * font}, "", subtitle_font(font), scene.theme.muted),
            subtitle_line(font));
}

// True if values are beyond the range by more than rounding; hidden cells do not count.
bool any_beyond(const MatrixItem& m, bool high) {
  const float end = high ? m.scale.high : m.scale.low, slack = 1e-6F * std::abs(end);
  bool any = false;
  each_shown(m, [&](std::size_t i) {
    const float value = m.cells->values[i];
    any |= std::isfinite(value) && (high ? value > end + slack : value < end - slack);
  });
  return any;
}

void add_bar(Figure& figure, const MatrixItem& m, const HeatmapScene& scene) {
  if (scene.layout.bar_style == BarStyle::None) return;
  ColorBar bar = bar_in(scene, scene.layout.bar_style);
  bar.rect = scene.layout.bar;
  bar.handles = scene.options.at_bar;
  bar.most_lines = basis_line_count(bar, scene.metrics);
  if (!scene.matrix.is_masked()) {
    bar.range.beyond_low = bar.range.beyond_low || any_beyond(m, false);
    bar.range.beyond_high = bar.range.beyond_high || any_beyond(m, true);
  }
  if (m.row_step == 1 && m.col_step == 1) bar.range.basis = scene.bar.range.basis;
  add_color_bar(figure, bar, scene.theme, scene.metrics);
}

// --- texts -----------------------------------------------------------------------------------

std::string stage_title(const AttentionProblem& problem, Stage stage) {
  if (stage == Stage::Scores) return "Scores " + formula_of(problem, stage);
  const StageInfo& info = stage_info(stage);
  return info.role == StageRole::Scores ? value_name(stage) + "s" : std::string(info.label);
}

std::string which_matrix(const AttentionProblem& problem, const PlotOptions& options) {
  const HeadAddress& head = options.at;
  const StageInfo& info = stage_info(options.stage);
  AttentionShape shape = problem.shape;
  shape.layers = layers_of(shape, options.stage);
  // Keys and values of grouped queries are shared by several heads.
  const std::string shared = key_value_head(shape, options.stage, head.head);
  return stage_title(problem, options.stage) +
         (info.around_attention() ? "" : which_attention(problem, head, ", ")) +
         address_words(shape, head, info.per_head) +
         (shared.empty() ? "" : " (" + shared + " of " + std::to_string(shape.kv_heads) + ")");
}

// Tokens are counted from 1, features and positions from 0.
std::string side_words(const MatrixAxis& axis, double start, double length, const char* others) {
  const char* const tokens = axis.side == Side::Query ? "queries" : "keys";
  const std::size_t from = axis.tokens ? 1 : 0;
  const auto first = static_cast<std::size_t>(start);
  const auto last = static_cast<std::size_t>(std::ceil(start + length - 1e-9)) - 1;
  return std::string(", ") + (axis.tokens ? tokens : others) + " " + grouped_text(first + from) +
         " to " + grouped_text(last + from) + " of " + grouped_text(axis.count);
}

// ", queries 3 to 8 of 20, keys 1 to 5 of 20": the part in view; empty for the whole matrix.
std::string part_words(const HeatmapScene& scene) {
  const CellWindow& window = scene.window;
  std::string words;
  if (window.rows < static_cast<double>(scene.rows.count)) {
    words += side_words(scene.rows, window.row, window.rows, "rows");
  }
  if (window.cols < static_cast<double>(scene.columns.count)) {
    words += side_words(scene.columns, window.col, window.cols, "columns");
  }
  return words;
}

std::string alt_text_of(const Matrix& matrix, const std::string& name, const Turn& turn) {
  const StageShape shape = matrix.extents();
  const bool tokens = is_token_by_token(matrix.id());
  const std::string sides[] = {"rows", "columns"};
  return "Heatmap of " + name + ": " +
         counted(shape.rows, tokens ? "query" : "token", tokens ? "queries" : "tokens") + " (" +
         sides[turn.transposed ? 1 : 0] + ") by " +
         counted(shape.cols, tokens ? "key" : "feature", tokens ? "keys" : "features") + " (" +
         sides[turn.transposed ? 0 : 1] + ")" + (turn.upward ? ", the first row below" : "");
}

Turn turn_of(const PlotOptions& options) {
  if (options.on_screen) return {};
  const MapRows rows = options.map_rows;
  return {.transposed = rows == MapRows::Keys || rows == MapRows::KeysUp,
          .upward = rows == MapRows::QueriesUp || rows == MapRows::KeysUp};
}

CellWindow swapped(const CellWindow& window) {
  return {window.col, window.row, window.cols, window.rows};
}

// The cells at the scene's position.
MatrixItem item_of(const HeatmapScene& s) {
  Rect clip = s.clip;
  if (s.turn.transposed) std::swap(clip.width, clip.height);
  const CellWindow window = s.turn.transposed ? swapped(s.window) : s.window;
  MatrixItem item = matrix_item(s.matrix, s.part.get(), window, clip, s.bar.range, s.options);
  return turned(std::move(item), s.turn, s.clip);
}

// --- needs -----------------------------------------------------------------------------------

Figure empty_figure(const Drawing& drawing) {
  Figure figure = blank_figure(drawing);
  figure.height = drawing.options.height > 0.0 ? drawing.options.height : 6.0 * drawing.font();
  figure.title = "";
  figure.alt_text = "An empty heatmap";
  figure.add(text_in({0.0, 0.0, figure.width, figure.height}, "No cells to show", {drawing.font()},
                     drawing.theme.muted));
  return figure;
}

// True if a file draws only the part in view, with colours that do not depend on the cells.
bool needs_the_part_alone(const FittedView& view, const MatrixId& matrix) {
  const PlotOptions& options = view.options;
  const bool is_given = (options.range_low && options.range_high) ||
                        !spans_numbers(subject_of(view.result, matrix), options);
  return options.is_file() && is_given && !options.log && !has_parts_of_rows(options) &&
         !options.shows_histogram() && !options.overview;
}

std::vector<Need> color_needs(const FittedView& view, const PooledQuestion& cells,
                              bool is_materialised) {
  const StatisticsOptions how = statistics_of_colors(view, cells.id);
  const StatisticsOptions of_bar = statistics_of_histogram(view.options);
  const std::size_t heads = how.all_heads && is_computed(cells.id) ? view.result.shape().heads : 1;
  std::vector<Need> needs;
  const bool of_cells = spans_numbers(subject_of(view.result, cells.id), view.options) &&
                        !has_parts_of_rows(view.options) &&
                        !goes_by_pixels(view.options, cells.id, is_materialised);
  if (of_cells) needs = statistics_needs({cells, how, is_materialised, heads});
  if (view.options.shows_histogram() && !(of_cells && of_bar == how)) {
    append(needs, statistics_needs({cells, of_bar, is_materialised, 1, false}));
  }
  return needs;
}

// "Attention rollout of 12 layers, residual share 0.5".
std::string words_for(const AttentionProblem& problem, const PlotOptions& options) {
  const AttentionShape& shape = problem.shape;
  const DerivedInfo& info = derived_info(options.derived);
  const HeadAddress& at = options.at;
  std::string words(derived_info(problem, options.derived, at).label);
  words += which_attention(problem, at, ", ");
  if (info.of_all_layers) {
    words +=
        shape.layers == 1 ? " of one layer" : " of " + std::to_string(shape.layers) + " layers";
    words += numbered("sample", at.sample, shape.samples);
    words += ", residual share " + short_text(options.residual, 3);
    const bool without_first = options.without_first && options.derived == Derived::Rollout;
    return words + (without_first ? ", first token left out, rows renormalised" : "");
  }
  return words + address_words(shape, at, info.derived == Derived::ValueNorm);
}

// A window makes a flow only if that takes a short time.
MatrixSource source_of(const PlotOptions& options) {
  const bool is_limited = options.derived == Derived::Flow && !options.is_file();
  return [at = options.at, how = made::FromWeights(options),
          is_limited](const Sources& from) -> Result<MatrixPtr> {
    const Status soon = is_limited ? check_flow_time(from.result->shape()) : ok_status();
    if (!soon) return soon.error();
    return derive(from.result, how, at, from.progress);
  };
}

// Question for a matrix made of one layer whose weights are not materialised; nothing for others.
std::optional<PooledQuestion> cells_when_read(const FittedView& view) {
  const PlotOptions& options = view.options;
  const bool is_stored = derived_info(options.derived).of_all_layers ||
                         is_materialised(view.result, Stage::Weights, options.at);
  if (is_stored) return std::nullopt;
  const AttentionShape shape = view.shape();
  const std::size_t heads = options.derived == Derived::HeadMean ? shape.heads : 1;
  PooledQuestion question{derived_id(options, options.at),
                          view.result.stage_shape(Stage::Weights, options.at), shape.d_k * heads,
                          shape.n_k, options.pooling};
  question.source = source_of(options);
  question.tops = has_parts_of_rows(options);
  return question;
}

}  // namespace

std::vector<Need> heatmap_needs(const FittedView& view, const PooledQuestion& cells,
                                bool is_materialised) {
  std::vector<Need> needs;
  const CellWindow window = clamped_window(view.options.window, cells.extents);
  const bool is_alone = needs_the_part_alone(view, cells.id);
  if (!is_materialised)
    needs = is_alone ? window_needs(cells, window) : pooled_needs(cells, window);
  if (!is_alone) append(needs, color_needs(view, cells, is_materialised));
  if (shows_unseeing(cells.id)) append(needs, unseeing_needs(view.result, cells.id.head));
  return needs;
}

std::vector<Need> heatmap_needs(const FittedView& view) {
  const auto cells = pooled_question(view.result, view.options);
  const MatrixId id{view.options.stage, view.options.at};
  const PooledQuestion kept{id, extents_of(view.result.shape(id.head), id)};
  return heatmap_needs(view, cells.value_or(kept), !cells);
}

Result<Figure> heatmap_plot(const Drawing& drawing) {
  const MatrixPtr matrix =
      stage_matrix(borrowed(drawing.result), {drawing.options.stage, drawing.options.at});
  if (matrix == nullptr) return empty_figure(drawing);
  const PlotOptions& options = drawing.options;
  return heatmap(drawing, *matrix,
                 {which_matrix(drawing.result.problem(), options), value_name(options.stage), false,
                  pooled_question(drawing.result, options)});
}

Result<Figure> heatmap(const Drawing& drawing, const Matrix& matrix, HeatmapCaption caption) {
  const PlotOptions& options = drawing.options;
  const StageShape shape = matrix.extents();
  if (shape.rows == 0 || shape.cols == 0) return empty_figure(drawing);
  if (is_materialised(matrix)) caption.cells.reset();
  HeatmapScene scene{{drawing}, matrix, caption};
  scene.window = clamped_window(options.window, shape);
  if (caption.cells) {
    scene.part = pooled_part(drawing.derivations, *caption.cells, scene.window);
    if (scene.part == nullptr) return why_no_part(drawing.derivations, *caption.cells);
  }
  scene.turn = turn_of(options);
  if (scene.turn.transposed) scene.window = swapped(scene.window);
  set_parts(scene);
  if (options.is_file() && options.title != kNoTitle) {  // a reader cannot zoom out
    (scene.subtitle.empty() ? scene.title : scene.subtitle) += part_words(scene);
  }
  const std::string changes = list_of(drawing.result.problem().what_if, drawing.result.shape());
  if (!changes.empty() && options.on_screen && !scene.title.empty()) {
    // Within the line of the title, so that no map moves when a head is changed.
    scene.title = fitted(scene.metrics, scene.title + ", changed: " + changes,
                         title_font(scene.font()), options.width - 2.0 * kMargin * scene.font());
  }
  lay_out(scene);
  Figure figure = blank_figure(drawing);
  figure.height = scene.layout.height;
  figure.fit = scene.layout.fit;
  figure.title = scene.title;
  figure.alt_text = alt_text_of(matrix, caption.matrix, scene.turn);
  const MatrixItem item = item_of(scene);
  add_cell_panel(figure, scene, item);
  add_overview(figure, scene);
  add_head(figure, scene);
  if (has_axis_titles(options)) add_axis_titles(figure, scene);
  add_unseeing_marks(figure, scene);
  add_bar(figure, item, scene);
  add_legend(figure, item, scene);
  return figure;
}

std::vector<Need> derived_needs(const FittedView& view) {
  const PlotOptions& options = view.options;
  const AttentionShape shape = view.shape();
  const auto cells = cells_when_read(view);
  Need need =
      need_for(derived_id(options, options.at), std::string(derived_info(options.derived).label),
               predicted_nanoseconds(shape, options.derived),
               predicted_bytes(shape, options.derived), source_of(options));
  if (!cells) {
    std::vector<Need> needs = unseeing_needs(view.result, derived_id(options, options.at).head);
    needs.insert(needs.begin(), std::move(need));
    return needs;
  }
  need.nanoseconds = element_count({shape.n_k, shape.d_v});
  need.bytes = predicted_bytes(shape, Derived::ValueNorm);
  std::vector<Need> needs = heatmap_needs(view, *cells, false);
  needs.insert(needs.begin(), std::move(need));
  return needs;
}

Result<Figure> derived_matrix(const Drawing& drawing) {
  const PlotOptions& options = drawing.options;
  const MatrixId id = derived_id(options, options.at);
  const MatrixPtr matrix = matrix_in(drawing, id);
  if (matrix == nullptr) return why_missing(drawing, text_of(id));
  const AttentionProblem& problem = drawing.result.problem();
  const HeatmapCaption caption{
      words_for(problem, options),
      std::string(derived_info(problem, options.derived, options.at).quantity), false,
      cells_when_read(drawing)};
  return heatmap(drawing, *matrix, caption);
}

}  // namespace attn
