// What a heatmap says of its matrix.
#include "plot/maps/heatmap_words.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "figure/hatch.h"
#include "plot/colors/stage_colors.h"
#include "plot/colors/tints.h"
#include "plot/colors/weight_range.h"
#include "plot/needs.h"
#include "plot/parts/matrix_item.h"
#include "plot/parts/pooled_part.h"
#include "plot/parts/range_needs.h"
#include "plot/parts/tokens.h"

namespace attn {
namespace {

std::string stage_title(const AttentionProblem& problem, Stage stage) {
  if (stage == Stage::Scores) return "Scores " + formula_of(problem, stage);
  const StageInfo& info = stage_info(stage);
  return info.role == StageRole::Scores ? value_name(stage) + "s" : std::string(info.label);
}

// Where all weights are so small that the colours hardly differ: how large they get.
std::string faint_words(const Matrix& matrix) {
  constexpr float kFaint = 0.25F;
  const std::optional<Matrix::Summary> cells = matrix.summary();
  if (!cells || !(cells->high < kFaint)) return "";
  return ", largest " + short_text(static_cast<double>(cells->high), 2);
}

std::string one_of(const char* what, std::size_t index, std::size_t count) {
  if (count <= 1) return "";
  return std::string(", ") + what + " " + std::to_string(index + 1) + " of " +
         std::to_string(count);
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
  return stage_title(problem, options.stage) + (around ? "" : which_attention(problem, ", ")) +
         one_of("layer", head.layer, layers_of(shape, options.stage)) +
         one_of("sample", head.sample, shape.samples) +
         (per_head ? one_of("head", head.head, shape.heads) : "") + kv_head_of(shape, options);
}

void add_titles(const PlotInput& input, const PlotOptions& options, HeatmapParts& parts) {
  if (options.title == "none") return;
  parts.title = options.title.empty() ? input.document.title : options.title;
  std::string& line = parts.title.empty() ? parts.title : parts.subtitle;
  line = which_matrix(input.result.problem(), options);
}

std::vector<std::size_t> rows_to_mark(const HeatmapSubject& subject) {
  const MatrixId& id = subject.matrix.id();
  const bool output = is_computed(id) && id.stage == Stage::Output;
  if (!output && subject.matrix.rules() == kVisible) return {};
  return unseeing_rows(subject.input.derivations, subject.input.result, id.head);
}

// Room for the longest sentence: of the whole matrix, of a part of whose rows it is drawn.
std::string longest_pooling_sentence(const HeatmapSubject& subject, const Rect& clip) {
  const StageShape shape = subject.matrix.extents();
  MatrixItem whole;
  whole.row_step = quotient_up(shape.rows, most_texels(clip.height, subject.options));
  whole.col_step = quotient_up(shape.cols, most_texels(clip.width, subject.options));
  std::string words = pooling_sentence(whole, subject.options.pooling);
  if (!subject.cells) return words;
  PooledPart some;
  some.range.rows = shape.rows;
  some.rows_read = std::min(shape.rows - 1, kMapSide);
  return words + rows_read_words(some);
}

std::vector<LegendEntry> legend_of(const HeatmapSubject& subject, bool any_unseeing) {
  const Matrix& matrix = subject.matrix;
  std::vector<LegendEntry> legend;
  const HiddenRules rules = matrix.rules();
  for (const Hatch& hatch : all_hatches()) {
    const auto of_it = static_cast<HiddenRules>(rules & hatch.rules);
    if (of_it != kVisible)
      legend.push_back({CellLook::Hidden, hidden_sentence(of_it), false, of_it});
  }
  if (any_unseeing) {
    legend.push_back({CellLook::Mapped,
                      std::string(kUnseeingMark) + " sees no key: weights and output are 0", false,
                      kVisible});
  }
  if (const auto cells = matrix.summary(); cells && cells->non_finite > 0) {
    legend.push_back({CellLook::NonFinite, "not a number or infinite", false, kVisible});
  }
  return legend;
}

bool has_non_finite(const MatrixItem& m) {
  const MatrixCells& cells = *m.cells;
  const auto [rows, cols] = shown_texels(m);
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    for (std::size_t i = row * cells.cols + cols.begin; i < row * cells.cols + cols.end; ++i) {
      const bool hidden = !cells.hidden.empty() && cells.hidden[i] != kVisible;
      if (!hidden && !std::isfinite(cells.values[i])) return true;
    }
  }
  return false;
}

}  // namespace

bool shows_unseeing(const MatrixId& id) {
  if (!is_token_by_token(id)) return is_computed(id) && id.stage == Stage::Output;
  return id.stage == Stage::Masked || id.stage == Stage::Weights;
}

HiddenRules rules_in_view(const MatrixItem& matrix) {
  const MatrixCells& cells = *matrix.cells;
  if (cells.hidden.empty()) return kVisible;
  const auto [rows, cols] = shown_texels(matrix);
  HiddenRules rules = kVisible;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const HiddenRules* texels = cells.hidden.data() + row * cells.cols;
    for (std::size_t col = cols.begin; col < cols.end; ++col) rules |= texels[col];
  }
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
      entry.text = hidden_sentence(entry.rules);
    }
    if (entry.look == CellLook::NonFinite && !has_non_finite(matrix)) continue;
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

void measure_labels(const Document& document, const PlotOptions& options,
                    const TextMetrics& metrics, std::size_t row_stride, std::size_t column_stride,
                    HeatmapParts& parts) {
  const FontStyle font{tick_size(options.font_size), false, false};
  const double longest = 12.0 * options.font_size;
  parts.widest_row = widest_label(document, parts.rows, row_stride, font, metrics, longest);
  parts.widest_col = widest_label(document, parts.columns, column_stride, font, metrics, longest);
}

namespace {

bool is_long(const Matrix& matrix, std::size_t heads) {
  const StageShape extents = matrix.extents();
  return element_count({extents.rows, extents.cols, heads}) > kReadAtOnce;
}

// Weights, whose range depends on more than their ends, and what nobody has seen all of.
bool has_range_to_find(const Matrix& matrix) {
  if (!is_computed(matrix.id())) return false;
  return matrix.id().stage == Stage::Weights || !matrix.summary();
}

std::optional<KeptRange> shown_pixels(const HeatmapSubject& subject) {
  const auto& cells = subject.cells;
  if (!cells || subject.input.derivations == nullptr) return std::nullopt;
  const bool has_other =
      is_computed(cells->id) && !has_range_of_pixels(*cells, subject.options.range);
  return has_other ? std::nullopt : range_of_pixels(*subject.input.derivations, *cells);
}

// What the frame reads itself, of matrices that somebody keeps; of long ones a part of the rows.
ColorRange range_read_now(const HeatmapSubject& subject) {
  const PlotOptions& options = subject.options;
  const AttentionResult* result = &subject.input.result;
  const std::size_t heads = options.range == ColorSpan::Heads ? result->shape().heads : 1;
  const bool is_looked_for = has_range_to_find(subject.matrix) && is_long(subject.matrix, heads);
  if (!is_looked_for) return color_range(subject.matrix, options, result);
  const KeptRange so_far = range_so_far(subject.matrix, options.range, result);
  return color_range(subject.matrix, options, result, &so_far);
}

// The one that was found, or what is known until it is.
ColorRange shown_range(const HeatmapSubject& subject) {
  const PlotOptions& options = subject.options;
  const AttentionResult* result = &subject.input.result;
  const Matrix& matrix = subject.matrix;
  if (subject.range != nullptr) return color_range(matrix, options, result, subject.range);
  if (const auto kept = known_range(subject.input.derivations, matrix.id(), options.range)) {
    return color_range(matrix, options, result, kept.get());
  }
  if (!subject.cells) return range_read_now(subject);
  const KeptRange pixels = shown_pixels(subject).value_or(KeptRange());
  return color_range(matrix, options, result, &pixels);
}

// Of some rows, or as long as nobody counted those of a map that is read beforehand, of none.
SpreadPtr shown_spread(const HeatmapSubject& subject) {
  const bool in_rows = has_parts_of_rows(subject.options);
  const MatrixId& id = subject.matrix.id();
  if (auto known = known_spread(subject.input.derivations, id, in_rows)) return known;
  if (subject.cells) return std::make_shared<Spread>();
  return std::make_shared<Spread>(spread_of(subject.matrix, in_rows, kReadAtOnce));
}

// "; histogram of 128 of 131,072 rows"
std::string histogram_words(const Spread& spread, const Matrix& matrix) {
  const std::size_t rows = matrix.extents().rows;
  if (spread.rows_read == 0 || spread.rows_read >= rows) return "";
  return "; histogram of " + grouped_text(spread.rows_read) + " of " + grouped_text(rows) + " rows";
}

}  // namespace

LegendEntry pooling_entry(const HeatmapSubject& subject, const Rect& clip) {
  return {CellLook::Mapped, longest_pooling_sentence(subject, clip), true, kVisible};
}

HeatmapParts parts_of(const HeatmapSubject& subject, const TextMetrics& metrics) {
  const auto& [input, matrix, options, cells, found] = subject;
  HeatmapParts parts;
  add_titles(input, options, parts);
  parts.rows = row_axis(matrix);
  parts.columns = column_axis(input.result.shape(), matrix);
  parts.counted_columns = is_counted(input.document, parts.columns);
  parts.unseeing = rows_to_mark(subject);
  if (!parts.unseeing.empty()) {
    const FontStyle font{tick_size(options.font_size), false, false};
    parts.mark_width = metrics.measure(kUnseeingMark, font).width + label_gap(options.font_size);
  }
  parts.legend = legend_of(subject, !parts.unseeing.empty());
  const ColorRange range = shown_range(subject);
  parts.bar.scale = {&colormap_for(options), range.low, range.high};
  parts.bar.title = value_name(options.stage);
  parts.bar.basis = "range: " + range.basis + (range.basis == "0 to 1" ? faint_words(matrix) : "");
  parts.bar.beyond_low = range.beyond_low;
  parts.bar.beyond_high = range.beyond_high;
  parts.bar.log = range.log;
  parts.bar.font_size = options.font_size;
  parts.bar.mirrored = parts.bar.scale.map->diverging;
  if (options.histogram) {
    parts.bar.spread = shown_spread(subject);
    parts.bar.basis += histogram_words(*parts.bar.spread, matrix);
  }
  measure_labels(input.document, options, metrics, 1, 1, parts);
  return parts;
}

void set_caption(const HeatmapCaption& caption, const PlotOptions& options, HeatmapParts& parts) {
  parts.bar.title = caption.quantity;
  parts.snug = caption.snug;
  if (options.title != "none")
    (parts.subtitle.empty() ? parts.title : parts.subtitle) = caption.matrix;
}

namespace {

// Tokens are counted from 1, features and positions from 0, as everywhere.
std::string side_words(const MatrixAxis& axis, double start, double length, const char* tokens,
                       const char* others) {
  const std::size_t from = axis.tokens ? 1 : 0;
  const auto first = static_cast<std::size_t>(start);
  const auto last = static_cast<std::size_t>(std::ceil(start + length - 1e-9)) - 1;
  return std::string(", ") + (axis.tokens ? tokens : others) + " " + grouped_text(first + from) +
         " to " + grouped_text(last + from) + " of " + grouped_text(axis.count);
}

}  // namespace

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

std::string alt_text_of(const PlotInput& input, const Matrix& matrix, const PlotOptions& options) {
  return alt_text_of(matrix, which_matrix(input.result.problem(), options));
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
