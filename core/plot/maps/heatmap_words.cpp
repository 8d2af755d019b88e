// Texts of a heatmap.
#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "engine/read/derivation.h"
#include "figure/colormap.h"
#include "plot/colors/color_range.h"
#include "plot/kit/cells.h"
#include "plot/kit/map_needs.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"
#include "plot/maps/heatmap.h"

namespace attn {
namespace {

constexpr std::string_view kNonFinite = "not a number or infinite";
constexpr std::string_view kHiddenInOne = "−inf: hidden in A only; inf: hidden in B only";

std::string stage_title(const AttentionProblem& problem, Stage stage) {
  if (stage == Stage::Scores) return "Scores " + formula_of(problem, stage);
  const StageInfo& info = stage_info(stage);
  return info.role == StageRole::Scores ? value_name(stage) + "s" : std::string(info.label);
}

// The largest weight, when all are so small that the colours hardly differ.
std::string faint_words(const Matrix& matrix) {
  constexpr float kFaint = 0.25F;
  const std::optional<Matrix::Summary> cells = matrix.summary();
  if (!cells || !(cells->high < kFaint)) return "";
  return ", largest " + short_text(static_cast<double>(cells->high), 2);
}

// Keys and values of grouped queries are shared by several heads.
std::string kv_head_of(const AttentionShape& shape, const PlotOptions& options) {
  const std::string words = key_value_head(shape, options.stage, options.at.head);
  if (words.empty()) return "";
  return " (" + words + " of " + std::to_string(shape.kv_heads) + ")";
}

std::string which_matrix(const AttentionProblem& problem, const PlotOptions& options) {
  const AttentionShape& shape = problem.shape;
  const HeadAddress& head = options.at;
  const bool per_head = stage_info(options.stage).per_head;
  const bool around = stage_info(options.stage).around_attention();
  return stage_title(problem, options.stage) +
         (around ? "" : which_attention(problem, head, ", ")) +
         numbered("layer", head.layer, layers_of(shape, options.stage)) +
         numbered("sample", head.sample, shape.samples) +
         (per_head ? numbered("head", head.head, shape.heads) : "") + kv_head_of(shape, options);
}

std::vector<std::size_t> rows_to_mark(const HeatmapSubject& subject) {
  const MatrixId& id = subject.matrix.id();
  const bool output = is_computed(id) && id.stage == Stage::Output;
  if (!output && subject.matrix.rules() == kVisible) return {};
  const auto* made = std::get_if<made::FromWeights>(&id.making);
  if (made != nullptr && derived_info(made->derived).of_all_layers) return {};  // residuals remain
  return unseeing_rows(subject.derivations, subject.result, id.head);
}

// The longest sentence, to reserve space: whole matrix drawn from a sample of its rows.
std::string longest_pooling_sentence(const HeatmapSubject& subject, const Rect& clip) {
  const StageShape shape = subject.matrix.extents();
  MatrixItem whole{.row_step = quotient_up(shape.rows, most_texels(clip.height, subject.options)),
                   .col_step = quotient_up(shape.cols, most_texels(clip.width, subject.options))};
  std::string words = pooling_sentence(whole, subject.options.pooling);
  if (!subject.caption.cells) return words;
  PooledPart some;
  some.range.rows = shape.rows;
  some.rows_read = std::min(shape.rows - 1, kMapSide);
  return words + rows_read_words(some);
}

// Whether the matrix is a difference of masked scores, in which one side may be hidden: -inf.
bool is_masked_difference(const std::optional<MatrixId>& id) {
  return id && id->stage == Stage::Masked && std::holds_alternative<made::Minus>(id->making);
}

std::vector<LegendEntry> legend_of(const HeatmapSubject& subject, bool any_unseeing) {
  const Matrix& matrix = subject.matrix;
  std::vector<LegendEntry> legend;
  const HiddenRules rules = matrix.rules();
  for (const Hatch& hatch : all_hatches()) {
    const auto of_it = static_cast<HiddenRules>(rules & hatch.rules);
    if (of_it != kVisible)
      legend.push_back({CellLook::Hidden, hidden_words(matrix.id(), of_it), false, of_it});
  }
  if (any_unseeing) {
    legend.push_back({CellLook::Mapped,
                      std::string(kUnseeingMark) + " sees no key: weights and output are 0", false,
                      kVisible});
  }
  if (const auto cells = matrix.summary(); cells && cells->non_finite > 0) {
    const bool of_masks = is_masked_difference(matrix.id());
    legend.push_back(
        {CellLook::NonFinite, std::string(of_masks ? kHiddenInOne : kNonFinite), false, kVisible});
  }
  return legend;
}

// Text about the cells in view that are not finite; "" when there are none.
std::string non_finite_words(const MatrixItem& m) {
  const MatrixCells& cells = *m.cells;
  bool below = false, above = false, nan = false;
  each_shown(m, [&](std::size_t i) {
    if (!cells.hidden.empty() && cells.hidden[i] != kVisible) return;
    nan = nan || std::isnan(cells.values[i]);
    if (std::isinf(cells.values[i])) (cells.values[i] < 0.0F ? below : above) = true;
  });
  if (!nan && !below && !above) return "";
  if (nan || !is_masked_difference(m.origin)) return std::string(kNonFinite);
  if (below && above) return std::string(kHiddenInOne);
  return below ? "hidden in A only" : "hidden in B only";
}

// Weights of which a pixel shows many: most pixels exceed the percentile of the cells.
bool goes_by_pixels(const HeatmapSubject& subject) {
  const ColorSpan span = subject.options.range;
  if (span != ColorSpan::Automatic && span != ColorSpan::Percentile) return false;
  if (!subject.caption.cells) return subject.options.stage == Stage::Weights;
  return !is_computed(subject.caption.cells->id) ||
         has_range_of_pixels(*subject.caption.cells, span);
}

StatisticsPtr pixels_of_part(const HeatmapSubject& subject, const Rect& clip) {
  const PooledPartPtr part = whole_part(subject.derivations, *subject.caption.cells);
  if (part == nullptr) return std::make_shared<Statistics>();
  const CellWindow all = clamped_window({}, subject.matrix.extents());
  return part->levels.pixels(part->cells, coarsening_of(*part, all, clip, subject.options));
}

// Read once for each size of the drawn matrix; null when every cell has a pixel.
StatisticsPtr pixels_read_now(const HeatmapSubject& subject, const Rect& clip) {
  const Matrix& matrix = subject.matrix;
  const PlotOptions& options = subject.options;
  const StageShape extents = matrix.extents();
  const std::size_t rows = most_texels(clip.height, options);
  const std::size_t cols = most_texels(clip.width, options);
  if (extents.rows <= rows && extents.cols <= cols) return nullptr;
  const std::string key = "pixels of " + text_of(matrix.id()) + ", " + std::to_string(rows) +
                          " × " + std::to_string(cols) + ", " + pooling_word(options.pooling);
  return cached<Statistics>(subject.result, key, [&] {
    const PooledCells pixels =
        pooled_by_rows(matrix, every_row(extents, 1), rows, cols, options.pooling);
    return std::make_shared<Statistics>(of_cells(pixels.values, pixels.hidden));
  });
}

// Statistics of the pixels of the whole matrix drawn in `clip`; null when colours span the cells.
StatisticsPtr shown_pixels(const HeatmapSubject& subject, const Rect& clip) {
  if (subject.caption.seen != nullptr || !goes_by_pixels(subject)) return nullptr;
  return subject.caption.cells ? pixels_of_part(subject, clip) : pixels_read_now(subject, clip);
}

StatisticsPtr shown_cells(const HeatmapSubject& subject) {
  if (subject.caption.seen != nullptr) return subject.caption.seen;
  return shown_statistics(subject, subject.matrix, statistics_of_colors(subject.options));
}

StatisticsPtr shown_histogram(const HeatmapSubject& subject, const StatisticsPtr& of_cells) {
  const StatisticsOptions how = statistics_of_histogram(subject.options);
  if (of_cells != nullptr && how == statistics_of_colors(subject.options)) return of_cells;
  return shown_statistics(subject, subject.matrix, how);
}

// "; histogram of 128 of 131,072 rows"
std::string histogram_words(const Statistics& seen, const Matrix& matrix) {
  const std::string rows = rows_of_all(seen.rows_read, matrix.extents().rows);
  return seen.rows_read == 0 || rows.empty() ? "" : "; histogram of " + rows;
}

// Tokens are counted from 1, features and positions from 0.
std::string side_words(const MatrixAxis& axis, double start, double length, const char* tokens,
                       const char* others) {
  const std::size_t from = axis.tokens ? 1 : 0;
  const auto first = static_cast<std::size_t>(start);
  const auto last = static_cast<std::size_t>(std::ceil(start + length - 1e-9)) - 1;
  return std::string(", ") + (axis.tokens ? tokens : others) + " " + grouped_text(first + from) +
         " to " + grouped_text(last + from) + " of " + grouped_text(axis.count);
}

}  // namespace

bool shows_unseeing(const MatrixId& id) {
  if (!is_token_by_token(id)) return is_computed(id) && id.stage == Stage::Output;
  return id.stage == Stage::Masked || id.stage == Stage::Weights;
}

HiddenRules rules_in_view(const MatrixItem& matrix) {
  const std::vector<HiddenRules>& hidden = matrix.cells->hidden;
  HiddenRules rules = kVisible;
  if (!hidden.empty()) each_shown(matrix, [&](std::size_t i) { rules |= hidden[i]; });
  return rules;
}

std::vector<LegendEntry> legend_in_view(const std::vector<LegendEntry>& legend,
                                        const MatrixItem& matrix) {
  const HiddenRules rules = rules_in_view(matrix);
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

std::string pooling_word(Pooling pooling) {
  return pooling == Pooling::Maximum ? "maximum" : "mean";
}

std::string pooling_sentence(const MatrixItem& m, Pooling pooling) {
  if (m.row_step == 1 && m.col_step == 1) return "every cell is shown";
  return "each pixel shows the " + pooling_word(pooling) + " of " + std::to_string(m.row_step) +
         " × " + std::to_string(m.col_step) + " cells";
}

void measure_labels(const Drawing& drawing, std::size_t row_stride, std::size_t column_stride,
                    HeatmapParts& parts) {
  const auto widest = [&](const MatrixAxis& axis, std::size_t stride) {
    return widest_label(drawing.document, axis, stride, {tick_size(drawing.font()), false, false},
                        drawing.metrics, 12.0 * drawing.font());
  };
  parts.widest_row = widest(parts.rows, row_stride);
  parts.widest_col = widest(parts.columns, column_stride);
}

LegendEntry pooling_entry(const HeatmapSubject& subject, const Rect& clip) {
  return {CellLook::Mapped, longest_pooling_sentence(subject, clip), true, kVisible};
}

void set_range(const HeatmapSubject& subject, const Rect& clip, HeatmapParts& parts) {
  const PlotOptions& options = subject.options;
  const StatisticsPtr pixels = shown_pixels(subject, clip);
  ColorBar& bar = parts.bar;
  if (bar.range.map != nullptr && pixels == nullptr && !parts.by_pixels) return;
  parts.by_pixels = pixels != nullptr;
  const StatisticsPtr cells = parts.by_pixels ? nullptr : shown_cells(subject);
  const StatisticsPtr& seen = parts.by_pixels ? pixels : cells;
  bar.range =
      color_range(*seen, options, range_scope(subject.matrix.id(), options.range), parts.by_pixels);
  const bool is_unit = bar.range.basis == "range 0 to 1";
  const std::size_t rows = subject.matrix.extents().rows;
  if (seen->rows_read > 0) bar.range.basis += rows_so_far(seen->rows_read, rows);
  if (is_unit) bar.range.basis += faint_words(subject.matrix);
  if (!options.shows_histogram()) return;
  if (bar.seen == nullptr) {
    bar.seen = shown_histogram(subject, subject.caption.seen == nullptr ? cells : nullptr);
  }
  if (bar.seen != cells) bar.range.basis += histogram_words(*bar.seen, subject.matrix);
}

HeatmapCaption caption_of(const FittedView& view) {
  return {which_matrix(view.result.problem(), view.options), value_name(view.options.stage), false,
          pooled_question(view.result, view.options)};
}

HeatmapParts parts_of(const HeatmapSubject& subject) {
  const double font = subject.font(), width = subject.options.width;
  HeatmapParts parts;
  if (subject.options.title != kNoTitle) {
    parts.title = title_of(subject);
    (parts.title.empty() ? parts.title : parts.subtitle) = subject.caption.matrix;
  }
  parts.snug = subject.caption.snug;
  parts.rows = row_axis(subject.matrix);
  parts.columns = column_axis(subject.result.shape(subject.matrix.id().head), subject.matrix);
  parts.counted_columns = is_counted(subject.document, parts.columns);
  parts.unseeing = rows_to_mark(subject);
  if (!parts.unseeing.empty()) {
    parts.mark_width =
        subject.metrics.measure(kUnseeingMark, {tick_size(font), false, false}).width +
        label_gap(font);
  }
  parts.legend = legend_of(subject, !parts.unseeing.empty());
  parts.bar.title = subject.caption.quantity;
  parts.bar.font_size = font;
  set_range(subject, {0.0, 0.0, width, width}, parts);
  measure_labels(subject, 1, 1, parts);
  return parts;
}

std::string part_words(const HeatmapParts& parts, const CellWindow& window) {
  std::string words;
  if (window.rows < static_cast<double>(parts.rows.count)) {
    words += side_words(parts.rows, window.row, window.rows, "queries", "rows");
  }
  if (window.cols < static_cast<double>(parts.columns.count)) {
    words += side_words(parts.columns, window.col, window.cols, "keys", "columns");
  }
  return words;
}

std::string alt_text_of(const Matrix& matrix, const std::string& name) {
  const StageShape shape = matrix.extents();
  const bool tokens = is_token_by_token(matrix.id());
  return "Heatmap of " + name + ": " +
         counted(shape.rows, tokens ? "query" : "token", tokens ? "queries" : "tokens") +
         " (rows) by " +
         counted(shape.cols, tokens ? "key" : "feature", tokens ? "keys" : "features") +
         " (columns)";
}

}  // namespace attn
