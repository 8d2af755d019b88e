// Drawing of line charts and tables inside a rectangle.
#include "plot/kit/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "base/number_text.h"
#include "figure/text.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr std::size_t kMostReadings = 400;  // points with hit areas; more would overlap

std::string superscript(int number) {
  constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                   "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) {
    text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

// Powers of ten are all written out, or all as 10ⁿ where one of them is long.
std::string power_text(double base, int exponent, bool short_ones) {
  if (base == 2.0 || short_ones) {
    const double value = std::pow(base, exponent);
    return value >= 1.0 ? grouped_text(static_cast<std::uint64_t>(value)) : plain_text(value);
  }
  return "10" + superscript(exponent);
}

std::vector<Tick> ticks_of(const ChartAxis& axis, std::size_t wanted) {
  std::vector<Tick> ticks;
  if (axis.base == 0.0) {
    std::vector<double> values = nice_ticks(axis.low, axis.high, wanted);
    if (axis.whole) std::erase_if(values, [](double value) { return value != std::round(value); });
    for (const double value : values)
      ticks.push_back({value, with_minus(tick_text(value, values))});
    return ticks;
  }
  const double unit = std::log(axis.base);
  const int first = static_cast<int>(std::ceil(std::log(axis.low) / unit - 1e-9));
  const int last = static_cast<int>(std::floor(std::log(axis.high) / unit + 1e-9));
  const int most = static_cast<int>(std::max<std::size_t>(wanted, 1));
  const int step = std::max(1, (last - first + most) / most);
  for (int e = first; e <= last; e += step) {
    ticks.push_back({std::pow(axis.base, e), power_text(axis.base, e, first >= -2 && last <= 3)});
  }
  return ticks;
}

// Everything that the steps of drawing a chart share.
struct ChartScene : Drawing {
  const Chart& chart;
  Rect area{};
  std::vector<std::string> x_title{}, y_title{};  // lines

  FontStyle small() const { return {font(), false, false, true}; }
  double x_of(double value) const { return area.x + area.width * share_of(chart.x, value); }
  double y_of(double value) const {
    return area.y + area.height * (1.0 - share_of(chart.y, value));
  }
  Point at(Point p) const { return {x_of(p.x), y_of(p.y)}; }
};

constexpr double kRightMargin = 1.3;  // of the font size
constexpr double kAxisTitleLine =
    1.25;  // of the font size, from one line of an axis title to the next

// Draws the title rotated, at the left end of the figure.
void add_y_axis(Figure& figure, const ChartScene& scene, const std::vector<Tick>& ticks) {
  double x = 0.5 * kAxisTitleLine * scene.font();
  for (const std::string& line : scene.y_title) {
    TextItem title = text_item({x, scene.area.middle().y}, line, scene.small(), scene.theme.muted,
                               HAlign::Center, VAlign::Middle);
    title.degrees = 90.0;
    figure.add(title);
    x += kAxisTitleLine * scene.font();
  }
  for (const Tick& tick : ticks) {
    const double y = scene.y_of(tick.value);
    figure.add(LineItem{{scene.area.x, y}, {scene.area.right(), y}, scene.theme.grid, 0.6});
    figure.add(text_item({scene.area.x - 0.4 * scene.font(), y}, tick.text, scene.small(),
                         scene.theme.muted, HAlign::Right, VAlign::Middle));
  }
}

// Smallest step at which labels of evenly spaced ticks do not overlap.
std::size_t label_step(const ChartScene& scene, const std::vector<Tick>& ticks) {
  if (ticks.size() < 2) return 1;
  const double widest = widest_of(ticks, &Tick::text, scene.small(), scene.metrics);
  const double spacing = scene.x_of(ticks[1].value) - scene.x_of(ticks[0].value);
  const double overhang = std::max(widest / 2.0 - kRightMargin * scene.font(), 0.0);
  return static_cast<std::size_t>(std::ceil((widest + overhang + 0.5 * scene.font()) / spacing));
}

void add_x_axis(Figure& figure, const ChartScene& scene) {
  const double bottom = scene.area.bottom();
  const std::vector<Tick> ticks = ticks_of(scene.chart.x, 16);
  const std::size_t step = label_step(scene, ticks);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double x = scene.x_of(ticks[i].value);
    figure.add(LineItem{{x, bottom}, {x, bottom + 0.3 * scene.font()}, scene.theme.muted, 0.75});
    if (i % step != 0) continue;
    // Within the figure, and no further left than the labels of the y axis allow.
    const double half = scene.metrics.measure(ticks[i].text, scene.small()).width / 2.0;
    const double left = scene.area.x - 0.3 * scene.font() + half;
    const double middle = std::clamp(x, left, std::max(figure.width - half, left));
    figure.add(text_item({middle, bottom + 1.2 * scene.font()}, ticks[i].text, scene.small(),
                         scene.theme.muted, HAlign::Center));
  }
  figure.add(
      LineItem{{scene.area.x, bottom}, {scene.area.right(), bottom}, scene.theme.muted, 1.0});
  const Point title{scene.area.middle().x, bottom + 2.5 * scene.font()};
  add_lines(figure, scene.x_title,
            text_item(title, "", scene.small(), scene.theme.muted, HAlign::Center),
            kAxisTitleLine * scene.font());
}

void add_mark(Figure& figure, const ChartScene& scene) {
  if (scene.chart.mark_text.empty()) return;
  const double share = share_of(scene.chart.x, scene.chart.mark);
  if (!(share >= 0.0) || share > 1.0) return;
  const double x = scene.x_of(scene.chart.mark);
  figure.add(
      LineItem{{x, scene.area.y}, {x, scene.area.bottom()}, scene.theme.accent, 1.0, {3.0, 2.0}});
  const std::string text =
      fitted(scene.metrics, scene.chart.mark_text, scene.small(), figure.width);
  const double half = scene.metrics.measure(text, scene.small()).width / 2.0;
  figure.add(text_item({std::clamp(x, half, std::max(figure.width - half, half)),
                        scene.area.y - 0.75 * scene.font()},
                       text, scene.small(), scene.theme.accent, HAlign::Center));
}

void add_dot(Figure& figure, Point at, double radius, Color fill, Color stroke, HitId hit = {}) {
  figure.add(RectItem{.rect = {at.x - radius, at.y - radius, 2.0 * radius, 2.0 * radius},
                      .fill = fill,
                      .stroke = stroke,
                      .stroke_width = stroke.a == 0 ? 0.0 : 1.2,
                      .radius = radius,
                      .hit = std::move(hit)});
}

// Narrows the interval [first, last] of the parameter t to where from + t · step lies in [low,
// high].
void narrow(double from, double step, double low, double high, double& first, double& last) {
  if (step == 0.0) {
    if (from < low || from > high) last = first - 1.0;
    return;
  }
  const double a = (low - from) / step, b = (high - from) / step;
  first = std::max(first, std::min(a, b));
  last = std::min(last, std::max(a, b));
}

// The part of a line between the ends of both axes; nothing when there is none.
std::optional<std::pair<Point, Point>> within_ends(const ChartScene& scene, Point from, Point to) {
  constexpr double kSlack = 1e-6;         // for rounding errors
  constexpr double kShortestPart = 1e-6;  // a shorter part only touches a corner
  const Rect& area = scene.area;
  const double right = to.x - from.x, down = to.y - from.y;
  double first = 0.0, last = 1.0;
  narrow(from.x, right, area.x - kSlack, area.right() + kSlack, first, last);
  narrow(from.y, down, area.y - kSlack, area.bottom() + kSlack, first, last);
  if (last - first < kShortestPart) return std::nullopt;
  const auto at = [&](double part) { return Point{from.x + part * right, from.y + part * down}; };
  return std::pair(first > 0.0 ? at(first) : from, last < 1.0 ? at(last) : to);
}

bool is_between_ends(const ChartScene& scene, const Point& at) {
  return within_ends(scene, at, at).has_value();
}

// Text of the bar's value; counts are whole: "199,999,000".
std::string number_of(const ChartBar& bar) {
  const bool is_count = bar.value >= 0.0 && bar.value < 1e15 && bar.value == std::floor(bar.value);
  if (is_count) return grouped_text(static_cast<std::uint64_t>(bar.value));
  return with_minus(short_text(bar.value));
}

void add_bars(Figure& figure, const ChartScene& scene) {
  const double bottom = scene.area.bottom();
  const auto level = [&](double value) {
    return std::clamp(scene.x_of(value), scene.area.x, scene.area.right());
  };
  for (const ChartBar& bar : scene.chart.bars) {
    const double top = std::max(scene.y_of(bar.value), scene.area.y);
    const double left = level(bar.from), right = level(bar.to);
    if (!std::isfinite(top) || !(top < bottom) || !(left < right)) continue;
    figure.add(RectItem{.rect = {left, top, right - left, bottom - top},
                        .fill = bar.color,
                        .hit = ReadingHit{with_minus(short_text(bar.from)) + " to " +
                                              with_minus(short_text(bar.to)),
                                          number_of(bar)}});
  }
}

void add_series(Figure& figure, const ChartScene& scene, const ChartSeries& series) {
  std::vector<Point> line;
  for (const Point& point : series.points) {
    const Point at = scene.at(point);
    if (std::isfinite(at.x) && std::isfinite(at.y)) line.push_back(at);
  }
  const auto length = [](Point from, Point to) { return std::hypot(to.x - from.x, to.y - from.y); };
  const double period = std::accumulate(series.dash.begin(), series.dash.end(), 0.0);
  double before = 0.0;  // length of the line up to here
  for (std::size_t i = 1; i < line.size(); before += length(line[i - 1], line[i]), ++i) {
    const auto part = within_ends(scene, line[i - 1], line[i]);
    if (!part) continue;
    LineItem item{part->first, part->second, series.color, 1.6, series.dash};
    if (period > 0.0) {
      item.dash_phase = std::fmod(before + length(line[i - 1], part->first), period);
    }
    figure.add(std::move(item));
  }
  const auto is_shown = [&](const Point& point) {
    const Point at = scene.at(point);
    return std::isfinite(at.x) && std::isfinite(at.y) && is_between_ends(scene, at);
  };
  std::vector<Point> shown;
  std::ranges::copy_if(series.points, std::back_inserter(shown), is_shown);
  if (!series.dots && shown.size() > kMostReadings) return;
  constexpr Color kNone{0, 0, 0, 0};
  for (const Point& point : shown) {
    add_dot(figure, scene.at(point), series.dots ? 0.2 * scene.font() : kDotReach,
            series.dots ? series.color : kNone, kNone,
            ReadingHit{series.name + " at " + with_minus(short_text(point.x)),
                       with_minus(short_text(point.y))});
  }
}

// Sets the area and the lines of the titles of the axes; returns the ticks of the y axis. Widths
// and heights depend on each other, hence two passes.
std::vector<Tick> lay_out(ChartScene& scene, double width, double height) {
  const double font = scene.font();
  std::vector<Tick> ticks;
  for (int pass = 0; pass < 2; ++pass) {
    const double below = (1.7 + kAxisTitleLine * static_cast<double>(scene.x_title.size())) * font;
    const double top = (scene.chart.mark_text.empty() ? 0.6 : 1.8) * font;
    const double room = std::max(height - top - below, font);
    const auto wanted = static_cast<std::size_t>(std::clamp(room / (1.7 * font), 1.0, 8.0));
    ticks = ticks_of(scene.chart.y, wanted);
    scene.y_title = wrapped(scene.metrics, scene.chart.y.title, scene.small(), room, 6);
    const double left = kAxisTitleLine * font * static_cast<double>(scene.y_title.size()) +
                        widest_of(ticks, &Tick::text, scene.small(), scene.metrics) + 0.6 * font;
    scene.area = {left, top, std::max(width - left - kRightMargin * font, font), room};
    scene.x_title = wrapped(scene.metrics, scene.chart.x.title, scene.small(), scene.area.width, 6);
  }
  return ticks;
}

// Sizes in font sizes.
constexpr double kTableGap = 0.8, kTableLine = 1.15;
constexpr std::size_t kTableLines = 3;  // per text
constexpr double kSmallestTable = 0.6;  // of the font size, before words are cut

FontStyle table_font(double font, bool head) {
  return {head ? secondary_size(font) : font, head, false, true};
}

FontStyle below_font(double font) { return {secondary_size(font), false, false, true}; }

// Widths that columns need for each text on one line; for each word on one line when `wrapped`.
std::vector<double> needed_widths(const std::vector<TableRow>& rows, double font,
                                  const TextMetrics& metrics, bool wrapped) {
  std::vector<double> widths(rows.front().size());
  for (std::size_t c = 0; c < widths.size(); ++c) {
    for (const TableRow& row : rows) {
      const FontStyle style = table_font(font, &row == &rows.front());
      const double text = wrapped ? widest_word(row[c].text, style, metrics)
                                  : metrics.measure(row[c].text, style).width;
      widths[c] =
          std::max({widths[c], text, metrics.measure(row[c].below, below_font(font)).width});
    }
  }
  return widths;
}

double sum_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

// Widths of the widest texts when they fit `room`, narrower down to the widest words when not, and
// below that scaled evenly.
std::vector<double> column_widths(const std::vector<double>& whole,
                                  const std::vector<double>& least, double gap, double room) {
  const double wanted = sum_of(whole), needed = sum_of(least);
  const std::size_t count = whole.size();
  // Spare width goes between the columns.
  const double spare = std::min((room - wanted) / static_cast<double>(count), 3.0 * gap);
  const double share = wanted > needed ? (room - needed) / (wanted - needed) : 0.0;
  std::vector<double> widths(count);
  for (std::size_t c = 0; c < count; ++c) {
    widths[c] = room >= wanted   ? whole[c] + spare
                : room >= needed ? least[c] + share * (whole[c] - least[c])
                                 : least[c] * room / needed;
  }
  return widths;
}

// Draws one cell with its top left corner at `at`. Returns its height.
double add_cell(Figure& figure, const Drawing& drawing, const TableCell& cell, Point at,
                double width, bool head, double font) {
  const FontStyle style = table_font(font, head), below = below_font(font);
  const double top = at.y;
  at.y += 1.2 * font;
  const Color color = head ? drawing.theme.muted : drawing.theme.ink;
  const double next =
      add_lines(figure, wrapped(drawing.metrics, cell.text, style, width + 1e-6, kTableLines),
                text_item(at, "", style, color), kTableLine * font);
  double baseline = next - kTableLine * font;
  if (!cell.below.empty()) {
    baseline += 1.1 * font;
    figure.add(text_item({at.x, baseline}, fitted(drawing.metrics, cell.below, below, width + 1e-6),
                         below, drawing.theme.muted));
  }
  return baseline - top + 0.5 * font;
}

}  // namespace

std::vector<double> nice_ticks(double low, double high, std::size_t wanted) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(wanted, 1));
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * power >= rough * (1.0 - 1e-9)) step = digit * power;
  }
  std::vector<double> ticks;
  const double slack = 1e-6 * (high - low);
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack; i += 1.0) {
    ticks.push_back(std::clamp(i * step, low, high));
  }
  if (ticks.empty()) ticks.push_back(low);
  return ticks;
}

std::string tick_text(double value, const std::vector<double>& ticks) {
  double largest = 0.0;
  for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
  const bool plain = largest == 0.0 || (largest < 1e5 && largest >= 1e-3);
  const int exponent = plain ? 0 : static_cast<int>(std::floor(std::log10(largest) + 1e-9));
  const double unit = std::pow(10.0, exponent);
  // The first step may be cut by the range, so the second one counts when there is one.
  const double step = ticks.size() > 2   ? ticks[2] - ticks[1]
                      : ticks.size() > 1 ? ticks[1] - ticks[0]
                                         : 0.0;
  const int decimals =
      step > 0.0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-6)), 0, 6)
                 : 0;
  std::string text = step > 0.0 ? fixed_text(value / unit, decimals) : short_text(value / unit, 3);
  if (plain && decimals == 0 && std::abs(value) >= 1000.0) {
    text = (value < 0.0 ? "-" : "") +
           grouped_text(static_cast<std::uint64_t>(std::llround(std::abs(value))));
  }
  if (plain) return text;
  return value == 0.0 ? "0" : text + " × 10" + superscript(exponent);
}

double usual_chart_height(double width, double font) {
  return std::clamp(0.7 * width, 14.0 * font, 24.0 * font);
}

ChartAxis with_ends(ChartAxis axis, const ViewOptions& options) {
  const auto can_be = [&](double end) { return axis.base == 0.0 || end > 0.0; };
  ChartAxis wanted = axis;
  if (options.axis_from && can_be(*options.axis_from)) wanted.low = *options.axis_from;
  if (options.axis_to && can_be(*options.axis_to)) wanted.high = *options.axis_to;
  return wanted.low < wanted.high ? wanted : axis;
}

double share_of(const ChartAxis& axis, double value) {
  if (axis.base == 0.0) return (value - axis.low) / std::max(axis.high - axis.low, 1e-300);
  return std::log(value / axis.low) / std::max(std::log(axis.high / axis.low), 1e-300);
}

Figure draw_chart(const Drawing& drawing, const Chart& chart, double width, double height) {
  ChartScene scene{drawing, chart};
  const double font = scene.font();
  Figure figure{.width = width, .height = height};
  const std::vector<Tick> ticks = lay_out(scene, width, height);
  add_y_axis(figure, scene, ticks);
  add_x_axis(figure, scene);
  add_bars(figure, scene);
  for (const ChartSeries& series : chart.series) add_series(figure, scene, series);
  for (const Point& crossing : chart.crossings) {
    if (!is_between_ends(scene, scene.at(crossing))) continue;
    add_dot(figure, scene.at(crossing), 0.32 * font, scene.theme.background, scene.theme.ink);
  }
  add_mark(figure, scene);
  return figure;
}

Figure chart_key(const Drawing& drawing, const std::vector<ChartSeries>& series, double width) {
  const double font = drawing.font();
  const FontStyle style{font, false, false, true};
  const double swatch = 2.2 * font;
  Figure figure{.width = width};
  double x = 0.0, y = font;
  for (const ChartSeries& one : series) {
    const double text = drawing.metrics.measure(one.name, style).width;
    if (x > 0.0 && x + swatch + text > width) {
      x = 0.0;
      y += 1.5 * font;
    }
    figure.add(LineItem{
        {x, y - 0.3 * font}, {x + 0.8 * swatch, y - 0.3 * font}, one.color, 1.6, one.dash});
    figure.add(text_item({x + swatch, y},
                         fitted(drawing.metrics, one.name, style, width - x - swatch), style,
                         drawing.theme.ink));
    x += swatch + text + 1.6 * font;
  }
  figure.height = y + 0.5 * font;
  return figure;
}

Figure draw_table(const Drawing& drawing, const std::vector<TableRow>& rows, double width) {
  const TextMetrics& metrics = drawing.metrics;
  const double gaps = kTableGap * static_cast<double>(rows.front().size() - 1);
  const double full = drawing.font();
  const double needed = sum_of(needed_widths(rows, full, metrics, true)) + gaps * full;
  const double font = full * std::clamp(width / std::max(needed, 1e-9), kSmallestTable, 1.0);
  const double gap = kTableGap * font;
  const double room = std::max(width - gaps * font, 1.0);
  const std::vector<double> widths =
      column_widths(needed_widths(rows, font, metrics, false),
                    needed_widths(rows, font, metrics, true), gap, room);
  Figure figure{.width = width};
  double y = 0.0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    double x = 0.0, height = 0.0;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      height =
          std::max(height, add_cell(figure, drawing, rows[r][c], {x, y}, widths[c], r == 0, font));
      x += widths[c] + gap;
    }
    y += height;
    figure.add(LineItem{{0.0, y}, {width, y}, drawing.theme.grid, r == 0 ? 1.0 : 0.6});
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
