// Which numbers the ends of a colour map stand for.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "plot/colors/stage_colors.h"
#include "plot/colors/tints.h"
#include "plot/colors/weight_range.h"

namespace attn {
namespace {

// Letters that must fit beside each other: labels, a matrix of three cells, the colour bar.
constexpr double kNarrowest = 20.0;  // font sizes

constexpr float kLeastPartOfARow = 1e-3F;  // of its largest weight, on a logarithmic bar

float as_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

// Precondition: fitted to the result.
MatrixPtr shown_stage(const AttentionResult& result, const PlotOptions& options) {
  return stage_matrix(borrowed(result), {options.stage, options.at});
}

// From `least` or the low end, but not so far down that the rest looks alike.
ColorRange in_exponents(ColorRange range, float least) {
  constexpr float kDecades = 1e-6F;
  const float low = std::max({range.low, least, range.high * kDecades});
  range.high = exponent_of(range.high);
  range.low = std::min(exponent_of(low), range.high - 1.0F);
  range.basis += ", logarithmic";
  range.log = true;
  return range;
}

SeenWeights seen_weights(const Matrix& matrix, std::size_t step = 1, Progress* progress = nullptr) {
  SeenWeights seen;
  add_weights(seen, matrix, step, progress);
  return seen;
}

// Of all heads of the layer, where it has some.
SeenWeights seen_in_layer(const Matrix& matrix, const AttentionResult* result, std::size_t step,
                          Progress* progress = nullptr) {
  SeenWeights seen;
  for_each_head(matrix, ColorSpan::Heads, result, progress,
                [&](const Matrix& head) { add_weights(seen, head, step, progress); });
  return seen;
}

// Of every `step`th row.
WeightRange range_of(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                     std::size_t step = 1) {
  const bool all_heads = span == ColorSpan::Heads;
  return weight_range(all_heads ? seen_in_layer(matrix, result, step) : seen_weights(matrix, step),
                      span, all_heads ? "all heads" : "this head");
}

// Where the numbers come from, besides the matrix; either may be null.
struct RangeSource {
  const AttentionResult* result = nullptr;
  const KeptRange* kept = nullptr;
};

// Of all cells, or else of those that somebody has read.
Matrix::Summary summary_of(const Matrix& matrix, const KeptRange* kept) {
  if (const std::optional<Matrix::Summary> all = matrix.summary()) return *all;
  if (kept != nullptr) return kept->summary;
  return range_so_far(matrix, ColorSpan::Head, nullptr).summary;
}

// What the colours span before any wish of the options.
ColorRange data_range(const Matrix& matrix, const PlotOptions& options, const RangeSource& from) {
  const Stage stage = matrix.id().stage;
  if (std::holds_alternative<made::Minus>(matrix.id().making)) {
    const Matrix::Summary changes = summary_of(matrix, from.kept);
    return {changes.low, changes.high, "largest change"};
  }
  if (stage == Stage::Weights) {
    WeightRange range =
        from.kept != nullptr ? from.kept->range : range_of(matrix, options.range, from.result);
    return {range.low, range.high, std::move(range.basis)};
  }
  if (from.kept != nullptr && !matrix.summary()) {
    return {from.kept->range.low, from.kept->range.high, from.kept->range.basis};
  }
  Matrix::Summary data = summary_of(matrix, from.kept);
  for_each_head(matrix, options.range, from.result, nullptr, [&](const Matrix& head) {
    const Matrix::Summary more = summary_of(head, &head == &matrix ? from.kept : nullptr);
    data.low = std::min(data.low, more.low);
    data.high = std::max(data.high, more.high);
  });
  return {data.low, data.high, whose_cells(matrix, options.range)};
}

// "0 to the largest" as the words for a range from −x to x.
std::string about_zero(const std::string& basis) {
  constexpr std::string_view kFromZero = "0 to ";
  return basis.starts_with(kFromZero) ? "± " + basis.substr(kFromZero.size()) : basis;
}

// The bounds given take the place of the data's; on a diverging map zero stays in the middle.
ColorRange wanted_range(const Matrix& matrix, const PlotOptions& options, const RangeSource& from) {
  ColorRange range = data_range(matrix, options, from);
  const bool given = options.range_low || options.range_high;
  if (given) range.basis = "given";
  if (colormap_for(options).diverging) {
    float reach = std::max(std::abs(range.low), std::abs(range.high));
    if (given) {
      reach = as_float(std::max(std::abs(options.range_low.value_or(0.0)),
                                std::abs(options.range_high.value_or(0.0))));
    }
    return {-reach, reach, about_zero(range.basis) + ", zero in the middle"};
  }
  if (options.range_low) range.low = as_float(*options.range_low);
  if (options.range_high) range.high = as_float(*options.range_high);
  return range;
}

// Every so manieth row is read, so that at most `cells` are.
std::size_t step_for(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                     std::size_t cells) {
  const StageShape extents = matrix.extents();
  const std::size_t heads =
      span == ColorSpan::Heads && result != nullptr ? result->shape().heads : 1;
  const std::size_t rows =
      std::max<std::size_t>(cells / heads / std::max<std::size_t>(extents.cols, 1), 1);
  return std::max<std::size_t>(quotient_up(extents.rows, rows), 1);
}

// ", of 1,024 of 131,072 rows".
std::string of_rows(std::size_t rows, std::size_t step) {
  return ", of " + grouped_text(quotient_up(rows, step)) + " of " + grouped_text(rows) + " rows";
}

KeptRange range_of_rows(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                        std::size_t step, Progress* progress = nullptr) {
  const bool all_heads = span == ColorSpan::Heads;
  SeenWeights seen = seen_weights(matrix, step, all_heads ? nullptr : progress);
  KeptRange kept;
  kept.summary = seen.summary;
  kept.least = least_above_zero(seen);
  if (all_heads) seen = seen_in_layer(matrix, result, step, progress);
  if (matrix.id().stage == Stage::Weights) {
    kept.range = weight_range(std::move(seen), span, all_heads ? "all heads" : "this head");
  } else {
    kept.range = {seen.summary.low, seen.summary.high, whose_cells(matrix, span)};
  }
  return kept;
}

Error refusal(std::string message, std::string found, std::string hint = "") {
  Error error;
  error.kind = ErrorKind::Usage;
  error.message = std::move(message);
  error.found = std::move(found);
  error.hint = std::move(hint);
  return error;
}

std::string number(double value) { return short_text(value, 6); }

Status check_letters(const PlotOptions& options, Spelling spelling) {
  const double least = kNarrowest * options.font_size;
  const std::string font = spelt("font_size", spelling), height = spelt("height", spelling);
  const std::string hint = "use a smaller " + font + ", now " + number(options.font_size);
  const std::string words = " must be at least " + number(least) + ", 20 times the " + font;
  if (options.width < least) {
    return refusal(spelt("width", spelling) + words, number(options.width), hint);
  }
  if (options.height > 0.0 && options.height < least) {
    return refusal(height + words, number(options.height), hint + ", or " + height + " 0");
  }
  return ok_status();
}

// A single bound against the end that stays.
Status check_single_bound(const PlotOptions& options, const Matrix& matrix, Spelling spelling) {
  if (options.range_low.has_value() == options.range_high.has_value()) return ok_status();
  const bool is_low = options.range_low.has_value();
  const float bound = as_float(is_low ? *options.range_low : *options.range_high);
  const KeptRange seen = kept_range(matrix, options.range, nullptr);
  const ColorRange data = data_range(matrix, options, {nullptr, &seen});
  const float other = colormap_for(options).diverging ? 0.0F : is_low ? data.high : data.low;
  if (is_low ? bound < other : bound > other) return ok_status();
  return refusal(spelt(is_low ? "range_low" : "range_high", spelling) +
                     (is_low ? " must be below " : " must be above ") + number(other) +
                     (colormap_for(options).diverging ? ", the middle of the diverging colours"
                      : is_low                        ? ", the highest colour"
                                                      : ", the lowest colour"),
                 number(bound), "give both bounds to choose another range");
}

}  // namespace

const ColorMap& colormap_for(const PlotOptions& options) {
  if (const ColorMap* chosen = colormap_named(options.colormap)) return *chosen;
  const Stage stage = options.stage;
  const bool signed_values =
      stage != Stage::Weights && stage_info(stage).role != StageRole::Influence;
  return *colormap_named(signed_values ? "redblue" : "viridis");
}

void for_each_head(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                   Progress* progress, const std::function<void(const Matrix&)>& one) {
  MatrixId id = matrix.id();
  const bool of_one = is_computed(id) && stage_info(id.stage).per_head;
  if (span != ColorSpan::Heads || result == nullptr || !of_one) return one(matrix);
  const std::size_t heads = result->shape().heads;
  const float share = 1.0F / static_cast<float>(heads);
  for (id.head.head = 0; id.head.head < heads; ++id.head.head) {
    const ProgressPart part(progress, share * static_cast<float>(id.head.head), share);
    one(id == matrix.id() ? matrix : *stage_matrix(borrowed(*result), id));
  }
}

std::string whose_cells(const Matrix& matrix, ColorSpan span) {
  if (!stage_info(matrix.id().stage).per_head) return "this sample";
  return span == ColorSpan::Heads ? "all heads" : "this head";
}

KeptRange kept_range(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                     Progress* progress) {
  const std::size_t step = step_for(matrix, span, result, kMostGathered);
  KeptRange kept = range_of_rows(matrix, span, result, step, progress);
  if (step > 1) kept.range.basis += of_rows(matrix.extents().rows, step);
  return kept;
}

KeptRange range_so_far(const Matrix& matrix, ColorSpan span, const AttentionResult* result) {
  KeptRange kept = range_of_rows(matrix, span, result, step_for(matrix, span, result, kReadAtOnce));
  kept.range.basis += " so far";
  return kept;
}

ColorRange color_range(const Matrix& matrix, const PlotOptions& options,
                       const AttentionResult* result, const KeptRange* kept) {
  ColorRange range = wanted_range(matrix, options, {result, kept});
  if (range.low > range.high) std::swap(range.low, range.high);
  if (range.low == range.high) {
    const float step = std::max(1.0F, std::abs(range.low) * 0.5F);
    if (colormap_for(options).diverging) range.low -= step;
    range.high = std::min(range.high + step, std::numeric_limits<float>::max());
  }
  if (is_tinted(options) && options.range == ColorSpan::Rows) {
    return options.log ? in_exponents(std::move(range), kLeastPartOfARow) : range;
  }
  const Matrix::Summary data = summary_of(matrix, kept);
  range.beyond_low = data.low < range.low;
  range.beyond_high = data.high > range.high;
  if (!options.log || !is_tinted(options)) return range;
  const float least = kept != nullptr ? kept->least : least_above_zero(seen_weights(matrix));
  return in_exponents(std::move(range), least);
}

ColorRange color_range(const AttentionResult& result, const PlotOptions& options) {
  const PlotOptions fitted = fitted_to(options, result);
  return color_range(*shown_stage(result, fitted), fitted, &result);
}

namespace {

// Of two fields that are the ends of something.
Status check_ends(const char* low_name, const std::optional<double>& low, const char* high_name,
                  const std::optional<double>& high, Spelling spelling) {
  if (!low || !high || as_float(*low) < as_float(*high)) return ok_status();
  const std::string below = spelt(low_name, spelling), above = spelt(high_name, spelling);
  return refusal(below + " must be below " + above,
                 below + " " + number(*low) + " and " + above + " " + number(*high));
}

}  // namespace

Status check_options(const PlotOptions& options, Spelling spelling) {
  if (Status colors =
          check_ends("range_low", options.range_low, "range_high", options.range_high, spelling);
      !colors) {
    return colors;
  }
  return check_letters(options, spelling);
}

Status check_axis(const PlotOptions& options, Spelling spelling) {
  return check_ends("axis_from", options.axis_from, "axis_to", options.axis_to, spelling);
}

Status check_options(const PlotOptions& options, const AttentionResult& result, Spelling spelling) {
  if (Status sound = check_options(options, spelling); !sound) return sound;
  const PlotOptions fitted = fitted_to(options, result);
  return check_single_bound(fitted, *shown_stage(result.attended(options.attention), fitted),
                            spelling);
}

}  // namespace attn
