// Numbers at the ends of a colour scale, and checks of options.
#include "plot/colors/color_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/number_text.h"
#include "figure/text.h"
#include "plot/kit/ask.h"
#include "plot/kit/cells.h"

namespace attn {
namespace {

// Space for labels, a matrix of three cells and the colour bar side by side.
constexpr double kNarrowest = 20.0;  // font sizes

constexpr float kLeastPartOfARow = 1e-3F;  // of its largest weight, on a logarithmic bar

float as_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

struct Ends {
  float low = 0.0F, high = 0.0F;
};

Ends ends_of_weights(const Statistics& seen, ColorSpan span) {
  const float low = std::min(seen.low, 0.0F);
  switch (span) {
    case ColorSpan::Unit:
      return {low, std::max(seen.high, 1.0F)};
    case ColorSpan::Head:
    case ColorSpan::Heads:
      return {seen.low, seen.high};
    case ColorSpan::Rows:
      return {0.0F, 1.0F};
    case ColorSpan::Percentile:
      if (const float high = seen.percentile(kShareOfCells); high > 0.0F) return {low, high};
      break;
    case ColorSpan::Automatic:
      break;
  }
  return {low, std::max(seen.high, 0.0F)};
}

bool is_given(const ViewOptions& options) { return options.range_low || options.range_high; }

bool is_diverging(const PlotOptions& options) { return colormap_for(options).diverging; }

// Ends of the data with the given bounds in their place; symmetric on a diverging map.
Ends wanted_ends(const Statistics& seen, const PlotOptions& options) {
  Ends ends = options.stage == Stage::Weights ? ends_of_weights(seen, options.range)
                                              : Ends{seen.low, seen.high};
  if (is_diverging(options)) {
    float reach = std::max(std::abs(ends.low), std::abs(ends.high));
    if (is_given(options)) {
      reach = as_float(std::max(std::abs(options.range_low.value_or(0.0)),
                                std::abs(options.range_high.value_or(0.0))));
    }
    return {-reach, reach};
  }
  if (options.range_low) ends.low = as_float(*options.range_low);
  if (options.range_high) ends.high = as_float(*options.range_high);
  if (ends.low > ends.high) std::swap(ends.low, ends.high);
  return ends;
}

// Widens an empty range.
void settle(Ends& ends, const PlotOptions& options) {
  if (ends.low < ends.high) return;
  const float step = std::max(1.0F, std::abs(ends.low) * 0.5F);
  if (is_diverging(options)) ends.low -= step;
  ends.high = std::min(ends.high + step, std::numeric_limits<float>::max());
}

// From the smallest positive value, but at most six decades below the high end.
void use_logarithm(ColorRange& range, float least) {
  constexpr float kDecades = 1e-6F;
  const float low = std::max({range.low, least, range.high * kDecades});
  range.low = std::min(low, 0.1F * range.high);
  range.curve = ColorCurve::Logarithm;
}

// Ranges that the user chose stay linear, and so do those that do not begin at zero.
bool may_bend(const ColorRange& range, const PlotOptions& options) {
  const bool from_zero = range.low == 0.0F && options.stage == Stage::Weights;
  return options.range == ColorSpan::Automatic && !is_given(options) &&
         (from_zero || is_diverging(options));
}

std::string number_words(double value) { return with_minus(short_text(value, 3)); }

std::string span_words(const PlotOptions& options, const RangeOf& of) {
  const std::string cells = of.pixels ? "the pixels" : "the cells";
  if (is_given(options)) return ", as set";
  if (options.range == ColorSpan::Head || options.range == ColorSpan::Heads) return ", " + of.scope;
  if (options.stage != Stage::Weights || options.range != ColorSpan::Percentile) return "";
  return ", 99.5th percentile of " + cells;
}

std::string count_words(std::uint64_t count, bool is_exact, const RangeOf& of, const char* where) {
  if (count == 0) return "";
  const std::string what = std::string(of.pixels ? "pixel" : "cell") + (count == 1 ? " " : "s ");
  return (is_exact ? ", " : ", about ") + grouped_text(count) + " " + what + where;
}

std::string beyond_words(const Statistics& seen, const ColorRange& range, const RangeOf& of) {
  std::string words;
  if (range.beyond_high) {
    const bool is_exact = seen.is_exact() || (seen.exact && seen.exact->value == range.high);
    words += count_words(seen.above(range.high), is_exact, of, "above");
  }
  if (range.beyond_low) words += count_words(seen.below(range.low), seen.is_exact(), of, "below");
  return words;
}

Error refusal(std::string message, std::string found, std::string hint = "") {
  Error error = usage_error(std::move(message), std::move(hint));
  error.found = std::move(found);
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

// Checks a single bound against the other end.
Status check_single_bound(const PlotOptions& options, const Statistics& seen, Spelling spelling) {
  if (options.range_low.has_value() == options.range_high.has_value()) return ok_status();
  const bool is_low = options.range_low.has_value();
  const float bound = as_float(is_low ? *options.range_low : *options.range_high);
  PlotOptions free = options;
  free.range_low.reset();
  free.range_high.reset();
  const Ends data = wanted_ends(seen, free);
  const float other = is_diverging(options) ? 0.0F : is_low ? data.high : data.low;
  if (is_low ? bound < other : bound > other) return ok_status();
  return refusal(spelt(is_low ? "range_low" : "range_high", spelling) +
                     (is_low ? " must be below " : " must be above ") + number(other) +
                     (is_diverging(options) ? ", the middle of the diverging colours"
                      : is_low              ? ", the highest colour"
                                            : ", the lowest colour"),
                 number(bound), "give both bounds to choose another range");
}

// Statistics of the shown stage; of a sample of rows when it is large.
Statistics shown_statistics(const AttentionResult& result, const PlotOptions& fitted) {
  const MatrixPtr matrix = stage_matrix(borrowed(result), {fitted.stage, fitted.at});
  const std::size_t step = sampling_step(matrix->extents(), 1, kReadAtOnce);
  return statistics_of(*matrix, &result, statistics_of_colors(fitted), step);
}

}  // namespace

ColorCurve curve_for(double part) {
  constexpr double kLeastPlace = 1.0 / 4.0;
  for (const ColorCurve curve :
       {ColorCurve::Linear, ColorCurve::SquareRoot, ColorCurve::CubeRoot}) {
    if (place_on({nullptr, 0.0F, 1.0F, curve}, part) >= kLeastPlace) return curve;
  }
  return ColorCurve::FourthRoot;
}

ColorCurve curve_of(const Statistics& seen, double share) {
  const double reach = std::max(std::abs(seen.low), std::abs(seen.high));
  if (!(reach > 0.0)) return ColorCurve::Linear;
  return curve_for(static_cast<double>(seen.magnitude(share)) / reach);
}

std::string_view curve_words(ColorCurve curve) {
  switch (curve) {
    case ColorCurve::Linear:
      break;
    case ColorCurve::SquareRoot:
      return "square-root scale";
    case ColorCurve::CubeRoot:
      return "cube-root scale";
    case ColorCurve::FourthRoot:
      return "fourth-root scale";
    case ColorCurve::Logarithm:
      return "logarithmic";
  }
  return "";
}

std::string range_words(double low, double high, ColorCurve curve) {
  const std::string words = "range " + number_words(low) + " to " + number_words(high);
  return curve == ColorCurve::Linear ? words : words + ", " + std::string(curve_words(curve));
}

ColorRange color_range(const Statistics& seen, const PlotOptions& options, const RangeOf& of) {
  Ends ends = wanted_ends(seen, options);
  settle(ends, options);
  ColorRange range{ends.low, ends.high, ""};
  if (has_parts_of_rows(options)) {
    if (options.log) use_logarithm(range, kLeastPartOfARow);
    range.basis = "each row as part of its largest weight";
    if (is_given(options)) range.basis += ", " + range_words(range.low, range.high);
    if (options.log) range.basis += ", logarithmic";
    return range;
  }
  range.beyond_low = seen.cells > 0 && seen.low < range.low;
  range.beyond_high = seen.cells > 0 && seen.high > range.high;
  const std::string beyond = beyond_words(seen, range, of);
  if (options.log && options.stage == Stage::Weights && !is_diverging(options) &&
      range.high > 0.0F) {
    use_logarithm(range, seen.least_above_zero);
  } else if (may_bend(range, options)) {
    range.curve = curve_of(seen);
  }
  range.basis = range_words(range.low, range.high, range.curve) + span_words(options, of) + beyond;
  return range;
}

ColorRange color_range(const AttentionResult& result, const PlotOptions& options) {
  const PlotOptions fitted = fitted_to(options, result);
  const MatrixId id{fitted.stage, fitted.at};
  return color_range(shown_statistics(result, fitted), fitted, {range_scope(id, fitted.range)});
}

ColorScale scale_of(const ColorRange& range, const PlotOptions& options) {
  return {&colormap_for(options), range.low, range.high, range.curve};
}

const ColorMap& colormap_for(const PlotOptions& options) {
  if (const ColorMap* chosen = colormap_named(options.colormap)) return *chosen;
  const Stage stage = options.stage;
  const bool signed_values =
      stage != Stage::Weights && stage_info(stage).role != StageRole::Influence;
  return *colormap_named(signed_values ? "redblue" : "viridis");
}

std::string range_scope(const MatrixId& matrix, ColorSpan span) {
  if (!stage_info(matrix.stage).per_head) return "this sample";
  return span == ColorSpan::Heads ? "all heads" : "this head";
}

StatisticsOptions statistics_of_colors(const ViewOptions& options) {
  StatisticsOptions wanted;
  wanted.all_heads = options.range == ColorSpan::Heads;
  const bool by_share = options.range == ColorSpan::Percentile && options.stage == Stage::Weights;
  if (by_share) wanted.share = kShareOfCells;
  return wanted;
}

StatisticsOptions statistics_of_histogram(const ViewOptions& options) {
  StatisticsOptions wanted = statistics_of_colors(options);
  wanted.all_heads = false;
  wanted.parts_of_rows = has_parts_of_rows(options);
  return wanted;
}

namespace {

// Checks that two fields are the ends of a range.
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
  return check_single_bound(fitted, shown_statistics(result, fitted), spelling);
}

namespace {

constexpr double kLeastSpan = 0.01;  // of the span that stays between the ends

}  // namespace

ColorEnds dragged_ends(const RangeHit& end, double up) {
  const double moved = up / std::max(end.height, 1.0);
  if (end.mirrored) {
    const double place = 1.0 + (end.is_high ? moved : -moved);
    const double reach = value_at(end.scale, std::max(place, 0.5 * (1.0 + kLeastSpan)));
    return {-reach, reach};
  }
  if (end.is_high) return {{}, value_at(end.scale, std::max(1.0 + moved, kLeastSpan))};
  return {value_at(end.scale, std::min(moved, 1.0 - kLeastSpan)), {}};
}

}  // namespace attn
