#include "plot/chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/number_text.h"
#include "plot/color_bar.h"
#include "plot/items.h"

namespace attn {
namespace {

std::string superscript(int number) {
  constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                   "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) {
    text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

std::string power_text(double base, int exponent) {
  const double value = std::pow(base, exponent);
  if (base == 2.0 || std::abs(exponent) <= 3) return plain_text(value);
  return "10" + superscript(exponent);
}

struct Tick {
  double value = 0.0;
  std::string text;
};

std::vector<Tick> ticks_of(const ChartAxis& axis, std::size_t wanted) {
  std::vector<Tick> ticks;
  if (axis.base == 0.0) {
    const std::vector<double> values = nice_ticks(axis.low, axis.high, wanted);
    for (const double value : values) ticks.push_back({value, tick_text(value, values)});
    return ticks;
  }
  const double unit = std::log(axis.base);
  const int first = static_cast<int>(std::ceil(std::log(axis.low) / unit - 1e-9));
  const int last = static_cast<int>(std::floor(std::log(axis.high) / unit + 1e-9));
  const int most = static_cast<int>(std::max<std::size_t>(wanted, 1));
  const int step = std::max(1, (last - first + most) / most);
  for (int e = first; e <= last; e += step) {
    ticks.push_back({std::pow(axis.base, e), power_text(axis.base, e)});
  }
  return ticks;
}

// What every step of drawing a chart needs.
struct Scene {
  const Chart& chart;
  const PlotOptions& options;
  const FigureTheme& theme;
  const TextMetrics& metrics;
  Rect area{};

  double font() const { return options.font_size; }
  FontStyle small() const { return {0.8 * font(), false, false}; }
  double x_of(double value) const { return area.x + area.width * share_of(chart.x, value); }
  double y_of(double value) const {
    return area.y + area.height * (1.0 - share_of(chart.y, value));
  }
  Point at(Point p) const { return {x_of(p.x), y_of(p.y)}; }
};

void add_y_axis(Figure& figure, const Scene& scene, const std::vector<Tick>& ticks) {
  for (const Tick& tick : ticks) {
    const double y = scene.y_of(tick.value);
    figure.items.push_back(LineItem{
        {scene.area.x, y}, {scene.area.x + scene.area.width, y}, scene.theme.grid, 0.6, {}});
    figure.items.push_back(text_item({scene.area.x - 0.4 * scene.font(), y}, tick.text,
                                     scene.small(), scene.theme.muted, HAlign::Right,
                                     VAlign::Middle));
  }
}

// From the left, every label that the one before it leaves room for.
void add_x_axis(Figure& figure, const Scene& scene) {
  const double bottom = scene.area.y + scene.area.height;
  double free_from = -1e300;
  for (const Tick& tick : ticks_of(scene.chart.x, 16)) {
    const double x = scene.x_of(tick.value);
    figure.items.push_back(
        LineItem{{x, bottom}, {x, bottom + 0.3 * scene.font()}, scene.theme.muted, 0.75, {}});
    const double half = scene.metrics.measure(tick.text, scene.small()).width / 2.0;
    if (x - half < free_from || x + half > figure.width) continue;
    free_from = x + half + 0.5 * scene.font();
    figure.items.push_back(text_item({x, bottom + 1.2 * scene.font()}, tick.text, scene.small(),
                                     scene.theme.muted, HAlign::Center));
  }
  figure.items.push_back(LineItem{{scene.area.x, bottom},
                                  {scene.area.x + scene.area.width, bottom},
                                  scene.theme.muted,
                                  1.0,
                                  {}});
  figure.items.push_back(
      text_item({scene.area.x + scene.area.width / 2.0, bottom + 2.4 * scene.font()},
                fitted(scene.metrics, scene.chart.x.title, scene.small(), scene.area.width),
                scene.small(), scene.theme.muted, HAlign::Center));
}

void add_mark(Figure& figure, const Scene& scene) {
  if (scene.chart.mark_text.empty()) return;
  const double share = share_of(scene.chart.x, scene.chart.mark);
  if (!(share >= 0.0) || share > 1.0) return;
  const double x = scene.x_of(scene.chart.mark);
  figure.items.push_back(LineItem{{x, scene.area.y},
                                  {x, scene.area.y + scene.area.height},
                                  scene.theme.accent,
                                  1.0,
                                  {3.0, 2.0}});
  const std::string text =
      fitted(scene.metrics, scene.chart.mark_text, scene.small(), figure.width);
  const double half = scene.metrics.measure(text, scene.small()).width / 2.0;
  figure.items.push_back(text_item({std::clamp(x, half, std::max(figure.width - half, half)),
                                    scene.area.y - 0.35 * scene.font()},
                                   text, scene.small(), scene.theme.accent, HAlign::Center));
}

void add_dot(Figure& figure, Point at, double radius, Color fill, Color stroke) {
  RectItem dot;
  dot.rect = {at.x - radius, at.y - radius, 2.0 * radius, 2.0 * radius};
  dot.radius = radius;
  dot.fill = fill;
  dot.stroke = stroke;
  dot.stroke_width = stroke.a == 0 ? 0.0 : 1.2;
  figure.items.push_back(dot);
}

void add_series(Figure& figure, const Scene& scene, const ChartSeries& series) {
  std::vector<Point> line;
  for (const Point& point : series.points) {
    const Point at = scene.at(point);
    if (std::isfinite(at.x) && std::isfinite(at.y)) line.push_back(at);
  }
  for (std::size_t i = 1; i < line.size(); ++i) {
    figure.items.push_back(LineItem{line[i - 1], line[i], series.color, 1.6, series.dash});
  }
  if (!series.dots) return;
  for (const Point& at : line) {
    add_dot(figure, at, 0.2 * scene.font(), series.color, {0, 0, 0, 0});
  }
}

}  // namespace

double share_of(const ChartAxis& axis, double value) {
  if (axis.base == 0.0) return (value - axis.low) / std::max(axis.high - axis.low, 1e-300);
  return std::log(value / axis.low) / std::max(std::log(axis.high / axis.low), 1e-300);
}

Figure draw_chart(const Chart& chart, const PlotOptions& options, const TextMetrics& metrics,
                  double width, double height) {
  Scene scene{chart, options, figure_theme(options.theme), metrics};
  const double font = scene.font();
  Figure figure;
  figure.width = width;
  figure.height = height;
  const double top = (chart.mark_text.empty() ? 1.8 : 2.9) * font;
  const double room = std::max(height - top - 2.9 * font, font);
  const auto wanted = static_cast<std::size_t>(std::clamp(room / (1.7 * font), 1.0, 8.0));
  const std::vector<Tick> ticks = ticks_of(chart.y, wanted);
  double widest = 0.0;
  for (const Tick& tick : ticks) {
    widest = std::max(widest, metrics.measure(tick.text, scene.small()).width);
  }
  const double left = widest + 0.5 * font;
  scene.area = {left, top, std::max(width - left - 1.3 * font, font), room};
  const FontStyle bold{0.95 * font, true, false};
  figure.items.push_back(
      text_item({0.0, font}, fitted(metrics, chart.title, bold, width), bold, scene.theme.ink));
  add_y_axis(figure, scene, ticks);
  add_x_axis(figure, scene);
  for (const ChartSeries& series : chart.series) add_series(figure, scene, series);
  for (const Point& crossing : chart.crossings) {
    add_dot(figure, scene.at(crossing), 0.32 * font, scene.theme.background, scene.theme.ink);
  }
  add_mark(figure, scene);
  return figure;
}

Figure chart_key(const std::vector<ChartSeries>& series, const PlotOptions& options,
                 const TextMetrics& metrics, double width) {
  const double font = options.font_size;
  const FontStyle style{0.85 * font, false, false};
  const FigureTheme& theme = figure_theme(options.theme);
  const double swatch = 2.2 * font;
  Figure figure;
  figure.width = width;
  double x = 0.0;
  double y = font;
  for (const ChartSeries& one : series) {
    const double text = metrics.measure(one.name, style).width;
    if (x > 0.0 && x + swatch + text > width) {
      x = 0.0;
      y += 1.5 * font;
    }
    figure.items.push_back(LineItem{
        {x, y - 0.3 * font}, {x + 0.8 * swatch, y - 0.3 * font}, one.color, 1.6, one.dash});
    figure.items.push_back(text_item(
        {x + swatch, y}, fitted(metrics, one.name, style, width - x - swatch), style, theme.ink));
    x += swatch + text + 1.6 * font;
  }
  figure.height = y + 0.5 * font;
  return figure;
}

namespace {

// As wide as the widest text of each column, all made narrower alike where `width` is less.
std::vector<double> column_widths(const std::vector<TableRow>& rows, const FontStyle& text,
                                  const FontStyle& below, const TextMetrics& metrics, double gap,
                                  double width) {
  std::vector<double> widths(rows.front().size(), 0.0);
  double sum = 0.0;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    for (const TableRow& row : rows) {
      widths[c] = std::max({widths[c], metrics.measure(row[c].text, text).width,
                            metrics.measure(row[c].below, below).width});
    }
    sum += widths[c];
  }
  const double room = std::max(width - gap * static_cast<double>(widths.size() - 1), 1.0);
  // What is to spare goes between the columns.
  const double spare = std::min((room - sum) / static_cast<double>(widths.size()), 3.0 * gap);
  for (double& one : widths) one = sum > room ? one * room / sum : one + spare;
  return widths;
}

}  // namespace

Figure draw_table(const std::vector<TableRow>& rows, const PlotOptions& options,
                  const TextMetrics& metrics, double width) {
  const FigureTheme& theme = figure_theme(options.theme);
  const double font = options.font_size;
  const FontStyle head{0.8 * font, true, false}, text{0.9 * font, false, false};
  const FontStyle below{0.75 * font, false, false};
  const double gap = 0.8 * font;
  const std::vector<double> widths = column_widths(rows, text, below, metrics, gap, width);
  Figure figure;
  figure.width = width;
  double y = 0.0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    double x = 0.0;
    bool two_lines = false;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const TableCell& cell = rows[r][c];
      const FontStyle& style = r == 0 ? head : text;
      figure.items.push_back(text_item({x, y + 1.2 * font},
                                       fitted(metrics, cell.text, style, widths[c]), style,
                                       r == 0 ? theme.muted : theme.ink));
      if (!cell.below.empty()) {
        two_lines = true;
        figure.items.push_back(text_item({x, y + 2.3 * font},
                                         fitted(metrics, cell.below, below, widths[c]), below,
                                         theme.muted));
      }
      x += widths[c] + gap;
    }
    y += (two_lines ? 2.8 : 1.7) * font;
    figure.items.push_back(LineItem{{0.0, y}, {width, y}, theme.grid, r == 0 ? 1.0 : 0.6, {}});
  }
  figure.height = y + 0.4 * font;
  return figure;
}

std::string count_text(double number) {
  if (!std::isfinite(number)) return number > 0.0 ? "∞" : "–";
  if (number >= 1e9) {
    const int exponent = static_cast<int>(std::floor(std::log10(number)));
    return fixed_text(number / std::pow(10.0, exponent), 1) + " × 10" + superscript(exponent);
  }
  if (number != std::floor(number)) return short_text(number, 3);
  return grouped_text(static_cast<std::uint64_t>(number));
}

}  // namespace attn
