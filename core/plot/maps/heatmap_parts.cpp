// Texts, positions and font sizes of the parts of a heatmap.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "base/enum_table.h"
#include "base/number_text.h"
#include "base/quotient_up.h"
#include "base/special_numbers.h"
#include "figure/colormap.h"
#include "plot/maps/heatmap.h"
#include "view/fields.h"

namespace attn {
namespace {

constexpr std::string_view kNonFinite = "not a number or infinite";
constexpr std::string_view kHiddenInOne = "−inf: hidden in A only; inf: hidden in B only";

// True if a token that sees no key has its own share, through the residuals of all layers.
bool keeps_residuals(const MatrixId& id) {
  const auto* made = std::get_if<made::FromWeights>(&id.making);
  return made != nullptr && derived_info(made->derived).of_all_layers;
}

std::vector<std::size_t> rows_to_mark(const HeatmapScene& scene) {
  const MatrixId& id = scene.matrix.id();
  const bool output = is_computed(id) && id.stage == Stage::Output;
  if (!output && scene.matrix.rules() == kVisible) return {};
  std::vector<std::size_t> rows = unseeing_rows(scene.derivations, scene.result, id.head);
  if (!keeps_residuals(id)) return rows;
  std::erase_if(rows, [&](std::size_t row) { return scene.matrix.hidden(row, row) == kVisible; });
  return rows;
}

// "each pixel shows the maximum of 3 × 3 cells".
std::string pooling_sentence(const MatrixItem& m, const HeatmapScene& scene) {
  if (m.row_step == 1 && m.col_step == 1) return "every cell is shown";
  return "each pixel shows the " + pooling_word(scene.options.pooling, scene.matrix) + " of " +
         std::to_string(m.row_step) + " × " + std::to_string(m.col_step) + " cells";
}

// The longest sentence, to reserve space: whole matrix drawn from a sample of its rows.
std::string longest_pooling_sentence(const HeatmapScene& scene, const Rect& clip) {
  const StageShape shape = scene.matrix.extents();
  MatrixItem whole{.row_step = quotient_up(shape.rows, most_texels(clip.height, scene.options)),
                   .col_step = quotient_up(shape.cols, most_texels(clip.width, scene.options))};
  std::string words = pooling_sentence(whole, scene);
  if (!scene.caption.cells) return words;
  PooledPart some;
  some.range.rows = shape.rows;
  some.rows_read = std::min(shape.rows - 1, kMapSide);
  return words + rows_read_words(some);
}

// True if the matrix is a difference of masked scores, in which one side may be hidden: -inf.
bool is_masked_difference(const std::optional<MatrixId>& id) {
  return id && id->stage == Stage::Masked && std::holds_alternative<made::Minus>(id->making);
}

// "the 5 largest numbers are written"; empty when all cells have numbers, or none.
std::string numbered_words(const PlotOptions& options) {
  const NumberedCells cells = numbered_cells(options.annotate).value_or(NumberedCells{});
  if (!options.values || cells.are_all() || cells.most == 0) return "";
  if (cells.above) return "numbers above " + short_text(*cells.above) + " are written";
  return "the " + counted(cells.most, "largest number") + (cells.most == 1 ? " is" : " are") +
         " written";
}

std::vector<LegendEntry> legend_of(const HeatmapScene& scene) {
  const Matrix& matrix = scene.matrix;
  std::vector<LegendEntry> legend = hatching_entries(matrix.id(), matrix.rules());
  if (!scene.unseeing.empty()) {
    const std::string what = scene.turn.transposed ? "columns that are all hatched: the query"
                                                   : std::string(kUnseeingMark);
    legend.push_back({CellLook::Mapped, what + (keeps_residuals(matrix.id())
                                                    ? " sees no key, and its own cell is hidden"
                                                    : " sees no key: weights and output are 0")});
  }
  if (const std::string words = numbered_words(scene.options); !words.empty()) {
    legend.push_back(LegendEntry{.text = words, .numbers = true});
  }
  if (const auto cells = matrix.summary(); cells && cells->non_finite > 0) {
    const bool of_masks = is_masked_difference(matrix.id());
    legend.push_back({CellLook::NonFinite, std::string(of_masks ? kHiddenInOne : kNonFinite)});
  }
  return legend;
}

// Text about the cells in view that are not finite; "" when there are none.
std::string non_finite_words(const MatrixItem& m) {
  const MatrixCells& cells = *m.cells;
  std::array<bool, count_of<NumberKind>()> found{};
  each_shown(m, [&](std::size_t i) {
    const bool hidden = !cells.hidden.empty() && cells.hidden[i] != kVisible;
    found[static_cast<std::size_t>(number_kind(cells.values[i], hidden))] = true;
  });
  const auto has = [&](NumberKind kind) { return found[static_cast<std::size_t>(kind)]; };
  if (has(NumberKind::Concealed)) return "concealed";
  const bool nan = has(NumberKind::NaN);
  const bool below = has(NumberKind::MinusInfinite);
  const bool above = has(NumberKind::Infinite);
  if (!nan && !below && !above) return "";
  if (nan || !is_masked_difference(m.origin)) return std::string(kNonFinite);
  if (below && above) return std::string(kHiddenInOne);
  return below ? "hidden in A only" : "hidden in B only";
}

ColorSubject subject_of(const HeatmapScene& scene) {
  return scene.caption.subject.value_or(subject_of(scene.result, scene.matrix.id()));
}

// Statistics of the cells that the colours span.
StatisticsPtr shown_cells(const HeatmapScene& scene) {
  if (scene.caption.seen != nullptr) return scene.caption.seen;
  const MatrixId& id = scene.matrix.id();
  if (!goes_by_pixels(scene.options, id, !scene.caption.cells)) {
    return shown_statistics(scene, scene.matrix, statistics_of_colors(scene, id));
  }
  const CellWindow all = clamped_window({}, scene.matrix.extents());
  const PooledPartPtr part = pooled_part(scene.derivations, *scene.caption.cells, all);
  return part != nullptr && part->seen != nullptr ? part->seen : std::make_shared<Statistics>();
}

// Sets the range of the bar's colours, and its text.
void set_range(HeatmapScene& scene) {
  const PlotOptions& options = scene.options;
  const ColorSubject subject = subject_of(scene);
  const bool by_numbers = spans_numbers(subject, options);
  const StatisticsPtr seen = by_numbers ? shown_cells(scene) : std::make_shared<Statistics>();
  const std::size_t rows = scene.matrix.extents().rows;
  ColorBar& bar = scene.bar;
  bar.range = color_range(subject, *seen, options, range_scope(scene.matrix.id(), options.range));
  if (seen->rows_read > 0) bar.range.basis += rows_so_far(seen->rows_read, rows);
  const bool draws_hidden = seen->hidden > 0 && !scene.matrix.is_masked();
  if (draws_hidden) bar.range.basis += ", hidden cells not counted";
  if (!options.shows_histogram()) return;
  bar.seen = shown_statistics(scene, scene.matrix, statistics_of_histogram(options));
  const std::string of_rows = rows_of_all(bar.seen->rows_read, rows);
  const bool is_sample = bar.seen->rows_read > 0 && !of_rows.empty();
  if (bar.seen != seen && is_sample) bar.range.basis += "; histogram of " + of_rows;
}

// --- positions and sizes ------------------------------------------------------------------------

// Sizes in font sizes.
constexpr double kTitleGap = 0.5, kAxisTitle = 1.5, kUsualBar = 20.0;
constexpr std::uint64_t kLeastCounted = 25;  // cells, for a histogram on a screen
constexpr double kMostBesideBar = 1.9;       // of words, in heights of the bar
constexpr double kSmallestSide = 3.0;
constexpr double kThinSide = 4.0;  // of a matrix with one row or column
constexpr double kLargestCellOnPaper = 12.0, kLargestCellOnScreen = 24.0;
constexpr double kSmallestCell = 1.35;  // for legible labels

// Lengths of a layout in progress, units.
struct Room {
  double left = 0.0, right = 0.0, above = 0.0, below = 0.0;
  double max_width = 0.0, max_height = 0.0;  // of the matrix
};

// Width of the title at one side of the matrix; 0 without one.
double axis_title_room(const PlotOptions& options) {
  return has_axis_titles(options) ? kAxisTitle * options.font_size : 0.0;
}

// Margin of the figure, units: small panes leave the space to the cells.
double margin_of(const PlotOptions& options) {
  constexpr double kOfSmallPane = 0.4;
  return (is_small_pane(options) ? kOfSmallPane : kMargin) * options.font_size;
}

double head_height(const HeatmapLayout& layout, const PlotOptions& options) {
  const double font = options.font_size;
  double height = margin_of(options);
  height += static_cast<double>(layout.title_lines.size()) * title_line(font);
  height += static_cast<double>(layout.subtitle_lines.size()) * subtitle_line(font);
  if (!layout.title_lines.empty() || !layout.subtitle_lines.empty()) height += kTitleGap * font;
  return height + axis_title_room(options);
}

Room horizontal_room(const HeatmapScene& scene, BarStyle style, double bar_height) {
  const PlotOptions& options = scene.options;
  const double font = scene.font();
  Room room;
  ColorBar bar = bar_in(scene, style);
  bar.rect.height = bar_height;
  const double labels = options.axes ? std::min(scene.widest_row, 0.22 * options.width) : 0.0;
  room.left = margin_of(options) + axis_title_room(options) + labels + scene.mark_width;
  if (options.axes || scene.mark_width > 0.0) room.left += scene.gap;
  room.right = margin_of(options);
  if (style != BarStyle::None) {
    room.right += (kBarGap + kBarWidth) * font + bar_room(bar, scene.metrics);
  }
  room.max_width = options.width - room.left - room.right;
  return room;
}

// Stretches the shorter side of a long matrix until its labels are legible, to at most 60 % of the
// available length.
double stretched(double side, std::size_t cells, std::size_t others, double font, double most) {
  const auto n = static_cast<double>(cells);
  if (n * 1.5 >= static_cast<double>(others)) return side;
  const double legible = std::min({kSmallestCell * font * n, 0.6 * most});
  return std::min(std::max({side, legible, kThinSide * font}), most);
}

// Square cells that fit, except for matrices that are much longer than wide or the reverse: their
// rectangle at the origin.
Rect matrix_sides(const HeatmapScene& scene, const Room& room, double most_cell) {
  const std::size_t rows = scene.rows.count, cols = scene.columns.count;
  const double font = scene.font();
  double cap = (scene.options.height > 0.0 ? kLargestCellOnScreen : kLargestCellOnPaper) * font;
  if (most_cell > 0.0) cap = std::min(cap, most_cell);
  const double cell =
      std::min({cap, room.max_width / static_cast<double>(std::max<std::size_t>(cols, 1)),
                room.max_height / static_cast<double>(std::max<std::size_t>(rows, 1))});
  return {0.0, 0.0, stretched(cell * static_cast<double>(cols), cols, rows, font, room.max_width),
          stretched(cell * static_cast<double>(rows), rows, cols, font, room.max_height)};
}

// Heights of labels depend on column widths and vice versa: the second pass has more height, so
// columns only get wider and the style still fits.
Rect settle(HeatmapScene& scene, Room& room) {
  const PlotOptions& options = scene.options;
  const double font = scene.font(), top = room.above;
  const double limit =
      0.22 * (options.height > 0.0 ? std::min(options.width, options.height) : options.width);
  double zone = options.axes ? std::min(scene.widest_column, limit) : 0.0;
  Rect sides;
  for (int pass = 0; pass < 2; ++pass) {
    room.above = std::max(top + zone + scene.gap, options.map_top);
    room.max_height = options.height <= 0.0 ? 1.25 * room.max_width
                                            : std::max(options.height - room.above - room.below,
                                                       kSmallestSide * font);
    sides = matrix_sides(scene, room, options.most_cell);
    ColumnSpace space{
        .cell = sides.width / static_cast<double>(std::max<std::size_t>(scene.columns.count, 1)),
        .widest = scene.widest_column};
    space.right = std::max(room.right, options.width - room.left - sides.width) -
                  margin_of(options) + space.cell / 2.0;
    if (sides.width < room.max_width) space.right -= (room.max_width - sides.width) / 2.0;
    space.height_limit = limit;
    space.counted = is_counted(scene.document, scene.columns);
    space.letters = stacked_letters(scene.document, scene.columns);
    if (options.axes) scene.column_style = column_style(space, font);
    zone = scene.column_style.height;
  }
  const Rect alone = matrix_sides(scene, room, 0.0);
  scene.layout.fit = {top + zone + scene.gap,
                      std::min(alone.width / static_cast<double>(scene.columns.count),
                               alone.height / static_cast<double>(scene.rows.count))};
  room.above = std::max(scene.layout.fit.top, options.map_top);
  return sides;
}

void place_texts(HeatmapScene& scene, const Room& room) {
  HeatmapLayout& layout = scene.layout;
  const double font = scene.font();
  const Rect& clip = scene.clip;
  layout.column_title = {clip.middle().x,
                         clip.y - scene.column_style.height - scene.gap - 0.55 * font};
  scene.row_labels = room.left - margin_of(scene.options) - axis_title_room(scene.options) -
                     scene.gap - scene.mark_width;
  const double top = clip.y - scene.column_style.height;
  layout.row_title_length = std::max(clip.height, layout.bar.height) + scene.column_style.height;
  const double half = std::min(4.5 * font, layout.row_title_length / 2.0);
  const double middle = clip.middle().y;
  layout.row_title = {clip.x - room.left + (kMargin + 0.55) * font,
                      std::clamp(middle, top + half, top + layout.row_title_length - half)};
}

// Centres the matrix horizontally, below the titles.
void place_matrix(HeatmapScene& scene, const Room& room, const Rect& sides) {
  HeatmapLayout& layout = scene.layout;
  const PlotOptions& options = scene.options;
  const double font = scene.font();
  const double spare = std::max(0.0, options.width - room.left - room.right - sides.width);
  scene.clip = {room.left + spare / 2.0, room.above, sides.width, sides.height};
  const double bar_height = layout.bar_style != BarStyle::None
                                ? std::max(sides.height, kShortestBar * font)
                                : sides.height;
  const double tallest = options.height > 0.0 ? room.max_height : bar_height;
  layout.bar = {scene.clip.right() + kBarGap * font, scene.clip.y, kBarWidth * font,
                std::max(sides.height, std::min(bar_height, tallest))};
  const double area = std::max(sides.height, layout.bar.height);
  const double content = room.above + area + room.below;
  layout.height = options.height > 0.0 && !scene.caption.snug ? options.height : content;
  layout.legend = scene.clip.y + area + 0.9 * font;
  scene.right = options.width - margin_of(options) - scene.clip.right();
}

// Chooses the parts of the colour bar that fit and that the options include.
BarStyle bar_beside(const HeatmapScene& scene, double bar_height) {
  const FontStyle small{secondary_size(scene.font())};
  const double words =
      scene.options.notes ? scene.metrics.measure(scene.bar.range.basis, small).width : 0.0;
  const auto width = [&](BarStyle style) {
    return horizontal_room(scene, style, bar_height).max_width;
  };
  if (!scene.options.color_bar) return BarStyle::None;
  const bool fits = scene.options.on_screen || words <= kMostBesideBar * bar_height;
  BarStyle style = fits ? BarStyle::Titled : BarStyle::Plain;
  double room = width(style);
  const auto slimmed = [&](BarStyle slim, double wanted, bool always) {
    if (slim <= style || room >= wanted) return;
    const double more = width(slim);
    if (more < wanted && !always) return;
    style = slim;
    room = more;
  };
  // Histogram and words give way to the labels of all columns.
  const double labels = kLabelPitch * scene.font() * static_cast<double>(scene.columns.count);
  slimmed(BarStyle::WithoutHistogram, labels, false);
  slimmed(BarStyle::Plain, labels, false);
  slimmed(BarStyle::Plain, 14.0 * scene.font(), true);
  return room < kSmallestSide * scene.font() ? BarStyle::None : style;
}

Figure legend_figure(const HeatmapScene& scene, std::span<const LegendEntry> legend, double width) {
  return legend_figure(scene, legend, scene.bar.range, width, scene.bar.offers);
}

// Computes the layout for a colour bar of this height.
void lay_out(HeatmapScene& scene, double bar_height) {
  HeatmapLayout& layout = scene.layout = {};
  const double font = scene.font();
  layout.bar_style = bar_beside(scene, bar_height);
  Room room = horizontal_room(scene, layout.bar_style, bar_height);
  room.max_width = std::max(room.max_width, kSmallestSide * font);
  const double margin = margin_of(scene.options), between = scene.options.width - 2.0 * margin;
  layout.title_lines = wrapped(scene.metrics, scene.title, title_font(font), between, kTitleLines);
  layout.subtitle_lines =
      wrapped(scene.metrics, scene.subtitle, subtitle_font(font), between, kTitleLines);
  const double legend = legend_figure(scene, scene.legend, between).height;
  room.above = head_height(layout, scene.options);
  room.below = margin + (legend > 0.0 ? legend + 0.6 * font : 0.0);
  place_matrix(scene, room, settle(scene, room));
  place_texts(scene, room);
}

// Lays out again while the bar is lower than expected, as its basis then takes more lines. Begins
// with the bar of an earlier layout.
void lay_out_once(HeatmapScene& scene) {
  double height = kUsualBar * scene.font();
  if (scene.layout.bar.height > 0.0) height = std::min(height, scene.layout.bar.height);
  lay_out(scene, height);
  while (scene.layout.bar.height < height - 1e-6) {
    height = scene.layout.bar.height;
    lay_out(scene, height);
  }
}

// True if a pixel holds several cells when the whole matrix is in view.
bool pools_cells(const HeatmapScene& scene) {
  const Rect& clip = scene.clip;
  return scene.rows.count > most_texels(clip.height, scene.options) ||
         scene.columns.count > most_texels(clip.width, scene.options);
}

// Sets the widest label of each side among every `stride`th.
void measure_labels(HeatmapScene& scene, std::size_t row_stride, std::size_t column_stride) {
  const auto widest = [&](const MatrixAxis& axis, std::size_t stride) {
    return widest_label(scene.document, axis, stride, scene.label_font(), scene.metrics,
                        12.0 * scene.font());
  };
  scene.widest_row = widest(scene.rows, row_stride);
  scene.widest_column = widest(scene.columns, column_stride);
}

// "Attention weight: 0 to 1"
std::string range_sentence(const ColorBar& bar) {
  return bar.has_basis ? bar.title + ": " + bar.range.basis : bar.title;
}

// Entries that occur among the matrix's texels, with texts for what occurs.
std::vector<LegendEntry> legend_in_view(const std::vector<LegendEntry>& legend,
                                        const MatrixItem& matrix) {
  const std::vector<HiddenRules>& hidden = matrix.cells->hidden;
  HiddenRules rules = kVisible;
  if (!hidden.empty()) each_shown(matrix, [&](std::size_t i) { rules |= hidden[i]; });
  std::vector<LegendEntry> shown;
  for (LegendEntry entry : legend) {
    if (entry.look == CellLook::Hidden) {
      entry.rules &= rules;
      if (entry.rules == kVisible) continue;
      entry.text = hidden_words(matrix.origin.value_or(MatrixId{}), entry.rules);
    }
    if (entry.look == CellLook::NonFinite) {
      entry.text = non_finite_words(matrix);
      if (entry.text.empty()) continue;
    }
    shown.push_back(std::move(entry));
  }
  return shown;
}

}  // namespace

std::string pooling_word(Pooling pooling, const Matrix& matrix) {
  if (pooling == Pooling::Mean) return "mean";
  return pools_by_magnitude(matrix) ? "largest magnitude" : "maximum";
}

ColorBar bar_in(const HeatmapScene& scene, BarStyle style) {
  ColorBar bar = scene.bar;
  const bool is_few = bar.seen != nullptr && bar.seen->cells < kLeastCounted;
  bar.titled = !scene.options.on_screen && style < BarStyle::Plain;  // a screen shows level words
  if (style != BarStyle::Titled || (is_few && scene.options.on_screen)) bar.seen = nullptr;
  if (scene.pools) {
    bar.range.basis +=
        ", " + pooling_word(scene.options.pooling, scene.matrix) + " of the cells under a pixel";
  }
  return bar;
}

// Paper reserves no width for labels that are left out; on screen they may come into view.
void lay_out(HeatmapScene& scene) {
  lay_out_once(scene);
  scene.pools = pools_cells(scene);
  if (scene.options.notes && scene.pools) {
    scene.legend.push_back({CellLook::Mapped, longest_pooling_sentence(scene, scene.clip), true});
    lay_out_once(scene);
  }
  constexpr double kLowestWithWords = 14.0;  // pane on a screen, in font sizes
  const bool has_words =
      scene.options.on_screen
          ? scene.options.notes || scene.options.height >= kLowestWithWords * scene.font()
          : scene.layout.bar_style >= BarStyle::Plain;
  if (scene.options.color_bar && has_words) {
    scene.legend.insert(scene.legend.begin(),
                        LegendEntry{.text = range_sentence(scene.bar), .range = true});
    lay_out_once(scene);
  }
  if (scene.options.height > 0.0 || scene.options.window != CellWindow{}) return;
  const double cell = scene.clip.height / static_cast<double>(scene.rows.count);
  const std::size_t rows = label_stride(kLabelPitch * scene.font(), cell);
  const std::size_t columns = scene.column_style.stride;
  if (rows == 1 && columns == 1) return;
  measure_labels(scene, rows, columns);
  lay_out_once(scene);
}

void add_legend(Figure& figure, const MatrixItem& m, const HeatmapScene& scene) {
  std::vector<LegendEntry> legend = legend_in_view(scene.legend, m);
  std::erase_if(legend, [&](const LegendEntry& entry) {
    return entry.numbers && cell_numbers(m, scene.options, scene.metrics).empty();
  });
  for (LegendEntry& entry : legend) {
    if (entry.range) entry.text = range_sentence(scene.bar);
    if (entry.pooling) entry.text = pooling_sentence(m, scene);
    if (entry.pooling && scene.part != nullptr) entry.text += rows_read_words(*scene.part);
  }
  const double margin = margin_of(scene.options);
  const Figure drawn = legend_figure(scene, legend, scene.options.width - 2.0 * margin);
  append_moved(figure, drawn, {1.0, margin, scene.layout.legend});
}

bool goes_by_pixels(const ViewOptions& options, const MatrixId& id, bool is_materialised) {
  return !is_materialised && !is_computed(id) && options.range == ColorSpan::Automatic;
}

bool shows_unseeing(const MatrixId& id) {
  if (!is_token_by_token(id)) return is_computed(id) && id.stage == Stage::Output;
  return id.stage == Stage::Masked || id.stage == Stage::Weights;
}

void set_parts(HeatmapScene& scene) {
  const double font = scene.font();
  if (scene.options.title != kNoTitle) {
    scene.title = title_of(scene);
    (scene.title.empty() ? scene.title : scene.subtitle) = scene.caption.matrix;
  }
  scene.gap = 0.5 * font;
  scene.rows = row_axis(scene.matrix);
  scene.columns = column_axis(scene.result.shape(scene.matrix.id().head), scene.matrix);
  if (scene.turn.transposed) std::swap(scene.rows, scene.columns);
  scene.rows.title = own_title(scene.options.y_title, scene.rows.title);
  scene.columns.title = own_title(scene.options.x_title, scene.columns.title);
  scene.unseeing = rows_to_mark(scene);
  if (!scene.unseeing.empty() && !scene.turn.transposed) {
    scene.mark_width = scene.metrics.measure(kUnseeingMark, scene.label_font()).width + scene.gap;
  }
  scene.legend = legend_of(scene);
  scene.bar.title = scene.caption.quantity;
  scene.bar.font_size = font;
  scene.bar.has_basis = scene.options.notes;
  scene.bar.offers = scene.options.on_screen && !scene.caption.subject;
  set_range(scene);
  measure_labels(scene, 1, 1);
}

}  // namespace attn
