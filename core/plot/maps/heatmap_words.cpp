// What a heatmap says of its matrix.
#include "plot/maps/heatmap_words.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "figure/hatch.h"
#include "plot/colors/stage_colors.h"
#include "plot/colors/tints.h"
#include "plot/colors/weight_range.h"
#include "plot/needs.h"
#include "plot/parts/pooled_part.h"
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

// Of a masked matrix, or of the outputs that come from one.
std::vector<std::size_t> unseeing_rows(const PlotInput& input, const Matrix& matrix) {
  const MatrixId& id = matrix.id();
  const bool output = is_computed(id) && id.stage == Stage::Output;
  const HiddenRules rules =
      output ? rules_of(input.result.problem().mask, id.head.sample) : matrix.rules();
  std::vector<std::size_t> rows;
  if (rules == kVisible) return rows;
  for (std::size_t row = 0; row < input.result.shape().n_q; ++row) {
    if (input.result.sees_no_key(id.head, row)) rows.push_back(row);
  }
  return rows;
}

std::vector<LegendEntry> legend_of(const Matrix& matrix, const PlotOptions& options,
                                   bool any_unseeing) {
  std::vector<LegendEntry> legend;
  const StageShape shape = matrix.extents();
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
  if (std::max(shape.rows, shape.cols) > options.pixel_budget) {
    // Room for the longest sentence, that of the whole matrix.
    MatrixItem whole;
    const std::size_t budget = std::max<std::size_t>(options.pixel_budget, 1);
    whole.row_step = (shape.rows + budget - 1) / budget;
    whole.col_step = (shape.cols + budget - 1) / budget;
    legend.push_back({CellLook::Mapped, pooling_sentence(whole, options.pooling), true, kVisible});
  }
  return legend;
}

bool has_non_finite(const MatrixItem& m) {
  const MatrixCells& cells = *m.cells;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    const bool hidden = !cells.hidden.empty() && cells.hidden[i] != kVisible;
    if (!hidden && !std::isfinite(cells.values[i])) return true;
  }
  return false;
}

}  // namespace

HiddenRules rules_in_view(const MatrixItem& matrix) {
  HiddenRules rules = kVisible;
  for (const HiddenRules texel : matrix.cells->hidden) rules |= texel;
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

std::optional<KeptRange> shown_pixels(const PlotInput& input, const Matrix& matrix,
                                      const PlotOptions& options) {
  if (!is_computed(matrix.id()) || input.derivations == nullptr) return std::nullopt;
  const auto question = pooled_question(input.result, options);
  if (!question || !has_range_of_pixels(*question, options.range)) return std::nullopt;
  return range_of_pixels(*input.derivations, *question);
}

// The one that was found, or what a part of the rows tells until it is.
ColorRange shown_range(const PlotInput& input, const Matrix& matrix, const PlotOptions& options) {
  const auto kept = derived_as<KeptRange>(input, key_of_range(matrix.id(), options.range));
  if (kept != nullptr) return color_range(matrix, options, &input.result, kept.get());
  if (const auto pixels = shown_pixels(input, matrix, options)) {
    return color_range(matrix, options, &input.result, &*pixels);
  }
  const std::size_t heads = options.range == ColorSpan::Heads ? input.result.shape().heads : 1;
  const bool is_looked_for = has_range_to_find(matrix) && is_long(matrix, heads);
  if (!is_looked_for) return color_range(matrix, options, &input.result);
  const KeptRange so_far = range_so_far(matrix, options.range, &input.result);
  return color_range(matrix, options, &input.result, &so_far);
}

SpreadPtr shown_spread(const PlotInput& input, const Matrix& matrix, const PlotOptions& options) {
  const bool in_rows = has_parts_of_rows(options);
  if (auto kept = derived_as<Spread>(input, key_of_spread(matrix.id(), in_rows))) return kept;
  return std::make_shared<Spread>(spread_of(matrix, in_rows, kReadAtOnce));
}

}  // namespace

HeatmapParts parts_of(const PlotInput& input, const Matrix& matrix, const PlotOptions& options,
                      const TextMetrics& metrics) {
  HeatmapParts parts;
  add_titles(input, options, parts);
  parts.rows = row_axis(matrix);
  parts.columns = column_axis(input.result.shape(), matrix);
  parts.unseeing = unseeing_rows(input, matrix);
  if (!parts.unseeing.empty()) {
    const FontStyle font{tick_size(options.font_size), false, false};
    parts.mark_width = metrics.measure(kUnseeingMark, font).width + label_gap(options.font_size);
  }
  parts.legend = legend_of(matrix, options, !parts.unseeing.empty());
  const ColorRange range = shown_range(input, matrix, options);
  parts.bar.scale = {&colormap_for(options), range.low, range.high};
  parts.bar.title = value_name(options.stage);
  parts.bar.basis = "range: " + range.basis + (range.basis == "0 to 1" ? faint_words(matrix) : "");
  parts.bar.beyond_low = range.beyond_low;
  parts.bar.beyond_high = range.beyond_high;
  parts.bar.log = range.log;
  parts.bar.font_size = options.font_size;
  parts.bar.mirrored = parts.bar.scale.map->diverging;
  if (options.histogram) parts.bar.spread = shown_spread(input, matrix, options);
  measure_labels(input.document, options, metrics, 1, 1, parts);
  return parts;
}

void set_caption(const HeatmapCaption& caption, const PlotOptions& options, HeatmapParts& parts) {
  parts.bar.title = caption.quantity;
  parts.snug = caption.snug;
  if (options.title != "none")
    (parts.subtitle.empty() ? parts.title : parts.subtitle) = caption.matrix;
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
