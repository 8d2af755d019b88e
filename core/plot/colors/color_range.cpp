// Numbers at the ends of a colour scale, checks of options, and colour bars with ticks at round
// numbers.
#include "plot/colors/color_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/enum_table.h"
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

ColorScale scale_of_weights(const Statistics& seen, const PlotOptions& options) {
  const ColorMap* map = &colormap_for(options);
  const float low = std::min(seen.low, 0.0F);
  switch (options.range) {
    case ColorSpan::Unit:
      return {map, low, std::max(seen.high, 1.0F)};
    case ColorSpan::Head:
    case ColorSpan::Heads:
      return {map, seen.low, seen.high};
    case ColorSpan::Rows:
      return {map, 0.0F, 1.0F};
    case ColorSpan::Percentile:
      if (const float high = seen.percentile(kShareOfCells); high > 0.0F) return {map, low, high};
      break;
    case ColorSpan::Automatic:
      break;
  }
  return {map, low, std::max(seen.high, 0.0F)};
}

bool is_given(const ViewOptions& options) { return options.range_low || options.range_high; }

// Ends of the data with the given bounds in their place; symmetric on a diverging map.
ColorScale wanted_scale(const Statistics& seen, const PlotOptions& options) {
  ColorScale scale = options.stage == Stage::Weights
                         ? scale_of_weights(seen, options)
                         : ColorScale{&colormap_for(options), seen.low, seen.high};
  if (scale.map->diverging) {
    float reach = std::max(std::abs(scale.low), std::abs(scale.high));
    if (is_given(options)) {
      reach = as_float(std::max(std::abs(options.range_low.value_or(0.0)),
                                std::abs(options.range_high.value_or(0.0))));
    }
    return {scale.map, -reach, reach};
  }
  if (options.range_low) scale.low = as_float(*options.range_low);
  if (options.range_high) scale.high = as_float(*options.range_high);
  if (scale.low > scale.high) std::swap(scale.low, scale.high);
  return scale;
}

// Widens an empty range.
void settle(ColorScale& scale) {
  if (scale.low < scale.high) return;
  const float step = std::max(1.0F, std::abs(scale.low) * 0.5F);
  if (scale.map->diverging) scale.low -= step;
  scale.high = std::min(scale.high + step, std::numeric_limits<float>::max());
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
         (from_zero || range.map->diverging);
}

std::string number_words(double value) { return with_minus(short_text(value, 3)); }

std::string span_words(const PlotOptions& options, const std::string& scope, bool of_pixels) {
  if (is_given(options)) return ", as set";
  if (options.range == ColorSpan::Head || options.range == ColorSpan::Heads) return ", " + scope;
  if (options.stage != Stage::Weights || options.range != ColorSpan::Percentile) return "";
  return std::string(", 99.5th percentile of the ") + (of_pixels ? "pixels" : "cells");
}

std::string count_words(std::uint64_t count, bool is_exact, bool of_pixels, const char* where) {
  if (count == 0) return "";
  const std::string what = std::string(of_pixels ? "pixel" : "cell") + (count == 1 ? " " : "s ");
  return (is_exact ? ", " : ", about ") + grouped_text(count) + " " + what + where;
}

std::string beyond_words(const Statistics& seen, const ColorRange& range, bool of_pixels) {
  std::string words;
  if (range.beyond_high) {
    const bool is_exact = seen.is_exact() || (seen.exact && seen.exact->value == range.high);
    words += count_words(seen.above(range.high), is_exact, of_pixels, "above");
  }
  if (range.beyond_low) {
    words += count_words(seen.below(range.low), seen.is_exact(), of_pixels, "below");
  }
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
               .hint = "fc-list : family names those that are installed"};
}

// Checks a single bound against the other end.
Status check_single_bound(const PlotOptions& options, const Statistics& seen, Spelling spelling) {
  const bool is_low = options.range_low.has_value();
  const float bound = as_float(is_low ? *options.range_low : *options.range_high);
  PlotOptions free = options;
  free.range_low.reset();
  free.range_high.reset();
  const ColorScale data = wanted_scale(seen, free);
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

constexpr double kLeastSpan = 0.01;  // of the span that stays between the ends

constexpr double kTickLength = 0.35;  // these in font sizes
constexpr double kPoint = 0.9;
constexpr double kBarTitleGap = 1.5;
constexpr double kBasisGap = 1.35;

constexpr double kHistogram = 1.5;     // length of its longest bar
constexpr double kHistogramGap = 0.2;  // between it and the colours
constexpr double kBin = 0.6;           // height of a bin
constexpr double kHandle = 0.75;

FontStyle tick_font(const ColorBar& bar) { return {bar.font_size}; }

FontStyle basis_font(const ColorBar& bar) { return {secondary_size(bar.font_size)}; }

bool has_histogram(const ColorBar& bar) { return bar.seen != nullptr && bar.titled; }

// Width of the histogram between the colours and the labels of their ticks.
double histogram_room(const ColorBar& bar) {
  return has_histogram(bar) ? (kHistogramGap + kHistogram) * bar.font_size : 0.0;
}

// Colours from the highest down, shared by all bars so that painters can cache their texture.
std::shared_ptr<const MatrixCells> bar_cells() {
  static const std::shared_ptr<const MatrixCells> kCells = [] {
    auto cells = std::make_shared<MatrixCells>();
    cells->rows = 256;
    cells->cols = 1;
    for (int i = 255; i >= 0; --i) cells->values.push_back(static_cast<float>(i));
    return cells;
  }();
  return kCells;
}

// The part of the bar between its pointed ends.
Rect scale_rect(const ColorBar& bar) {
  const double point = kPoint * bar.font_size;
  Rect rect = bar.rect;
  rect.height -= point * ((bar.range.beyond_low ? 1.0 : 0.0) + (bar.range.beyond_high ? 1.0 : 0.0));
  if (bar.range.beyond_high) rect.y += point;
  return rect;
}

std::vector<Tick> ticks_of(const ColorBar& bar) {
  return bar_ticks(bar.range, scale_rect(bar).height, bar.font_size);
}

void add_ticks(Figure& figure, const ColorBar& bar, const FigureTheme& theme) {
  const Rect rect = scale_rect(bar);
  const double right = rect.right();
  const double labels = right + histogram_room(bar) + kTickLength * bar.font_size;
  for (const Tick& tick : ticks_of(bar)) {
    const double y = rect.y + rect.height * (1.0 - place_on(bar.range, tick.value));
    const double end = right + kTickLength * bar.font_size;
    figure.add(LineItem{{right, y}, {end, y}, theme.muted, 0.75});
    figure.add(text_item({labels + 0.2 * bar.font_size, y}, tick.text, tick_font(bar), theme.ink,
                         HAlign::Left, VAlign::Middle));
  }
}

void add_point(Figure& figure, const ColorBar& bar, bool high, const FigureTheme& theme) {
  const Rect rect = scale_rect(bar);
  const double base = high ? rect.y : rect.bottom();
  const double tip = high ? bar.rect.y : bar.rect.bottom();
  figure.add(PathItem{.points = {{rect.x, base}, {rect.middle().x, tip}, {rect.right(), base}},
                      .closed = true,
                      .fill = high ? bar.range.map->colors.back() : bar.range.map->colors.front(),
                      .stroke = theme.grid,
                      .stroke_width = 0.75,
                      .hit = ColorBarHit{}});
}

Color between(Color a, Color b) {
  const auto middle = [](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>((x + y) / 2);
  };
  return {middle(a.r, b.r), middle(a.g, b.g), middle(a.b, b.b), 255};
}

// Lengths grow with the square root, so that a few cells far from the rest are visible; a bin that
// is not empty always has a line.
void add_histogram(Figure& figure, const ColorBar& bar, const FigureTheme& theme) {
  constexpr double kShortest = 0.75;  // units
  const Rect rect = scale_rect(bar);
  const auto bins = static_cast<std::size_t>(
      std::clamp(std::floor(rect.height / (kBin * bar.font_size)), 8.0, 64.0));
  const std::vector<std::uint64_t> cells =
      bar.seen->histogram(bins, [&](double value) { return place_on(bar.range, value); });
  const double most = static_cast<double>(*std::ranges::max_element(cells));
  const double height = rect.height / static_cast<double>(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    if (cells[i] == 0) continue;
    const double part = std::sqrt(static_cast<double>(cells[i]) / most);
    figure.add(
        RectItem{.rect = {rect.right() + kHistogramGap * bar.font_size,
                          rect.bottom() - height * static_cast<double>(i + 1),
                          std::max(kShortest, part * kHistogram * bar.font_size), 0.85 * height},
                 .fill = between(theme.muted, theme.background),
                 .hit = ColorBarHit{}});
  }
}

// A triangle at the left of an end, on a larger area that is easier to hit.
void add_handle(Figure& figure, const ColorBar& bar, bool high, const FigureTheme& theme) {
  const Rect rect = scale_rect(bar);
  const double size = kHandle * bar.font_size;
  const double y = high ? rect.y : rect.bottom();
  const RangeHit hit{high, bar.range, rect.height, bar.range.map->diverging};
  PathItem triangle{.points = {{rect.x - 1.0, y},
                               {rect.x - 1.0 - size, y - 0.55 * size},
                               {rect.x - 1.0 - size, y + 0.55 * size}},
                    .closed = true,
                    .fill = theme.accent,
                    .hit = hit};
  RectItem reach{.rect = {rect.x - 1.6 * size, y - size, rect.width + 1.6 * size, 2.0 * size},
                 .hit = hit};
  figure.add(triangle);
  figure.add(reach);
}

// "range 0 to 0.54", ", square-root scale", "; histogram of 2 of 4 rows".
std::vector<std::string> parts_of_basis(const std::string& basis) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < basis.size();) {
    const std::size_t next = std::min(basis.find(", ", at + 1), basis.find("; ", at + 1));
    parts.push_back(basis.substr(at, next == std::string::npos ? next : next - at));
    at = std::min(next, basis.size());
  }
  return parts;
}

// Lines of the basis, at most most_lines; the last, least important parts are dropped when they do
// not fit. A part longer than the bar is broken at blanks.
std::vector<std::string> basis_lines(const ColorBar& bar, const TextMetrics& metrics) {
  if (!bar.has_basis) return {};
  std::vector<std::string> lines(1);
  const auto fits = [&](const std::string& text) {
    return metrics.measure(text, basis_font(bar)).width <= bar.rect.height;
  };
  for (const std::string& part : parts_of_basis(bar.range.basis)) {
    if (lines.back().empty() || fits(lines.back() + part)) {
      lines.back() += part;
    } else if (lines.size() < bar.most_lines) {
      lines.push_back(part.substr(2));
    } else {
      break;
    }
    if (fits(lines.back())) continue;
    const std::size_t left = bar.most_lines - lines.size() + 1;
    const auto broken = wrapped(metrics, lines.back(), basis_font(bar), bar.rect.height, left);
    lines.pop_back();
    lines.insert(lines.end(), broken.begin(), broken.end());
  }
  return lines;
}

std::vector<std::string> bar_title_lines(const ColorBar& bar, const TextMetrics& metrics) {
  if (bar.title.empty()) return {""};
  const FontStyle font{bar.font_size, false, false, true};
  return wrapped(metrics, bar.title, font, bar.rect.height, 3);
}

void add_upright(Figure& figure, const ColorBar& bar, const std::string& line, double size,
                 Color color, double x, const TextMetrics& metrics) {
  const FontStyle font{size, false, false, true};
  TextItem text = text_item({x, bar.rect.middle().y}, fitted(metrics, line, font, bar.rect.height),
                            font, color, HAlign::Center, VAlign::Middle);
  text.degrees = 90.0;
  figure.add(std::move(text));
}

// Text with as many digits as distinguish the ends.
std::string end_text(const ColorScale& scale, float end) {
  int digits = 3;
  while (digits < 9 && short_text(scale.low, digits) == short_text(scale.high, digits)) ++digits;
  return with_minus(short_text(end, digits));
}

void add_tick(std::vector<Tick>& ticks, const ColorScale& scale, double value, std::string text,
              double least_gap) {
  const double place = place_on(scale, value);
  if (!(place > 0.0 && place < 1.0)) return;
  for (const Tick& tick : ticks) {
    if (std::abs(place_on(scale, tick.value) - place) < least_gap) return;
  }
  ticks.push_back({value, std::move(text)});
}

void add_even_ticks(std::vector<Tick>& ticks, const ColorScale& scale, double height,
                    double font_size) {
  const double wanted = std::clamp(height / (4.0 * font_size), 2.0, 8.0);
  const std::vector<double> values =
      nice_ticks(scale.low, scale.high, static_cast<std::size_t>(wanted));
  const bool differ = tick_text(values.front(), values) != tick_text(values.back(), values);
  if (!differ) return;
  for (const double value : values) {
    const std::string text = with_minus(tick_text(value, values));
    for (Tick& end : ticks) {
      const double apart = std::abs(place_on(scale, value) - place_on(scale, end.value));
      if (apart < 1e-6) end.text = text;
    }
    add_tick(ticks, scale, value, text, 1.4 * font_size / height);
  }
}

// Powers of ten from the largest down, then 5 and 2 times each power where they fit.
void add_curved_ticks(std::vector<Tick>& ticks, const ColorScale& scale, double height,
                      double font_size) {
  constexpr int kDecades = 12;
  const double gap = 1.6 * font_size / height;
  const double reach =
      std::max(std::abs(static_cast<double>(scale.low)), std::abs(static_cast<double>(scale.high)));
  const int top = static_cast<int>(std::floor(std::log10(reach)));
  add_tick(ticks, scale, 0.0, "0", gap);
  for (const double digit : {1.0, 5.0, 2.0}) {
    for (int power = top; power > top - kDecades; --power) {
      const double value = digit * std::pow(10.0, power);
      const std::string text = with_minus(short_text(value, 2));
      add_tick(ticks, scale, value, text, gap);
      add_tick(ticks, scale, -value, "−" + text, gap);
    }
  }
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
  constexpr std::array<std::string_view, count_of<ColorCurve>()> kWords = {
      "", "square-root scale", "cube-root scale", "fourth-root scale", "logarithmic"};
  return kWords[static_cast<std::size_t>(curve)];
}

std::string range_words(double low, double high, ColorCurve curve) {
  const std::string words = "range " + number_words(low) + " to " + number_words(high);
  return curve == ColorCurve::Linear ? words : words + ", " + std::string(curve_words(curve));
}

ColorRange color_range(const Statistics& seen, const PlotOptions& options, const std::string& scope,
                       bool of_pixels) {
  ColorRange range{wanted_scale(seen, options)};
  settle(range);
  if (has_parts_of_rows(options)) {
    if (options.log) use_logarithm(range, kLeastPartOfARow);
    range.basis = "each row as part of its largest weight";
    if (is_given(options)) range.basis += ", " + range_words(range.low, range.high);
    if (options.log) range.basis += ", logarithmic";
    return range;
  }
  if (seen.cells == 0 && seen.concealed > 0) {
    range.basis = "concealed until the guess";
    return range;
  }
  range.beyond_low = seen.cells > 0 && seen.low < range.low;
  range.beyond_high = seen.cells > 0 && seen.high > range.high;
  const std::string beyond = beyond_words(seen, range, of_pixels);
  if (options.log && options.stage == Stage::Weights && !range.map->diverging &&
      range.high > 0.0F) {
    use_logarithm(range, seen.least_above_zero);
  } else if (may_bend(range, options)) {
    range.curve = curve_of(seen);
  }
  range.basis = range_words(range.low, range.high, range.curve) +
                span_words(options, scope, of_pixels) + beyond;
  return range;
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
  const PlotOptions fitted = fitted_to(options, result);
  const MatrixPtr matrix = stage_matrix(borrowed(result), {fitted.stage, fitted.at});
  const std::size_t step = sampling_step(matrix->extents(), 1, kReadAtOnce);
  const Statistics seen = statistics_of(*matrix, &result, statistics_of_colors(fitted), step);
  return check_single_bound(fitted, seen, spelling);
}

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

std::vector<Tick> bar_ticks(const ColorScale& scale, double height, double font_size) {
  std::vector<Tick> ticks{{scale.low, end_text(scale, scale.low)}};
  if (!(scale.high > scale.low)) return ticks;
  ticks.push_back({scale.high, end_text(scale, scale.high)});
  if (scale.curve == ColorCurve::Linear) {
    add_even_ticks(ticks, scale, height, font_size);
  } else {
    add_curved_ticks(ticks, scale, height, font_size);
  }
  std::ranges::sort(ticks, {}, &Tick::value);
  return ticks;
}

std::size_t basis_line_count(const ColorBar& bar, const TextMetrics& metrics) {
  return basis_lines(bar, metrics).size();
}

double bar_room(const ColorBar& bar, const TextMetrics& metrics) {
  const double ticks = histogram_room(bar) + (kTickLength + 0.2) * bar.font_size +
                       widest_of(ticks_of(bar), &Tick::text, tick_font(bar), metrics);
  if (!bar.titled) return ticks;
  const std::size_t more = bar_title_lines(bar, metrics).size() - 1;
  const auto lines = static_cast<double>(basis_line_count(bar, metrics) + more);
  return ticks + (kBarTitleGap + lines * kBasisGap) * bar.font_size;
}

void add_color_bar(Figure& figure, const ColorBar& bar, const FigureTheme& theme,
                   const TextMetrics& metrics) {
  figure.add(whole_item(scale_rect(bar), bar_cells(), {bar.range.map, 0.0F, 255.0F}, theme));
  figure.add(RectItem{
      .rect = scale_rect(bar), .stroke = theme.grid, .stroke_width = 0.75, .hit = ColorBarHit{}});
  if (bar.range.beyond_high) add_point(figure, bar, true, theme);
  if (bar.range.beyond_low) add_point(figure, bar, false, theme);
  if (has_histogram(bar)) add_histogram(figure, bar, theme);
  add_ticks(figure, bar, theme);
  if (bar.handles) {
    add_handle(figure, bar, false, theme);
    add_handle(figure, bar, true, theme);
  }
  if (!bar.titled) return;
  const double right = bar.rect.right() + bar_room(bar, metrics);
  const std::vector<std::string> lines = basis_lines(bar, metrics);
  const std::vector<std::string> titles = bar_title_lines(bar, metrics);
  const auto after_first = static_cast<double>(lines.size() + titles.size() - 1);
  double x = right - (0.5 + after_first * kBasisGap) * bar.font_size;
  for (const std::string& title : titles) {
    if (&title != titles.data()) x += kBasisGap * bar.font_size;
    add_upright(figure, bar, title, bar.font_size, theme.ink, x, metrics);
  }
  for (const std::string& line : lines) {
    x += kBasisGap * bar.font_size;
    add_upright(figure, bar, line, basis_font(bar).size, theme.muted, x, metrics);
  }
}

}  // namespace attn
