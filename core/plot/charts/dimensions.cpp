// Extents of tensors as groups of bars, above the flow of shapes.
#include <algorithm>
#include <cmath>

#include "base/quotient_up.h"
#include "figure/text.h"
#include "plot/charts/charts.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

// Sizes in font sizes.
constexpr double kPadding = 0.6, kArrow = 2.0, kBetweenBoxes = 0.8, kBetweenLines = 2.2;
constexpr double kTrunk = 0.5;   // right of the last column, for arrows to the next line
constexpr double kIndent = 1.4;  // left of a line that begins with several boxes, for arrows
constexpr double kGutter = 1.7;  // right of all columns, for arrows from values to a later line
constexpr double kBoxLine = 1.2;

constexpr double kSmallestLetters = 6.0;  // points; formulas are smaller

struct FlowChart : Drawing {
  double letters;  // size of the text
  std::vector<FlowColumn> columns;
  double box_width = 0.0, gutter = 0.0;
  std::vector<double> line_tops{};  // of the highest box of each line

  FontStyle title_font() const { return {letters, true, false, true}; }
  FontStyle formula_font() const { return {secondary_size(letters), false, false, true}; }
  FontStyle shape_font() const { return {letters, false, false, true}; }
};

// Returns the width of a text in at most two lines.
double text_width(const FlowChart& chart, const std::string& text, const FontStyle& font) {
  double width = chart.metrics.measure(text, font).width;
  for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
    const double first = chart.metrics.measure(text.substr(0, at), font).width;
    const double second = chart.metrics.measure(text.substr(at + 1), font).width;
    width = std::min(width, std::max(first, second));
  }
  return width;
}

double widest_box(const FlowChart& chart) {
  const double font = chart.letters;
  double widest = 0.0;
  for (const FlowColumn& column : chart.columns) {
    for (const FlowBox& box : column) {
      widest = std::max({widest, text_width(chart, box.title, chart.title_font()),
                         text_width(chart, box.formula, chart.formula_font()),
                         chart.metrics.measure(box.symbols, chart.shape_font()).width,
                         chart.metrics.measure(box.extents, {font, true}).width});
    }
  }
  return widest + 2.0 * kPadding * font;
}

std::vector<std::string> lines_in_box(const FlowChart& chart, const std::string& text,
                                      const FontStyle& font) {
  const double room = chart.box_width - kPadding * chart.letters;
  return wrapped(chart.metrics, text, font, room, 2);
}

double box_height(const FlowBox& box, const FlowChart& chart) {
  const std::size_t lines = lines_in_box(chart, box.title, chart.title_font()).size() +
                            lines_in_box(chart, box.formula, chart.formula_font()).size();
  return (3.3 + kBoxLine * static_cast<double>(lines)) * chart.letters;
}

// Stacks the boxes of a column from `y` on.
void place(FlowColumn& column, double x, double y, std::size_t line, const FlowChart& chart) {
  const double gap = kBetweenBoxes * chart.letters;
  for (FlowBox& box : column) {
    const double height = box_height(box, chart);
    box.rect = {x, y, chart.box_width, height};
    box.line = line;
    y += height + gap;
  }
}

// Return the heights of a column above and below its middle: the first two boxes are on either side
// of it, like Q and K around the arrow to the scores; V comes below them.
double above_middle(const FlowColumn& column, const FlowChart& chart) {
  const double first = box_height(column.front(), chart);
  return column.size() == 1 ? first / 2.0 : first + kBetweenBoxes * chart.letters / 2.0;
}

double below_middle(const FlowColumn& column, const FlowChart& chart) {
  if (column.size() == 1) return box_height(column.front(), chart) / 2.0;
  const double gap = kBetweenBoxes * chart.letters;
  double below = -gap / 2.0;
  for (std::size_t i = 1; i < column.size(); ++i) below += box_height(column[i], chart) + gap;
  return below;
}

std::size_t columns_per_line(double width, double box_width, double font) {
  const double columns = (width + (kArrow - kTrunk) * font) / (box_width + kArrow * font);
  return std::max<std::size_t>(1, static_cast<std::size_t>(columns + 1e-9));
}

// True if lines break before a column: chains of columns that are made from each other have
// separate lines, and so have single columns that are not made from their neighbours.
bool begins_chain(const std::vector<FlowColumn>& columns, std::size_t at) {
  const auto made = [&](std::size_t i) {
    return i == 0 || (i < columns.size() && feeds(columns[i - 1], columns[i]));
  };
  return at > 0 && !made(at) && (made(at - 1) || made(at + 1));
}

// Returns the first columns of lines of at most `most` columns, and the number of all columns;
// lines of one chain are equally long as far as that keeps arrows apart.
std::vector<std::size_t> lines_of(const std::vector<FlowColumn>& columns, std::size_t most) {
  std::vector<std::size_t> lines{0};
  for (std::size_t begin = 0; begin < columns.size();) {
    std::size_t end = begin + 1;
    while (end < columns.size() && !begins_chain(columns, end)) ++end;
    const std::size_t count = quotient_up(end - begin, most);
    const std::size_t per_line = quotient_up(end - begin, count);
    for (; begin < end; begin = lines.back()) {
      std::size_t stop = std::min(begin + per_line, end);
      // Arrows between two columns of several boxes would cross on the way to another line.
      while (stop < end && stop > begin + 1 && columns[stop - 1].size() > 1 &&
             columns[stop].size() > 1) {
        --stop;
      }
      lines.push_back(stop);
    }
  }
  return lines;
}

// Returns the indent for arrows into each of several boxes that begin a line.
double indent_of(const std::vector<FlowColumn>& columns, std::size_t first, double font) {
  const bool below = first > 0 && feeds(columns[first - 1], columns[first]);
  return below && columns[first].size() > 1 ? kIndent * font : 0.0;
}

// Breaks as lines_of() does, into lines of `width` units.
std::vector<std::size_t> lines_in(const std::vector<FlowColumn>& columns, double width,
                                  double box_width, double font) {
  std::vector<std::size_t> lines = lines_of(columns, columns_per_line(width, box_width, font));
  for (std::size_t l = 0; l + 1 < lines.size(); ++l) {
    const double indent = indent_of(columns, lines[l], font);
    if (lines[l + 1] - lines[l] <= columns_per_line(width - indent, box_width, font)) continue;
    return lines_of(columns, columns_per_line(width - kIndent * font, box_width, font));
  }
  return lines;
}

// The arrow from a value to the output that is made from it, a box of `column`.
struct ValueUse {
  const FlowBox* value;
  const FlowBox* output;
  const FlowColumn* column;
  // True if the arrow goes below the scores, as nothing is in the way; else it goes around all
  // columns.
  bool is_direct() const { return value->line == output->line && column->size() == 1; }
};

std::vector<ValueUse> uses_of_values(const FlowChart& chart) {
  std::vector<ValueUse> uses;
  const FlowBox* value = nullptr;
  for (const FlowColumn& column : chart.columns) {
    for (const FlowBox& box : column) {
      if (box.tensor == TensorHit(StageHit{Stage::Value})) value = &box;
      if (box.tensor != TensorHit(StageHit{Stage::Output}) || value == nullptr) continue;
      uses.push_back({value, &box, &column});
      value = nullptr;
    }
  }
  return uses;
}

// Breaks the columns into lines of the width of the figure. Returns the height.
double place_columns(FlowChart& chart) {
  std::vector<FlowColumn>& columns = chart.columns;
  const double width = std::max(chart.options.width - chart.gutter - 2.0, 1.0);
  chart.box_width =
      std::min(widest_box(chart), std::max(width - (kTrunk + kIndent) * chart.letters, 1.0));
  const double step = chart.box_width + kArrow * chart.letters;
  const std::vector<std::size_t> lines = lines_in(columns, width, chart.box_width, chart.letters);
  chart.line_tops.clear();
  double y = 0.0;
  for (std::size_t l = 0; l + 1 < lines.size(); ++l) {
    double above = 0.0, below = 0.0;
    for (std::size_t i = lines[l]; i < lines[l + 1]; ++i) {
      above = std::max(above, above_middle(columns[i], chart));
      below = std::max(below, below_middle(columns[i], chart));
    }
    if (l > 0) y += kBetweenLines * chart.letters;
    chart.line_tops.push_back(y);
    double x = indent_of(columns, lines[l], chart.letters);
    for (std::size_t i = lines[l]; i < lines[l + 1]; ++i, x += step) {
      place(columns[i], x, y + above - above_middle(columns[i], chart), l, chart);
    }
    y += above + below;
  }
  if (chart.gutter > 0.0 || std::ranges::all_of(uses_of_values(chart), &ValueUse::is_direct)) {
    return y;
  }
  chart.gutter = kGutter * chart.letters;
  return place_columns(chart);
}

// Chooses smaller letters where they make the flow lower, and far smaller ones only while it is
// higher than `most`. Returns the height.
double choose_size(FlowChart& chart, double most) {
  const FlowChart full = chart;
  double height = place_columns(chart);
  for (const double scale : {0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6}) {
    const bool is_far = scale < 0.8;
    FlowChart next = full;
    next.letters = scale * full.letters;
    if (is_far && (height <= most || next.letters < kSmallestLetters)) break;
    const double lower = place_columns(next);
    if (lower >= (is_far ? 1.0 : 0.93) * height) continue;
    height = lower;
    chart.letters = next.letters;
  }
  chart.gutter = 0.0;
  return place_columns(chart);
}

void add_box(Figure& figure, const FlowChart& chart, const FlowBox& box) {
  const Rect& r = box.rect;
  const double font = chart.letters;
  const bool strong = chart.options.highlight == box.tensor;
  RectItem item{.rect = r,
                .fill = strong ? with_alpha(chart.theme.accent, 56) : chart.theme.panel,
                .stroke = strong ? chart.theme.accent : with_alpha(box.color, 200),
                .stroke_width = strong ? 2.4 : 1.0,
                .radius = 0.45 * font,
                .hit = hit_of(box.tensor)};
  figure.add(item);
  double y = r.y + 1.45 * font;
  const auto add = [&](const std::string& words, FontStyle style, Color color, double advance) {
    if (words.empty()) return;
    figure.add(text_item({r.middle().x, y},
                         fitted(chart.metrics, words, style, r.width - 0.6 * font), style, color,
                         HAlign::Center, VAlign::Baseline, item.hit));
    y += advance * font;
  };
  for (const std::string& line : lines_in_box(chart, box.title, chart.title_font())) {
    add(line, chart.title_font(), box.color, kBoxLine);
  }
  for (const std::string& line : lines_in_box(chart, box.formula, chart.formula_font())) {
    add(line, chart.formula_font(), chart.theme.muted, kBoxLine);
  }
  y += 0.1 * font;
  add(box.symbols, chart.shape_font(), chart.theme.muted, 1.2);
  add(box.extents, {font, true}, chart.theme.ink, 0.0);
}

// A polyline with an arrow head at its end.
void add_arrow(Figure& figure, const FlowChart& chart, const std::vector<Point>& points,
               Color color) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    figure.add(LineItem{points[i - 1], points[i], color, 1.0});
  }
  const Point tip = points.back(), from = points[points.size() - 2];
  const double length = std::max(std::hypot(tip.x - from.x, tip.y - from.y), 1e-9);
  const Point along{(tip.x - from.x) / length, (tip.y - from.y) / length};
  const double size = 0.5 * chart.letters;
  figure.add(PathItem{.points = {tip,
                                 {tip.x - along.x * size - along.y * size * 0.5,
                                  tip.y - along.y * size + along.x * size * 0.5},
                                 {tip.x - along.x * size + along.y * size * 0.5,
                                  tip.y - along.y * size - along.x * size * 0.5}},
                      .closed = true,
                      .fill = color});
}

// Returns the path of an arrow from a box of a column to one of the next. From the last column of a
// line to the first of the next one, arrows from several boxes meet at their right, and several
// boxes are entered from a common line at their left.
std::vector<Point> way_between(const FlowChart& chart, const FlowColumn& column, const Rect& a,
                               const FlowColumn& next, const Rect& b) {
  const Point right{a.right(), a.middle().y}, left{b.x - 1.0, b.middle().y};
  const std::size_t line = next.front().line;
  if (column.front().line == line) return {right, left};
  const double turn = chart.line_tops[line] - kBetweenLines * chart.letters / 2.0;
  std::vector<Point> points{{a.middle().x, a.bottom()}};
  if (column.size() > 1) points = {right, {right.x + kTrunk * chart.letters, right.y}};
  const bool from_left = next.size() > 1;
  const double into = from_left ? b.x - 0.8 * kIndent * chart.letters : b.middle().x;
  points.insert(points.end(), {{points.back().x, turn}, {into, turn}});
  if (from_left) points.push_back({into, left.y});
  points.push_back(from_left ? left : Point{into, b.y - 1.0});
  return points;
}

void add_arrows(Figure& figure, const FlowChart& chart, const FlowColumn& column,
                const FlowColumn& next) {
  for (std::size_t i = 0; i < column.size(); ++i) {
    for (const FlowBox& to : next) {
      if (!feeds(column, i, to)) continue;
      add_arrow(figure, chart, way_between(chart, column, column[i].rect, next, to.rect),
                chart.theme.muted);
    }
  }
}

// Returns the path of an arrow from a value through the gutter into the top of the output; below
// the boxes of its line, when one of them is in the way to the gutter.
std::vector<Point> way_around(const FlowChart& chart, const ValueUse& use) {
  const Rect &a = use.value->rect, &b = use.output->rect;
  std::vector<Point> points{{a.right(), a.middle().y}};
  bool is_blocked = false;
  double bottom = 0.0, right = 0.0;
  for (const FlowColumn& column : chart.columns) {
    for (const FlowBox& box : column) {
      const Rect& r = box.rect;
      right = std::max(right, r.right() + kTrunk * chart.letters);
      if (box.line != use.value->line) continue;
      bottom = std::max(bottom, r.bottom());
      is_blocked |= r.x > a.x && r.y < points[0].y && points[0].y < r.bottom();
    }
  }
  if (is_blocked) {
    points.push_back({points[0].x + kTrunk * chart.letters, points[0].y});
    points.push_back({points[1].x, bottom + 0.5 * chart.letters});
  }
  const double gutter = right + 0.7 * kGutter * chart.letters;
  const double above = chart.line_tops[use.output->line] - 0.5 * chart.letters;
  const double into = b.x + 0.75 * b.width;
  points.push_back({gutter, points.back().y});
  points.insert(points.end(), {{gutter, above}, {into, above}, {into, b.y - 1.0}});
  return points;
}

// Arrows from values to the output: under the scores, or around all columns.
void add_value_arrows(Figure& figure, const FlowChart& chart) {
  for (const ValueUse& use : uses_of_values(chart)) {
    const Rect &a = use.value->rect, &b = use.output->rect;
    const Point start{a.right(), a.middle().y};
    const double x = b.x + 0.3 * b.width;
    const std::vector<Point> under{start, {x, start.y}, {x, b.bottom() + 1.0}};
    add_arrow(figure, chart, use.is_direct() ? under : way_around(chart, use), chart.theme.value);
  }
}

// --- bars ------------------------------------------------------------------------------------

struct BarGroup {
  std::string title;
  TensorHit tensor;
  Color color;
  std::vector<std::size_t> bars;  // a length and, drawn lighter, a feature dimension
};

std::vector<BarGroup> groups_of(const Drawing& drawing) {
  const AttentionResult& result = drawing.result;
  const FigureTheme& theme = drawing.theme;
  const HeadAddress& at = drawing.options.at;
  const AttentionShape s = drawing.shape();
  std::vector<BarGroup> groups;
  for (const EmbeddingsUsed& used : embeddings_of(drawing, at)) {
    const bool one_sequence = keys_are_queries(drawing.document, at);
    const Shape& shape = used.x->shape();
    groups.push_back({used.title,
                      used.tensor,
                      one_sequence ? theme.ink : role_color(theme, used.role),
                      {shape.rbegin()[1], shape.back()}});
  }
  for (const Stage stage :
       {Stage::Query, Stage::Key, Stage::Value, Stage::Output, Stage::Projected}) {
    if (!result.has(stage)) continue;
    const StageShape shape = stage_shape(s, stage);
    groups.push_back(
        {flow_title(stage), StageHit{stage}, stage_color(theme, stage), {shape.rows, shape.cols}});
  }
  if (groups.empty()) {
    groups.push_back({"Queries", StageHit{Stage::Weights}, theme.query, {s.n_q}});
    groups.push_back({"Keys", StageHit{Stage::Weights}, theme.key, {s.n_k}});
  }
  return groups;
}

// Area and scale of the bar chart, units.
struct BarChart : Drawing {
  Rect area;
  double top_value;
  FontStyle title_font{};  // of all groups

  double y_of(double value) const { return area.y + area.height * (1.0 - value / top_value); }
};

void add_grid(Figure& figure, const BarChart& chart) {
  std::vector<double> ticks = nice_ticks(0.0, chart.top_value, 4);
  std::erase_if(ticks, [](double tick) { return tick != std::floor(tick); });
  for (const double tick : ticks) {
    const double y = chart.y_of(tick);
    figure.add(LineItem{
        {chart.area.x, y}, {chart.area.right(), y}, chart.theme.grid, tick == 0.0 ? 1.0 : 0.6});
    figure.add(text_item({chart.area.x - 0.5 * chart.font(), y}, tick_text(tick, ticks),
                         {chart.font()}, chart.theme.muted, HAlign::Right, VAlign::Middle));
  }
}

void add_bar(Figure& figure, const BarChart& chart, const BarGroup& group, std::size_t bar,
             double x, double width) {
  const bool highlighted = chart.options.highlight == group.tensor;
  const HitId hit = hit_of(group.tensor);
  const double base = chart.y_of(0.0);
  const double top = std::min(chart.y_of(static_cast<double>(group.bars[bar])), base - 1.0);
  figure.add(RectItem{.rect = {x, top, width, base - top},
                      .fill = bar > 0 ? with_alpha(group.color, 110) : group.color,
                      .stroke = highlighted ? chart.theme.accent : group.color,
                      .stroke_width = highlighted ? 2.0 : 0.8,
                      .hit = hit});
  TextItem value =
      text_item({x + width / 2.0, top - 0.35 * chart.font()}, std::to_string(group.bars[bar]),
                {chart.font(), true}, chart.theme.ink, HAlign::Center);
  const double wide = chart.metrics.measure(value.text, value.font).width;
  const double fitting = 1.15 * width / std::max(wide, 1e-9) * chart.font();
  value.font.size = std::min(chart.font(), fitting);
  if (fitting < std::max(0.6 * chart.font(), std::min(kSmallestNumber, chart.font()))) {  // upright
    value.font.size = std::clamp(0.9 * width, 0.5 * chart.font(), 0.8 * chart.font());
    value.degrees = 90.0;
    value.halign = HAlign::Left;
    value.valign = VAlign::Middle;
  }
  value.hit = hit;
  figure.add(value);
}

void add_group(Figure& figure, const BarChart& chart, const BarGroup& group, double x,
               double width) {
  const double bar_width = std::min(width * 0.36, 4.5 * chart.font());
  const double used = bar_width * static_cast<double>(group.bars.size());
  double at = x + (width - used) / 2.0;
  for (std::size_t bar = 0; bar < group.bars.size(); ++bar, at += bar_width) {
    add_bar(figure, chart, group, bar, at + 0.06 * bar_width, 0.88 * bar_width);
  }
  double y = chart.y_of(0.0) + 1.5 * chart.font();
  for (const std::string& line :
       wrapped(chart.metrics, group.title, chart.title_font, width + 1e-6, 2)) {
    figure.add(text_item({x + width / 2.0, y}, line, chart.title_font, group.color, HAlign::Center,
                         VAlign::Baseline, hit_of(group.tensor)));
    y += kBoxLine * chart.title_font.size;
  }
}

// Returns the largest font in which all words of titles fit under their groups.
FontStyle group_font(const BarChart& chart, const std::vector<BarGroup>& groups, double width) {
  const FontStyle full{1.05 * chart.font(), true};
  FontStyle font = full;
  for (const BarGroup& group : groups) {
    const std::size_t blank = std::min(group.title.find(' '), group.title.size());
    const double wide =
        std::max({chart.metrics.measure(group.title.substr(0, blank), full).width,
                  chart.metrics.measure(group.title.substr(blank), full).width, 1e-9});
    font.size = std::min(font.size, full.size * 0.97 * width / wide);
  }
  return {std::max(font.size, kSmallestNumber), true};
}

// Adds a legend of both kinds of bars, which has two lines in narrow figures. Returns its height.
double add_key(Figure& figure, const Drawing& drawing, bool features) {
  const double font = drawing.font();
  double x = 0.0, y = 1.1 * font;
  const auto add = [&](const char* words, std::uint8_t alpha) {
    const double width = drawing.metrics.measure(words, {font}).width;
    if (x > 0.0 && x + 1.7 * font + width > drawing.options.width) {
      x = 0.0;
      y += 1.5 * font;
    }
    figure.add(RectItem{.rect = {x, y - 0.7 * font, 1.2 * font, 0.8 * font},
                        .fill = with_alpha(drawing.theme.muted, alpha),
                        .stroke = drawing.theme.muted,
                        .stroke_width = 0.8});
    figure.add(text_item({x + 1.7 * font, y}, words, {font}, drawing.theme.muted));
    x += 1.7 * font + width + 1.8 * font;
  };
  add("sequence length (tokens)", 255);
  if (features) add("feature dimension", 110);
  return y;
}

}  // namespace

Figure shape_flow(const Drawing& drawing, double most) {
  FlowChart chart{{drawing}, drawing.font(), flow_of(drawing, drawing.theme, drawing.options.at)};
  Figure figure = blank_figure(drawing);
  figure.alt_text = "The shape of every tensor from the inputs to the output";
  figure.height = choose_size(chart, most);
  if (chart.columns.size() == 1) figure.width = chart.box_width + 1.0;
  for (std::size_t i = 0; i + 1 < chart.columns.size(); ++i) {
    add_arrows(figure, chart, chart.columns[i], chart.columns[i + 1]);
  }
  add_value_arrows(figure, chart);
  for (const FlowColumn& column : chart.columns) {
    for (const FlowBox& box : column) add_box(figure, chart, box);
  }
  return figure;
}

Figure dimension_bars(const Drawing& drawing, double room) {
  Figure figure = blank_figure(drawing);
  const std::vector<BarGroup> groups = groups_of(drawing);
  std::size_t largest = 1;
  bool features = false;
  for (const BarGroup& group : groups) {
    largest = std::max(largest, *std::ranges::max_element(group.bars));
    features = features || group.bars.size() > 1;
  }
  const double font = drawing.font();
  const double axis = drawing.metrics.measure(std::to_string(largest), {font}).width + 0.8 * font;
  const double top = add_key(figure, drawing, features) + 2.8 * font;
  const double around = top + 3.4 * font;
  const double usual = std::clamp(0.3 * drawing.options.width, 9.0 * font, 15.0 * font);
  const double bars = room > 0.0 ? std::clamp(room - around, 9.0 * font, 30.0 * font) : usual;
  BarChart chart{{drawing},
                 {axis, top, std::max(drawing.options.width - axis - font, font), bars},
                 static_cast<double>(largest) * 1.02};
  add_grid(figure, chart);
  const double width = std::min(chart.area.width / static_cast<double>(groups.size()), 14.0 * font);
  chart.title_font = group_font(chart, groups, width);
  double x = chart.area.x + (chart.area.width - width * static_cast<double>(groups.size())) / 2.0;
  for (const BarGroup& group : groups) {
    add_group(figure, chart, group, x, width);
    x += width;
  }
  figure.height = around + bars;
  figure.alt_text = "Bars of the sequence lengths and feature dimensions";
  return figure;
}

Result<Figure> dimensions(const Drawing& drawing) {
  Page page(drawing);
  Drawing inner = drawing;
  inner.options.width = std::max(page.width(), 4.0 * drawing.font());
  const double font = drawing.font();
  const std::string attention = which_attention(drawing.result.problem(), drawing.options.at, ": ");
  page.add_heading("Lengths and dimensions" + attention);
  const bool is_of_file = !drawing.options.on_screen && drawing.options.height <= 0.0;
  const double most = page.room({}, kPageHeight) - 3.0 * font;  // of bars and flow on paper
  const Figure flow =
      shape_flow(inner, is_of_file ? most - dimension_bars(inner, 1.0).height : 1e9);
  const double usual = dimension_bars(inner, 0.0).height;
  const double bars = is_of_file ? std::min(usual, std::max(most - flow.height, 1.0))
                                 : std::max(page.room({}) - flow.height - 3.0 * font, usual);
  if (flow.width < inner.options.width) {  // a single box
    page.add_beside(flow, 3.9 * font);
    inner.options.width -= flow.width + font;
    page.add_part(dimension_bars(inner, page.room({})));
  } else {
    page.add_part(dimension_bars(inner, bars));
    page.add_heading("Shapes, step by step");
    page.add_part(flow);
  }
  return page.finished("The shape of every tensor, as bars and as a flow of shapes");
}

}  // namespace attn
