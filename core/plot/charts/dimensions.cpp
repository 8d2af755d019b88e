// Extents of tensors as groups of bars, above the flow of shapes.
#include <algorithm>
#include <cmath>

#include "base/quotient_up.h"
#include "document/edit.h"
#include "figure/text.h"
#include "plot/charts/charts.h"
#include "plot/colors/color_range.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

// These in font sizes.
constexpr double kPadding = 0.6;
constexpr double kArrow = 2.0;
constexpr double kBetweenBoxes = 0.8;
constexpr double kBetweenLines = 2.2;
constexpr double kTrunk = 0.5;   // right of the last column, for arrows to the next line
constexpr double kIndent = 1.4;  // left of a line that begins with several boxes, for arrows

struct FlowChart : Drawing {
  double letters;  // size of the text
  std::vector<FlowColumn> columns;
  double box_width = 0.0;
  std::vector<double> line_tops{};  // of the highest box of each line
};

FontStyle flow_title_font(double font) { return {font, true, false, true}; }
FontStyle formula_font(double font) { return {secondary_size(font), false, false, true}; }
FontStyle shape_font(double font) { return {font, false, false, true}; }

double box_height(const FlowBox& box, double font) {
  return (box.formula.empty() ? 4.5 : 5.7) * font;
}

double widest_box(const std::vector<FlowColumn>& columns, double font, const TextMetrics& metrics) {
  double widest = 0.0;
  for (const FlowColumn& column : columns) {
    for (const FlowBox& box : column) {
      widest = std::max({widest, metrics.measure(box.title, flow_title_font(font)).width,
                         metrics.measure(box.formula, formula_font(font)).width,
                         metrics.measure(box.symbols, shape_font(font)).width,
                         metrics.measure(box.extents, shape_font(font)).width});
    }
  }
  return widest + 2.0 * kPadding * font;
}

// Stacks the boxes of a column with the first two on either side of `middle`, like Q and K beside
// the arrow to the scores; V comes below them.
void place(FlowColumn& column, double x, double middle, std::size_t line, const FlowChart& chart) {
  const double gap = kBetweenBoxes * chart.letters;
  const double first = box_height(column.front(), chart.letters);
  double y = column.size() == 1 ? middle - first / 2.0 : middle - first - gap / 2.0;
  for (FlowBox& box : column) {
    const double height = box_height(box, chart.letters);
    box.rect = {x, y, chart.box_width, height};
    box.line = line;
    y += height + gap;
  }
}

// Heights of a column above and below its middle.
double above_middle(const FlowColumn& column, double font) {
  const double first = box_height(column.front(), font);
  return column.size() == 1 ? first / 2.0 : first + kBetweenBoxes * font / 2.0;
}

double below_middle(const FlowColumn& column, double font) {
  if (column.size() == 1) return box_height(column.front(), font) / 2.0;
  const double gap = kBetweenBoxes * font;
  double below = -gap / 2.0;
  for (std::size_t i = 1; i < column.size(); ++i) below += box_height(column[i], font) + gap;
  return below;
}

std::size_t columns_per_line(double width, double box_width, double font) {
  const double columns = (width + (kArrow - kTrunk) * font) / (box_width + kArrow * font);
  return std::max<std::size_t>(1, static_cast<std::size_t>(columns + 1e-9));
}

// Whether lines break before a column: chains of columns that are made from each other have
// separate lines, and so have single columns that are not made from their neighbours.
bool begins_chain(const std::vector<FlowColumn>& columns, std::size_t at) {
  const auto made = [&](std::size_t i) {
    return i == 0 || (i < columns.size() && feeds(columns[i - 1], columns[i]));
  };
  return at > 0 && !made(at) && (made(at - 1) || made(at + 1));
}

// The first columns of lines of at most `most` columns, and the number of all columns; lines of one
// chain are equally long as far as that keeps arrows apart.
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

// Indent for arrows into each of several boxes that begin a line.
double indent_of(const std::vector<FlowColumn>& columns, std::size_t first, double font) {
  const bool below = first > 0 && feeds(columns[first - 1], columns[first]);
  return below && columns[first].size() > 1 ? kIndent * font : 0.0;
}

// As lines_of, in lines of `width` units.
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

// Smaller letters, down to four fifths, when they save a line.
void choose_size(FlowChart& chart) {
  const std::vector<FlowColumn>& columns = chart.columns;
  const double width = std::max(chart.options.width - 2.0, 1.0);
  const auto lines = [&](double font) {
    return lines_in(columns, width, widest_box(columns, font, chart.metrics), font).size();
  };
  const double full = chart.letters;
  std::size_t fewest = lines(full);
  for (const double scale : {0.95, 0.9, 0.85, 0.8}) {
    if (lines(scale * full) >= fewest) continue;
    fewest = lines(scale * full);
    chart.letters = scale * full;
  }
  chart.box_width = std::min(widest_box(columns, chart.letters, chart.metrics),
                             width - (kTrunk + kIndent) * chart.letters);
}

// Breaks the columns into lines of the width of the figure. Returns the height.
double place_columns(FlowChart& chart) {
  std::vector<FlowColumn>& columns = chart.columns;
  const double step = chart.box_width + kArrow * chart.letters;
  const std::vector<std::size_t> lines =
      lines_in(columns, chart.options.width, chart.box_width, chart.letters);
  double y = 0.0;
  for (std::size_t l = 0; l + 1 < lines.size(); ++l) {
    double above = 0.0, below = 0.0;
    for (std::size_t i = lines[l]; i < lines[l + 1]; ++i) {
      above = std::max(above, above_middle(columns[i], chart.letters));
      below = std::max(below, below_middle(columns[i], chart.letters));
    }
    if (l > 0) y += kBetweenLines * chart.letters;
    chart.line_tops.push_back(y);
    double x = indent_of(columns, lines[l], chart.letters);
    for (std::size_t i = lines[l]; i < lines[l + 1]; ++i, x += step) {
      place(columns[i], x, y + above, l, chart);
    }
    y += above + below;
  }
  return y;
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
    figure.add(text_item({r.x + r.width / 2.0, y},
                         fitted(chart.metrics, words, style, r.width - 0.6 * font), style, color,
                         HAlign::Center, VAlign::Baseline, item.hit));
    y += advance * font;
  };
  add(box.title, flow_title_font(font), box.color, box.formula.empty() ? 1.3 : 1.2);
  add(box.formula, formula_font(font), chart.theme.muted, 1.3);
  add(box.symbols, shape_font(font), chart.theme.muted, 1.2);
  add(box.extents, {font, true, false}, chart.theme.ink, 0.0);
}

// A polyline with an arrow head at its end.
void add_arrow(Figure& figure, const FlowChart& chart, const std::vector<Point>& points,
               Color color) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    figure.add(LineItem{points[i - 1], points[i], color, 1.0});
  }
  const Point tip = points.back();
  const Point from = points[points.size() - 2];
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

// The way of an arrow from a box of a column to one of the next. From the last column of a line to
// the first of the next one, arrows from several boxes meet at their right, and several boxes are
// entered from a common line at their left.
std::vector<Point> way_between(const FlowChart& chart, const FlowColumn& column, const Rect& a,
                               const FlowColumn& next, const Rect& b) {
  const Point right{a.x + a.width, a.y + a.height / 2.0}, left{b.x - 1.0, b.y + b.height / 2.0};
  const std::size_t line = next.front().line;
  if (column.front().line == line) return {right, left};
  const double turn = chart.line_tops[line] - kBetweenLines * chart.letters / 2.0;
  std::vector<Point> points{{a.x + a.width / 2.0, a.y + a.height}};
  if (column.size() > 1) points = {right, {right.x + kTrunk * chart.letters, right.y}};
  const bool aside = next.size() > 1;
  const double into = aside ? b.x - 0.8 * kIndent * chart.letters : b.x + b.width / 2.0;
  points.insert(points.end(), {{points.back().x, turn}, {into, turn}});
  if (aside) points.push_back({into, left.y});
  points.push_back(aside ? left : Point{into, b.y - 1.0});
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

// Arrow from V under the scores to the output, or to a note when that way is blocked.
void add_value_arrow(Figure& figure, const FlowChart& chart) {
  const FlowBox *value = nullptr, *output = nullptr;
  bool is_alone = false;  // in its column: the output
  for (const FlowColumn& column : chart.columns) {
    for (const FlowBox& box : column) {
      if (box.tensor == TensorHit(StageHit{Stage::Value})) value = &box;
      if (box.tensor != TensorHit(StageHit{Stage::Output})) continue;
      output = &box;
      is_alone = column.size() == 1;
    }
  }
  if (value == nullptr || output == nullptr) return;
  const Rect& a = value->rect;
  const Rect& b = output->rect;
  const Point start{a.x + a.width, a.y + a.height / 2.0};
  if (value->line == output->line && is_alone) {
    const double x = b.x + 0.3 * b.width;
    add_arrow(figure, chart, {start, {x, start.y}, {x, b.y + b.height + 1.0}}, chart.theme.value);
    return;
  }
  const Point end{start.x + kArrow * chart.letters, start.y};
  const FontStyle font = formula_font(chart.letters);
  const double room = chart.options.width - end.x - 0.4 * chart.letters;
  if (room < chart.metrics.measure("to output", font).width) return;
  add_arrow(figure, chart, {start, end}, chart.theme.value);
  figure.add(text_item({end.x + 0.4 * chart.letters, end.y}, "to output", font, chart.theme.value,
                       HAlign::Left, VAlign::Middle));
}

// --- bars ------------------------------------------------------------------------------------

struct BarGroup {
  std::string title;
  TensorHit tensor;
  Color color;
  std::vector<std::size_t> bars;  // a length and, drawn lighter, a feature dimension
};

BarGroup role_group(const char* title, Stage stage, std::size_t length, std::size_t features,
                    const FigureTheme& theme) {
  return {title, StageHit{stage}, stage_color(theme, stage), {length, features}};
}

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
  if (result.has(Stage::Query)) {
    groups.push_back(role_group("Q", Stage::Query, s.n_q, query_columns(s), theme));
    groups.push_back(role_group("K", Stage::Key, s.n_k, s.d_k, theme));
    groups.push_back(role_group("V", Stage::Value, s.n_k, s.d_v, theme));
  }
  if (result.has(Stage::Output)) {
    groups.push_back(role_group("Output", Stage::Output, s.n_q, s.d_v, theme));
  }
  if (result.has(Stage::Projected)) {
    groups.push_back(role_group("Projected", Stage::Projected, s.n_q, s.d_out, theme));
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
  for (const double tick : nice_ticks(0.0, chart.top_value, 4)) {
    if (tick != std::floor(tick)) continue;
    const double y = chart.y_of(tick);
    figure.add(LineItem{{chart.area.x, y},
                        {chart.area.x + chart.area.width, y},
                        chart.theme.grid,
                        tick == 0.0 ? 1.0 : 0.6});
    figure.add(text_item({chart.area.x - 0.5 * chart.font(), y},
                         std::to_string(static_cast<long long>(tick)), {chart.font(), false, false},
                         chart.theme.muted, HAlign::Right, VAlign::Middle));
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
                {chart.font(), true, false}, chart.theme.ink, HAlign::Center);
  const double wide = chart.metrics.measure(value.text, value.font).width;
  value.font.size *= std::min(1.0, 1.15 * width / std::max(wide, 1e-9));
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
  figure.add(text_item({x + width / 2.0, chart.y_of(0.0) + 1.5 * chart.font()}, group.title,
                       chart.title_font, group.color, HAlign::Center, VAlign::Baseline,
                       hit_of(group.tensor)));
}

// The largest font in which all titles fit under their groups.
FontStyle group_font(const BarChart& chart, const std::vector<BarGroup>& groups, double width) {
  const FontStyle full{1.05 * chart.font(), true, false};
  FontStyle font = full;
  for (const BarGroup& group : groups) {
    const double wide = std::max(chart.metrics.measure(group.title, full).width, 1e-9);
    font.size = std::min(font.size, full.size * 0.95 * width / wide);
  }
  return font;
}

// Legend of the two kinds of bars.
void add_key(Figure& figure, const BarChart& chart, bool features, double y) {
  const FontStyle font{chart.font(), false, false};
  double x = chart.area.x;
  const auto add = [&](const char* words, std::uint8_t alpha) {
    figure.add(RectItem{.rect = {x, y - 0.7 * chart.font(), 1.2 * chart.font(), 0.8 * chart.font()},
                        .fill = with_alpha(chart.theme.muted, alpha),
                        .stroke = chart.theme.muted,
                        .stroke_width = 0.8});
    x += 1.7 * chart.font();
    const double room = chart.area.x + chart.area.width - x;
    figure.add(
        text_item({x, y}, fitted(chart.metrics, words, font, room), font, chart.theme.muted));
    x += chart.metrics.measure(words, font).width + 1.8 * chart.font();
  };
  add("sequence length", 255);
  if (features) add("feature dimension", 110);
}

}  // namespace

Figure shape_flow(const Drawing& drawing) {
  FlowChart chart{{drawing}, drawing.font(), flow_of(drawing, drawing.theme, drawing.options.at)};
  choose_size(chart);
  Figure figure = blank_figure(drawing);
  figure.alt_text = "The shape of every tensor from the inputs to the output";
  figure.height = place_columns(chart);
  for (std::size_t i = 0; i + 1 < chart.columns.size(); ++i) {
    add_arrows(figure, chart, chart.columns[i], chart.columns[i + 1]);
  }
  add_value_arrow(figure, chart);
  for (const FlowColumn& column : chart.columns) {
    for (const FlowBox& box : column) add_box(figure, chart, box);
  }
  return figure;
}

Figure dimension_bars(const Drawing& drawing) {
  Figure figure = blank_figure(drawing);
  const std::vector<BarGroup> groups = groups_of(drawing);
  std::size_t largest = 1;
  bool features = false;
  for (const BarGroup& group : groups) {
    largest = std::max(largest, *std::ranges::max_element(group.bars));
    features = features || group.bars.size() > 1;
  }
  const double font = drawing.font();
  const double axis =
      drawing.metrics.measure(std::to_string(largest), {0.85 * font, false, false}).width +
      1.6 * font;
  const double bars = std::clamp(0.3 * drawing.options.width, 9.0 * font, 15.0 * font);
  BarChart chart{{drawing},
                 {axis, 3.9 * font, std::max(drawing.options.width - axis - font, font), bars},
                 static_cast<double>(largest) * 1.02};
  add_key(figure, chart, features, 1.1 * font);
  add_grid(figure, chart);
  const double width = std::min(chart.area.width / static_cast<double>(groups.size()), 14.0 * font);
  chart.title_font = group_font(chart, groups, width);
  double x = chart.area.x + (chart.area.width - width * static_cast<double>(groups.size())) / 2.0;
  for (const BarGroup& group : groups) {
    add_group(figure, chart, group, x, width);
    x += width;
  }
  figure.height = chart.area.y + chart.area.height + 2.4 * font;
  figure.alt_text = "Bars of the sequence lengths and feature dimensions";
  return figure;
}

Result<Figure> dimensions(const Drawing& drawing) {
  Page page(drawing);
  Drawing inner = drawing;
  inner.options.width = std::max(page.width(), 4.0 * drawing.font());
  const std::string attention = which_attention(drawing.result.problem(), drawing.options.at, ": ");
  page.add_heading("Lengths and dimensions" + attention);
  page.add_part(dimension_bars(inner));
  page.add_heading("Shapes, step by step" + attention);
  page.add_part(shape_flow(inner));
  return page.finished("The shape of every tensor, as bars and as a flow of shapes");
}

}  // namespace attn
