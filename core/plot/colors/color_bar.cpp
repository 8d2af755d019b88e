// Drawing of colour bars with ticks at round numbers.
#include "plot/colors/color_bar.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "figure/text.h"
#include "plot/kit/chart.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr double kTickLength = 0.35;  // these in font sizes
constexpr double kPoint = 0.9;
constexpr double kBarTitleGap = 1.5;
constexpr double kBasisGap = 1.35;

constexpr double kHistogram = 1.5;     // length of its longest bar
constexpr double kHistogramGap = 0.2;  // between it and the colours
constexpr double kBin = 0.6;           // height of a bin
constexpr double kHandle = 0.75;

FontStyle tick_font(const ColorBar& bar) { return {bar.font_size, false, false}; }

FontStyle basis_font(const ColorBar& bar) { return {secondary_size(bar.font_size), false, false}; }

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
  rect.height -= point * ((bar.beyond_low ? 1.0 : 0.0) + (bar.beyond_high ? 1.0 : 0.0));
  if (bar.beyond_high) rect.y += point;
  return rect;
}

std::vector<BarTick> ticks_of(const ColorBar& bar) {
  return bar_ticks(bar.scale, scale_rect(bar).height, bar.font_size);
}

MatrixItem bar_matrix(const ColorBar& bar) {
  MatrixItem matrix;
  matrix.rect = matrix.clip = scale_rect(bar);
  matrix.cells = bar_cells();
  matrix.scale = {bar.scale.map, 0.0F, 255.0F};
  matrix.row_count = matrix.cells->rows;
  matrix.col_count = matrix.cells->cols;
  return matrix;
}

void add_ticks(Figure& figure, const ColorBar& bar, const FigureTheme& theme) {
  const Rect rect = scale_rect(bar);
  const double right = rect.x + rect.width;
  const double labels = right + histogram_room(bar) + kTickLength * bar.font_size;
  for (const BarTick& tick : ticks_of(bar)) {
    const double y = rect.y + rect.height * (1.0 - place_on(bar.scale, tick.value));
    const double end = right + kTickLength * bar.font_size;
    figure.add(LineItem{{right, y}, {end, y}, theme.muted, 0.75, {}});
    figure.add(text_item({labels + 0.2 * bar.font_size, y}, tick.text, tick_font(bar), theme.ink,
                         HAlign::Left, VAlign::Middle));
  }
}

void add_point(Figure& figure, const ColorBar& bar, bool high, const FigureTheme& theme) {
  const Rect rect = scale_rect(bar);
  const double base = high ? rect.y : rect.y + rect.height;
  const double tip = high ? bar.rect.y : bar.rect.y + bar.rect.height;
  figure.add(PathItem{
      .points = {{rect.x, base}, {rect.x + rect.width / 2.0, tip}, {rect.x + rect.width, base}},
      .closed = true,
      .fill = high ? bar.scale.map->colors.back() : bar.scale.map->colors.front(),
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
      bar.seen->histogram(bins, [&](double value) { return place_on(bar.scale, value); });
  const double most = static_cast<double>(*std::ranges::max_element(cells));
  const double height = rect.height / static_cast<double>(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    if (cells[i] == 0) continue;
    const double part = std::sqrt(static_cast<double>(cells[i]) / most);
    figure.add(
        RectItem{.rect = {rect.x + rect.width + kHistogramGap * bar.font_size,
                          rect.y + rect.height - height * static_cast<double>(i + 1),
                          std::max(kShortest, part * kHistogram * bar.font_size), 0.85 * height},
                 .fill = between(theme.muted, theme.background),
                 .hit = ColorBarHit{}});
  }
}

// A triangle at the left of an end, on a larger area that is easier to hit.
void add_handle(Figure& figure, const ColorBar& bar, bool high, const FigureTheme& theme) {
  const Rect rect = scale_rect(bar);
  const double size = kHandle * bar.font_size;
  const double y = high ? rect.y : rect.y + rect.height;
  const RangeHit hit{high, bar.scale, rect.height, bar.mirrored};
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
// not fit.
std::vector<std::string> basis_lines(const ColorBar& bar, const TextMetrics& metrics) {
  std::vector<std::string> lines(1);
  const auto fits = [&](const std::string& text) {
    return metrics.measure(text, basis_font(bar)).width <= bar.rect.height;
  };
  for (const std::string& part : parts_of_basis(bar.basis)) {
    if (lines.back().empty() || fits(lines.back() + part)) {
      lines.back() += part;
    } else if (lines.size() < bar.most_lines) {
      lines.push_back(part.substr(2));
    } else {
      break;
    }
  }
  return lines;
}

void add_upright(Figure& figure, const ColorBar& bar, const std::string& line, double size,
                 Color color, double x, const TextMetrics& metrics) {
  const FontStyle font{size, false, false, true};
  figure.add(TextItem{.anchor = {x, bar.rect.y + bar.rect.height / 2.0},
                      .text = fitted(metrics, line, font, bar.rect.height),
                      .font = font,
                      .color = color,
                      .halign = HAlign::Center,
                      .valign = VAlign::Middle,
                      .degrees = 90.0});
}

// Text with as many digits as distinguish the ends.
std::string end_text(const ColorScale& scale, float end) {
  int digits = 3;
  while (digits < 9 && short_text(scale.low, digits) == short_text(scale.high, digits)) ++digits;
  return with_minus(short_text(end, digits));
}

void add_tick(std::vector<BarTick>& ticks, const ColorScale& scale, double value, std::string text,
              double least_gap) {
  const double place = place_on(scale, value);
  if (!(place > 0.0 && place < 1.0)) return;
  for (const BarTick& tick : ticks) {
    if (std::abs(place_on(scale, tick.value) - place) < least_gap) return;
  }
  ticks.push_back({value, std::move(text)});
}

void add_even_ticks(std::vector<BarTick>& ticks, const ColorScale& scale, double height,
                    double font_size) {
  const double wanted = std::clamp(height / (4.0 * font_size), 2.0, 8.0);
  const std::vector<double> values =
      nice_ticks(scale.low, scale.high, static_cast<std::size_t>(wanted));
  const bool differ = tick_text(values.front(), values) != tick_text(values.back(), values);
  if (!differ) return;
  for (const double value : values) {
    const std::string text = with_minus(tick_text(value, values));
    for (BarTick& end : ticks) {
      const double apart = std::abs(place_on(scale, value) - place_on(scale, end.value));
      if (apart < 1e-6) end.text = text;
    }
    add_tick(ticks, scale, value, text, 1.4 * font_size / height);
  }
}

// Powers of ten from the largest down, then 5 and 2 times each power where they fit.
void add_curved_ticks(std::vector<BarTick>& ticks, const ColorScale& scale, double height,
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
      const std::string text = short_text(value, 2);
      add_tick(ticks, scale, value, text, gap);
      add_tick(ticks, scale, -value, with_minus("-" + text), gap);
    }
  }
}

}  // namespace

std::vector<BarTick> bar_ticks(const ColorScale& scale, double height, double font_size) {
  std::vector<BarTick> ticks{{scale.low, end_text(scale, scale.low)}};
  if (!(scale.high > scale.low)) return ticks;
  ticks.push_back({scale.high, end_text(scale, scale.high)});
  if (scale.curve == ColorCurve::Linear) {
    add_even_ticks(ticks, scale, height, font_size);
  } else {
    add_curved_ticks(ticks, scale, height, font_size);
  }
  std::ranges::sort(ticks, {}, &BarTick::value);
  return ticks;
}

std::size_t basis_line_count(const ColorBar& bar, const TextMetrics& metrics) {
  return basis_lines(bar, metrics).size();
}

double bar_room(const ColorBar& bar, const TextMetrics& metrics) {
  const double ticks = histogram_room(bar) + (kTickLength + 0.2) * bar.font_size +
                       widest_of(ticks_of(bar), &BarTick::text, tick_font(bar), metrics);
  if (!bar.titled) return ticks;
  const auto lines = static_cast<double>(basis_line_count(bar, metrics));
  return ticks + (kBarTitleGap + lines * kBasisGap) * bar.font_size;
}

void add_color_bar(Figure& figure, const ColorBar& bar, const FigureTheme& theme,
                   const TextMetrics& metrics) {
  figure.add(bar_matrix(bar));
  figure.add(RectItem{
      .rect = scale_rect(bar), .stroke = theme.grid, .stroke_width = 0.75, .hit = ColorBarHit{}});
  if (bar.beyond_high) add_point(figure, bar, true, theme);
  if (bar.beyond_low) add_point(figure, bar, false, theme);
  if (has_histogram(bar)) add_histogram(figure, bar, theme);
  add_ticks(figure, bar, theme);
  if (bar.handles) {
    add_handle(figure, bar, false, theme);
    add_handle(figure, bar, true, theme);
  }
  if (!bar.titled) return;
  const double right = bar.rect.x + bar.rect.width + bar_room(bar, metrics);
  const std::vector<std::string> lines = basis_lines(bar, metrics);
  double x = right - (0.5 + static_cast<double>(lines.size()) * kBasisGap) * bar.font_size;
  add_upright(figure, bar, bar.title, bar.font_size, theme.ink, x, metrics);
  for (const std::string& line : lines) {
    x += kBasisGap * bar.font_size;
    add_upright(figure, bar, line, basis_font(bar).size, theme.muted, x, metrics);
  }
}

}  // namespace attn
