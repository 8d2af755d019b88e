// Drawing of colour bars with ticks at round numbers.
#include "plot/colors/color_bar.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr double kLeastSpan = 0.01;  // of the span that stays between the ends

constexpr double kTickLength = 0.35;  // these in font sizes
constexpr double kPoint = 0.9, kBarTitleGap = 1.5, kBasisGap = 1.35;

constexpr double kHistogram = 1.5;     // length of its longest bar
constexpr double kHistogramGap = 0.2;  // between it and the colours
constexpr double kBin = 0.6;           // height of a bin
constexpr double kHandle = 0.75;

FontStyle tick_font(const ColorBar& bar) { return {bar.font_size}; }

FontStyle basis_font(const ColorBar& bar) { return {secondary_size(bar.font_size)}; }

bool has_histogram(const ColorBar& bar) { return bar.seen != nullptr; }

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
  return bar_ticks(bar.range, scale_rect(bar).height, bar.font_size, bar.range.share);
}

void add_ticks(Figure& figure, const ColorBar& bar, const FigureTheme& theme) {
  const Rect rect = scale_rect(bar);
  const double right = rect.right();
  const double labels = right + histogram_room(bar) + kTickLength * bar.font_size;
  for (const Tick& tick : ticks_of(bar)) {
    const double y = rect.y + rect.height * (1.0 - place_on(bar.range, tick.value));
    const double length = kTickLength * bar.font_size;
    const bool is_share = bar.range.share > 0.0 && tick.value == bar.range.share;
    const double from = is_share ? rect.x - length : right;
    figure.add(LineItem{{from, y}, {right + length, y}, theme.muted, 0.75});
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
// is not empty always has a line. Another line marks the largest.
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
  const double largest = place_on(bar.range, static_cast<double>(bar.seen->high));
  if (bar.seen->cells == 0 || !(largest > 0.0 && largest < 1.0)) return;
  const double y = rect.bottom() - largest * rect.height,
               from = rect.right() + kHistogramGap * bar.font_size;
  figure.add(LineItem{{from, y}, {from + kHistogram * bar.font_size, y}, theme.ink, 0.75});
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

// Lines of the basis, at most most_lines.
std::vector<std::string> basis_lines(const ColorBar& bar, const TextMetrics& metrics) {
  if (!bar.has_basis) return {};
  return wrapped(metrics, bar.range.basis, basis_font(bar), bar.rect.height, bar.most_lines);
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

// Adds ticks at 0 and the equal share, at half of the largest, then powers of ten from the largest
// down; on logarithmic scales also 5 and 2 times each power.
void add_bent_ticks(std::vector<Tick>& ticks, const ColorScale& scale, double share, double height,
                    double font_size) {
  constexpr int kDecades = 12;
  const double gap = 1.6 * font_size / height;
  const double reach =
      std::max(std::abs(static_cast<double>(scale.low)), std::abs(static_cast<double>(scale.high)));
  const auto add = [&](double value) {
    const std::string text = with_minus(short_text(value, 2));
    add_tick(ticks, scale, value, text, gap);
    add_tick(ticks, scale, -value, "−" + text, gap);
  };
  const int top = static_cast<int>(std::floor(std::log10(reach)));
  const bool is_logarithm = scale.power == kLogarithm;
  add_tick(ticks, scale, 0.0, "0", gap);
  if (share > 0.0) add(share);
  if (!is_logarithm) add(0.5 * reach);
  for (const double digit : {1.0, 5.0, 2.0}) {
    if (digit > 1.0 && !is_logarithm) break;
    for (int power = top; power > top - kDecades; --power) add(digit * std::pow(10.0, power));
  }
}

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

std::vector<Tick> bar_ticks(const ColorScale& scale, double height, double font_size,
                            double share) {
  std::vector<Tick> ticks{{scale.low, end_text(scale, scale.low)}};
  if (!(scale.high > scale.low)) return ticks;
  ticks.push_back({scale.high, end_text(scale, scale.high)});
  if (scale.power == 1.0F) {
    add_even_ticks(ticks, scale, height, font_size);
  } else {
    add_bent_ticks(ticks, scale, share, height, font_size);
  }
  std::ranges::sort(ticks, {}, &Tick::value);
  return ticks;
}

ColorBar weight_bar(const FittedView& view, const Statistics& seen) {
  const ColorSubject subject = subject_of(view.result, {Stage::Weights, view.options.at});
  return {.range = color_range(subject, seen, with_map_of_weights(view.options)),
          .title = "Attention weight"};
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
  if (bar.offers) {  // the pointer may be anywhere at it
    Rect all = bar.rect;
    all.width += bar_room(bar, metrics);
    figure.add(RectItem{.rect = all.grown(kHandle * bar.font_size), .hit = ColorBarHit{}});
  }
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
