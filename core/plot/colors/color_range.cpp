// Numbers at the ends of a colour scale, words about them, and checks of options.
#include "plot/colors/color_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "attention/visible_keys.h"
#include "base/number_text.h"
#include "plot/kit/cells.h"
#include "plot/kit/page.h"
#include "text/nearest.h"

namespace attn {
namespace {

constexpr float kLeastPartOfARow = 1e-3F;  // of its largest weight, on a logarithmic bar

float as_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

bool is_given(const ViewOptions& options) { return options.range_low || options.range_high; }

// The nearest of 1, 2 and 5 × 10ᵏ that is not below the value, or not above it.
double rounded_up(double value) {
  constexpr double kSame = 1e-6;  // of floats that are written alike
  const double size = std::abs(value);
  if (size == 0.0) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(size)));
  for (const double step : {-10.0, -5.0, -2.0, -1.0, 1.0, 2.0, 5.0}) {
    if (value <= step * unit + kSame * size) return step * unit;
  }
  return 10.0 * unit;
}

double rounded_down(double value) { return 0.0 - rounded_up(-value); }

// Numbers that are never below 0 by what they are.
bool are_sizes(const PlotOptions& options) {
  return options.stage == Stage::Weights || stage_info(options.stage).role == StageRole::Influence;
}

// Ends of numbers that are no shares.
ColorRange range_of_numbers(const Statistics& seen, const PlotOptions& options) {
  const ColorMap* map = &colormap_for(options);
  const ColorSpan span = options.range;
  const bool of_weights = options.stage == Stage::Weights;
  if (span == ColorSpan::Head || span == ColorSpan::Heads) return {{map, seen.low, seen.high}};
  if (of_weights && span == ColorSpan::Rows) return {{map, 0.0F, 1.0F}};
  if (of_weights && span == ColorSpan::Unit) {
    return {{map, std::min(seen.low, 0.0F), std::max(seen.high, 1.0F)}};
  }
  const float low = are_sizes(options) ? std::min(seen.low, 0.0F) : seen.low;
  return {{map, as_float(rounded_down(static_cast<double>(low))),
           as_float(rounded_up(static_cast<double>(seen.high)))}};
}

float largest_size(const Statistics& seen) {
  return std::max(std::abs(seen.low), std::abs(seen.high));
}

// Up to the least power of ten that holds all of them.
ColorRange range_of_changes(const ColorSubject& subject, const Statistics& seen,
                            const ColorMap& map) {
  constexpr double kSame = 1e-7;  // of floats, as a logarithm
  const auto largest = static_cast<double>(largest_size(seen));
  const double end = largest > 0.0 ? std::pow(10.0, std::ceil(std::log10(largest) - kSame)) : 1.0;
  return share_range(map, subject, std::min(end, 1.0));
}

ColorRange range_of(const ColorSubject& subject, const Statistics& seen,
                    const PlotOptions& options) {
  const ColorMap& map = colormap_for(options);
  if (subject.quantity == Quantity::Change) return range_of_changes(subject, seen, map);
  const bool is_share = subject.quantity == Quantity::Share;
  if (is_share && options.range == ColorSpan::Automatic) return share_range(map, subject);
  if (is_share && options.range == ColorSpan::Unit) return {{&map, 0.0F, 1.0F}};
  return range_of_numbers(seen, options);
}

void mirror(ColorScale& scale) {
  const float reach = std::max(std::abs(scale.low), std::abs(scale.high));
  scale.low = -reach;
  scale.high = reach;
}

// Given bounds in place of the ends.
void use_given(ColorRange& range, const PlotOptions& options) {
  if (!is_given(options)) return;
  range.power = 1.0F;
  range.share = 0.0;
  if (range.map->diverging) range.low = range.high = 0.0F;
  if (options.range_low) range.low = as_float(*options.range_low);
  if (options.range_high) range.high = as_float(*options.range_high);
  if (range.low > range.high) std::swap(range.low, range.high);
}

ColorRange wanted_range(const ColorSubject& subject, const Statistics& seen,
                        const PlotOptions& options) {
  ColorRange range = range_of(subject, seen, options);
  use_given(range, options);
  if (range.map->diverging) mirror(range);
  const bool is_held = options.held_ends && !is_given(options) && spans_numbers(subject, options);
  if (is_held) std::tie(range.low, range.high) = *options.held_ends;
  return range;
}

// Widens an empty range.
void settle(ColorScale& scale) {
  if (scale.low < scale.high) return;
  const float step = std::max(1.0F, std::abs(scale.low) * 0.5F);
  if (scale.map->diverging) scale.low -= step;
  scale.high = std::min(scale.high + step, std::numeric_limits<float>::max());
}

// The low end of a logarithm: of shares by that of a hundredth of an equal one.
float least_of_logarithm(const ColorSubject& subject, float high) {
  constexpr float kDecades = 1e-6F;
  if (subject.quantity != Quantity::Share) return high * kDecades;
  const double least = std::log10(0.01 / static_cast<double>(subject.keys));
  return as_float(std::pow(10.0, std::floor(least)));
}

void use_logarithm(ColorRange& range, float least) {
  range.low = std::min(std::max(range.low, least), 0.1F * range.high);
  range.power = kLogarithm;
  range.share = 0.0;
}

std::string number_words(double value, int digits = 3) {
  return with_minus(short_text(value, digits));
}

std::string span_words(const ColorSubject& subject, const Statistics& seen,
                       const PlotOptions& options, const std::string& scope) {
  if (is_given(options)) return ", as set";
  if (subject.quantity == Quantity::Change) {
    return ", largest " + number_words(static_cast<double>(largest_size(seen)), 2);
  }
  if (options.range == ColorSpan::Head || options.range == ColorSpan::Heads) return ", " + scope;
  return options.range == ColorSpan::Unit && options.stage == Stage::Weights ? ", even" : "";
}

// ", uneven: an equal share (0.1) is a third up", "… an equal share of 10 keys (0.1) …" where other
// rows may see fewer.
std::string bent_words(const ColorSubject& subject, const ColorRange& range) {
  if (range.power == kLogarithm) return ", logarithmic";
  if (range.power == 1.0F) return "";
  if (range.map->diverging) return ", uneven";
  const std::string of = subject.is_masked ? " of " + counted(subject.keys, "key") : "";
  return ", uneven: " + (subject.sums_to_one ? "an equal share" + of : "1/N") + " (" +
         number_words(range.share, 2) + ") is a third up";
}

std::string count_words(std::uint64_t count, bool is_exact, const char* where) {
  if (count == 0) return "";
  return (is_exact ? ", " : ", about ") + counted(count, "cell") + " " + where;
}

std::string beyond_words(const Statistics& seen, const ColorRange& range) {
  std::string words;
  if (range.beyond_high) words += count_words(seen.above(range.high), seen.is_exact(), "above");
  if (range.beyond_low) words += count_words(seen.below(range.low), seen.is_exact(), "below");
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
  if (options.width < least && !options.is_panel) {
    return refusal(spelt("width", spelling) + words, number(options.width), hint);
  }
  if (options.height > 0.0 && options.height < least) {
    return refusal(height + words, number(options.height), hint + ", or " + height + " 0");
  }
  return ok_status();
}

Status check_font(const std::string& family, Spelling spelling) {
  if (family.empty() || font_family_named(family) != nullptr) return ok_status();
  const std::vector<std::string_view> known(all_font_families().begin(), all_font_families().end());
  return Error{.kind = ErrorKind::Usage,
               .message = "this system has no font family of " + spelt("font", spelling),
               .found = family,
               .expected = known.empty() ? "" : "such as " + joined(nearest_few(family, known, 3)),
               .hint = "`fc-list : family` lists the installed ones"};
}

// Checks a single bound against the other end.
Status check_single_bound(const ColorSubject& subject, const PlotOptions& options,
                          const Statistics& seen, Spelling spelling) {
  const bool is_low = options.range_low.has_value();
  const float bound = as_float(is_low ? *options.range_low : *options.range_high);
  PlotOptions free = options;
  free.range_low.reset();
  free.range_high.reset();
  const ColorScale data = wanted_range(subject, seen, free);
  const float other = data.map->diverging ? 0.0F : is_low ? data.high : data.low;
  if (is_low ? bound < other : bound > other) return ok_status();
  return refusal(spelt(is_low ? "range_low" : "range_high", spelling) +
                     (is_low ? " must be below " : " must be above ") + number(other) +
                     (data.map->diverging ? ", the middle of the diverging colours"
                      : is_low            ? ", the highest colour"
                                          : ", the lowest colour"),
                 number(bound), "give both bounds to choose another range");
}

// Checks that two fields are the ends of a range.
Status check_ends(const char* low_name, const std::optional<double>& low, const char* high_name,
                  const std::optional<double>& high, Spelling spelling) {
  if (!low || !high || as_float(*low) < as_float(*high)) return ok_status();
  const std::string below = spelt(low_name, spelling), above = spelt(high_name, spelling);
  return refusal(below + " must be below " + above,
                 below + " " + number(*low) + " and " + above + " " + number(*high));
}

std::size_t most_keys(const AttentionResult& result, const HeadAddress& at) {
  const std::string key = "most keys of " + text_of(MatrixId{Stage::Weights, at.moved_to(0, 0, 0)});
  const auto counted = cached<Statistics>(result, key, [&] {
    auto keys = std::make_shared<Statistics>();
    keys->cells = most_visible_keys(mask_of(result.problem(), at), result.shape(at));
    return keys;
  });
  return counted->cells;
}

Quantity quantity_of(const AttentionResult& result, const MatrixId& id) {
  const auto* from = std::get_if<made::FromWeights>(&id.making);
  const bool is_scaled = from != nullptr && from->derived == Derived::ValueNorm;
  if (id.stage != Stage::Weights || is_scaled) return Quantity::Other;
  if (!gives_shares(result, id.head)) return Quantity::Given;
  const auto* minus = std::get_if<made::Minus>(&id.making);
  if (minus == nullptr) return Quantity::Share;
  return minus->other->stage == Stage::Weights ? Quantity::Change : Quantity::Other;
}

}  // namespace

ColorSubject subject_of(const AttentionResult& result, const MatrixId& id) {
  ColorSubject subject{quantity_of(result, id)};
  if (subject.quantity > Quantity::Change) return subject;
  const AttentionProblem& problem = result.problem();
  subject.keys = most_keys(result, id.head);
  subject.is_masked = mask_of(problem, id.head) != Mask{};
  subject.sums_to_one =
      !has_scores(problem) ||
      (normaliser_info(problem.scoring.normaliser).shares && sinks_of(problem, id.head).empty());
  return subject;
}

bool spans_numbers(const ColorSubject& subject, const ViewOptions& options) {
  if (subject.quantity != Quantity::Share || is_given(options)) return true;
  return options.range == ColorSpan::Head || options.range == ColorSpan::Heads;
}

ColorRange share_range(const ColorMap& map, const ColorSubject& subject, double end) {
  constexpr double kEvenKeys = 3.0;  // an equal share of these stands a third up without a bend
  const double most = end * static_cast<double>(std::max<std::size_t>(subject.keys, 1));
  ColorRange range{{&map, map.diverging ? -as_float(end) : 0.0F, as_float(end)}};
  if (most <= kEvenKeys) return range;
  range.power = as_float(std::log(kEvenKeys) / std::log(most));
  range.share = 1.0 / static_cast<double>(subject.keys);
  return range;
}

std::string range_words(double low, double high) {
  return number_words(low) + " to " + number_words(high);
}

PlotOptions with_map_of_weights(PlotOptions options) {
  options.stage = Stage::Weights;
  static_cast<MapOptions&>(options) = MapOptions{.colormap = options.colormap};
  return options;
}

ColorRange color_range(const ColorSubject& subject, const Statistics& seen,
                       const PlotOptions& options, const std::string& scope) {
  ColorRange range = wanted_range(subject, seen, options);
  settle(range);
  if (has_parts_of_rows(options)) {
    if (options.log) use_logarithm(range, kLeastPartOfARow);
    range.basis = "each row as part of its largest weight";
    if (is_given(options)) range.basis += ", " + range_words(range.low, range.high);
    if (options.log) range.basis += ", logarithmic";
    return range;
  }
  if (spans_numbers(subject, options) && seen.cells > 0) {
    range.beyond_low = seen.low < range.low;
    range.beyond_high = seen.high > range.high;
  }
  const std::string beyond = beyond_words(seen, range);
  if (options.log && options.stage == Stage::Weights && !range.map->diverging &&
      range.high > 0.0F) {
    use_logarithm(range, least_of_logarithm(subject, range.high));
  }
  range.basis = (subject.quantity == Quantity::Given ? "not shares: " : "") +
                range_words(range.low, range.high) + bent_words(subject, range) +
                span_words(subject, seen, options, scope) + beyond;
  return range;
}

const ColorMap& colormap_for(const PlotOptions& options) {
  if (const ColorMap* chosen = colormap_named(options.colormap)) return *chosen;
  return *colormap_named(are_sizes(options) ? "viridis" : "redblue");
}

std::string range_scope(const MatrixId& matrix, ColorSpan span) {
  if (!stage_info(matrix.stage).per_head) return "this sample";
  return span == ColorSpan::Heads ? "all heads" : "this head";
}

StatisticsOptions statistics_of_colors(const FittedView& view, const MatrixId& id) {
  const StageShape cells = extents_of(view.shape(), id);
  const bool are_few =
      element_count({cells.rows, cells.cols, view.result.shape().heads}) <= kReadAtOnce;
  const bool by_itself =
      are_few && is_computed(id) && subject_of(view.result, id).quantity > Quantity::Change;
  const ColorSpan span = view.options.range;
  return {.all_heads = span == ColorSpan::Heads || (span != ColorSpan::Head && by_itself)};
}

StatisticsOptions statistics_of_histogram(const ViewOptions& options) {
  return {.parts_of_rows = has_parts_of_rows(options)};
}

Status check_options(const PlotOptions& options, Spelling spelling) {
  if (Status colors =
          check_ends("range_low", options.range_low, "range_high", options.range_high, spelling);
      !colors) {
    return colors;
  }
  if (Status known = check_font(options.font, spelling); !known) return known;
  return check_letters(options, spelling);
}

Status check_axis(const PlotOptions& options, Spelling spelling) {
  return check_ends("axis_from", options.axis_from, "axis_to", options.axis_to, spelling);
}

Status check_options(const PlotOptions& options, const AttentionResult& result, Spelling spelling) {
  if (Status sound = check_options(options, spelling); !sound) return sound;
  if (options.range_low.has_value() == options.range_high.has_value()) return ok_status();
  Document none;
  const FittedView view({none, result}, options);
  const MatrixId id{view.options.stage, view.options.at};
  const MatrixPtr matrix = stage_matrix(borrowed(result), id);
  const std::size_t step = sampling_step(matrix->extents(), 1, kReadAtOnce);
  const Statistics seen = statistics_of(*matrix, &result, statistics_of_colors(view, id), step);
  return check_single_bound(subject_of(result, id), view.options, seen, spelling);
}

}  // namespace attn
