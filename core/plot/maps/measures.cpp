// Table of measures: tints, layout, cells and texts.
#include "engine/measures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "figure/text.h"
#include "plot/colors/color_range.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"
#include "plot/maps/heads.h"

namespace attn {
namespace {

constexpr double kTintBarGap = 0.9;  // these in font sizes
constexpr double kShortestTintBar = 5.0;

// A table of heads; positions in units, y from its top.
struct Table : Drawing {
  std::span<const HeadCard> heads;
  double left = 0.0, right = 0.0;  // of the table
  double page_right = 0.0;         // right end of the lines above and below it
  double first_column = 0.0;       // left edge of the first cell
  double column = 0.0;             // width of one
  double words = 0.0;              // left edge of the labels
  FontStyle header{}, value{}, word{};
  double header_line = 0.0;     // from one line of the headings to the next
  bool upright_header = false;  // texts turned by 90°, for narrow columns
  bool words_below = false;     // on separate lines under the cells, for narrow columns
  double header_height = 0.0;
  double row_height = 0.0;  // of one line of the table
  double cell_height = 0.0;
};

std::string head_name(const HeadCard& head) { return "Head " + std::to_string(head.at.head + 1); }

constexpr double kFaintest = 14.0 / 255.0, kStrongest = 150.0 / 255.0;  // shares of the hue

ColorMap tints_of(const FigureTheme& theme) {
  ColorMap map{"tints", "Tints", false, {}};
  for (std::size_t i = 0; i < map.colors.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(map.colors.size() - 1);
    const double strength = kFaintest + part * (kStrongest - kFaintest);
    const auto mixed = [&](std::uint8_t background, std::uint8_t hue) {
      return static_cast<std::uint8_t>(std::lround(background + strength * (hue - background)));
    };
    const Color &from = theme.background, &to = theme.query;
    map.colors[i] = {mixed(from.r, to.r), mixed(from.g, to.g), mixed(from.b, to.b)};
  }
  return map;
}

// Static, as painters identify maps by their address.
const ColorMap& tint_map(ThemeKind kind) {
  static const std::map<ThemeKind, ColorMap> kTints = [] {
    std::map<ThemeKind, ColorMap> all;
    for (const ThemeInfo& theme : all_themes()) all.emplace(theme.kind, tints_of(theme.colors));
    return all;
  }();
  return kTints.at(kind);
}

// From 0, the faintest tint of the theme's background by the colour of queries, to 1, the strongest
// one on which text is legible.
ColorScale tint_scale(ThemeKind theme) { return {&tint_map(theme), 0.0F, 1.0F}; }

// The bar without a rectangle; the text below the table explains its numbers.
ColorBar tint_bar(const Drawing& drawing) {
  return {.rect = {.width = 1.2 * drawing.font()},
          .range = {tint_scale(drawing.options.theme)},
          .font_size = drawing.font(),
          .titled = false};
}

// Width of the bar and the gap before it; 0 when the options leave it out.
double tint_bar_room(const Drawing& drawing) {
  if (!drawing.options.color_bar) return 0.0;
  ColorBar bar = tint_bar(drawing);
  bar.rect.height = kShortestTintBar * drawing.font();
  return kTintBarGap * drawing.font() + bar.rect.width + bar_room(bar, drawing.metrics);
}

// These in font sizes.
constexpr double kMeasuresMargin = 0.9;
constexpr double kMeasuresGap = 0.7;  // between names, cells and labels
constexpr double kWidestColumn = 6.0;
constexpr double kNarrowestColumn = 3.0;  // with labels beside it
constexpr double kHeaderFont = 0.82;
constexpr double kSmallestHeader = 0.66;
constexpr double kValueFont = 0.9;
constexpr double kWordFont = 0.82;
constexpr double kCell = 1.75;
constexpr double kRow = 1.9;
constexpr double kMeasuresLine = 1.25;  // of the size of the header

// Width of a label's box with its padding.
double word_box_width(const HeadLabelInfo& label, const Table& table) {
  return table.metrics.measure(label.label, table.word).width + 1.3 * table.font();
}

double widest_words(const Table& table) {
  double widest = 0.0;
  for (const HeadCard& head : table.heads) {
    double width = 0.0;
    for (const HeadLabelInfo* label : labels_of(*head.measures)) {
      width += word_box_width(*label, table);
    }
    widest = std::max(widest, width);
  }
  return widest;
}

void set_header(Table& table) {
  const double full = table.header.size;
  double widest = 0.0;
  for (const MeasureInfo& measure : all_measures()) {
    widest =
        std::max(widest, widest_of(measure.heading, std::identity(), table.header, table.metrics));
  }
  table.header.size = std::min(full, full * 0.94 * table.column / widest);
  table.upright_header = table.header.size < kSmallestHeader * table.font();
  if (table.upright_header) table.header.size = std::min(full, 0.4 * table.column);
  table.header_line = kMeasuresLine * table.header.size;
  const double height =
      table.upright_header ? widest * table.header.size / full : 2.0 * table.header_line;
  table.header_height = height + 0.45 * table.font();
}

// Places labels at the right, or on lines under the heads when columns get too narrow.
void set_columns(Table& table) {
  const auto count = static_cast<double>(all_measures().size());
  const double gap = kMeasuresGap * table.font();
  const double words = widest_words(table);
  const double room = table.right - table.first_column;
  const double beside = (room - (words > 0.0 ? words + gap : 0.0)) / count;
  table.words_below = beside < kNarrowestColumn * table.font() && words > 0.0;
  table.column = std::clamp(table.words_below ? room / count : beside, 0.1 * table.font(),
                            kWidestColumn * table.font());
  table.words =
      table.words_below ? table.first_column : table.first_column + count * table.column + gap;
}

void lay_out(Table& table) {
  const double font = table.font();
  table.header = {kHeaderFont * font, false, false};
  table.word = {kWordFont * font, false, false};
  table.left = kMeasuresMargin * font;
  table.page_right = std::max(table.options.width - kMeasuresMargin * font, table.left + font);
  table.right = std::max(table.page_right - tint_bar_room(table), table.left + font);
  const double names = widest_of(table.heads, head_name, {font, false, false}, table.metrics);
  table.first_column = table.left + names + kMeasuresGap * font;
  set_columns(table);
  set_header(table);
  const FontStyle probe{font, false, false};
  const std::string digits =
      "0." + std::string(static_cast<std::size_t>(table.options.decimals), '0');
  const double fitting =
      0.9 * table.column / std::max(table.metrics.measure(digits, probe).width, 1e-9);
  table.value = {std::min(kValueFont, fitting) * font, false, false};
  table.cell_height = kCell * font;
  table.row_height = kRow * font;
}

constexpr std::string_view kNotDefined = "–";

std::string subtitle_of(const Table& table, bool so_far) {
  const AttentionProblem& problem = table.result.problem();
  const HeadAddress& at = table.options.at;
  const std::size_t queries = problem.shape.n_q;
  std::string rows;
  if (so_far && !table.heads.empty()) {
    rows = rows_measured_words(rows_read(*table.heads.front().measures), queries, table.options);
  }
  if (rows.empty()) rows = counted(queries, "query", "queries");
  return "Measures of " + counted(problem.shape.heads, "head", "heads") +
         which_attention(problem, at, " of the ") + address_words(problem.shape, at, false) +
         ": means over " + rows;
}

// --- the table -------------------------------------------------------------------------------

// Two lines above each column, turned by 90° where columns are narrow.
void add_header(Figure& figure, const Table& table, double top) {
  const double bottom = top + table.header_height - 0.35 * table.font();
  double middle = table.first_column + table.column / 2.0;
  for (const MeasureInfo& measure : all_measures()) {
    const bool one_line = measure.heading[0].empty();
    double back = table.header_line;  // distance of the first line from the second
    for (const std::string_view line : measure.heading) {
      TextItem text = text_item({middle, bottom - back}, std::string(line), table.header,
                                table.theme.muted, HAlign::Center);
      if (table.upright_header) {
        text.anchor = {one_line ? middle : middle - back + table.header_line / 2.0, bottom};
        text.halign = HAlign::Left;
        text.valign = VAlign::Middle;
        text.degrees = 90.0;
      }
      if (!line.empty()) figure.add(text);
      back = 0.0;
    }
    middle += table.column;
  }
}

void add_cell(Figure& figure, const Table& table, const MeasureInfo& measure, const HeadCard& head,
              const Rect& rect) {
  const std::optional<double> value = value_of(head, measure);
  RectItem cell{.rect = rect, .fill = table.theme.panel, .radius = 0.2 * table.font()};
  if (value) {
    const double part = *value / full_tint(table.heads, measure);
    const ColorScale scale = tint_scale(table.options.theme);
    cell.fill = scale.map->colors[color_index(scale, static_cast<float>(part))];
  }
  figure.add(cell);
  if (!table.options.values && value) return;
  const std::string text =
      value ? fixed_text(*value, table.options.decimals) : std::string(kNotDefined);
  FontStyle font = table.value;
  const double width = table.metrics.measure(text, font).width;
  font.size *= std::min(1.0, 0.94 * rect.width / std::max(width, 1e-9));
  figure.add(text_in(rect, text, font, value ? table.theme.ink : table.theme.muted));
}

void add_words(Figure& figure, const Table& table, const HeadCard& head, double middle) {
  double x = table.words;
  for (const HeadLabelInfo* label : labels_of(*head.measures)) {
    const double width = word_box_width(*label, table);
    RectItem box{
        .rect = {x, middle - 0.65 * table.font(), width - 0.4 * table.font(), 1.3 * table.font()},
        .stroke = table.theme.muted,
        .stroke_width = 0.75,
        .radius = 0.65 * table.font(),
        .hit = HeadLabelHit{head.at, static_cast<std::size_t>(label - all_head_labels().data())}};
    if (box.rect.x + box.rect.width > table.right + 1e-6) return;  // the numbers tell it too
    figure.add(box);
    figure.add(text_in(box.rect, std::string(label->label), table.word, table.theme.ink));
    x += width;
  }
}

void add_row(Figure& figure, const Table& table, const HeadCard& head, double top) {
  const double middle = top + table.cell_height / 2.0;
  figure.add(RectItem{.rect = {table.left, top, table.right - table.left, table.cell_height},
                      .hit = HeadHit{head.at}});
  figure.add(text_item({table.left, middle}, head_name(head), {table.font(), false, false},
                       table.theme.ink, HAlign::Left, VAlign::Middle));
  const double padding = std::min(0.1 * table.font(), 0.1 * table.column);
  double x = table.first_column;
  for (const MeasureInfo& measure : all_measures()) {
    add_cell(figure, table, measure, head,
             {x + padding, top, table.column - 2.0 * padding, table.cell_height});
    x += table.column;
  }
  add_words(figure, table, head, table.words_below ? middle + table.row_height : middle);
}

// --- legend of the tints ----------------------------------------------------------------------

// The bar beside the rows, in the width that the table reserved.
void add_tint_bar(Figure& figure, const Table& table, double top, double bottom) {
  ColorBar bar = tint_bar(table);
  bar.rect.x = table.right + kTintBarGap * table.font();
  bar.rect.y = top;
  bar.rect.height = std::max(bottom - top, kShortestTintBar * table.font());
  add_color_bar(figure, bar, table.theme, table.metrics);
}

// Numbers at the ends of the bar: 0 and 1 for shares, 0 and the largest for others.
std::string tint_words(const Table& table) {
  std::string words = "Shades: shares from 0 to 1";
  for (const MeasureInfo& measure : all_measures()) {
    const bool defined = std::ranges::any_of(
        table.heads, [&](const HeadCard& head) { return value_of(head, measure).has_value(); });
    if (measure.is_share || !defined) continue;
    words += ", " + std::string(measure.name) + " from 0 to " +
             fixed_text(full_tint(table.heads, measure), table.options.decimals);
  }
  return words + ". Shares are of queries that see more than one key";
}

// --- around the table ------------------------------------------------------------------------

// Adds wrapped lines; returns the top of the next line.
double add_lines(Figure& figure, const Table& table, const std::string& text, const FontStyle& font,
                 Color color, double top) {
  const std::size_t most = table.options.on_screen ? 40 : 4;  // pages scroll
  for (const std::string& line :
       wrapped(table.metrics, text, font, table.page_right - table.left, most)) {
    figure.add(text_item({table.left, top + font.size}, line, font, color));
    top += 1.45 * font.size;
  }
  return top;
}

// Meaning of the labels in the table.
double add_rules(Figure& figure, const Table& table, double top) {
  const double size = table.options.on_screen ? secondary_size(table.font()) : 0.82 * table.font();
  const FontStyle font{size, false, false};
  for (const HeadLabelInfo& label : all_head_labels()) {
    const bool occurs = std::ranges::any_of(
        table.heads, [&](const HeadCard& head) { return label.holds(*head.measures); });
    if (!occurs) continue;
    std::string rule(label.rule);
    rule[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(rule[0])));
    top = add_lines(figure, table, std::string(label.label) + ": " + rule, font, table.theme.muted,
                    top);
  }
  return top;
}

double add_titles(Figure& figure, const Table& table, double top) {
  if (table.options.title == kNoTitle) return top;
  const double font = table.font();
  top = add_lines(figure, table, title_of(table), {1.25 * font, true, false}, table.theme.ink, top);
  return add_lines(figure, table, subtitle_of(table, true), {font, false, false}, table.theme.muted,
                   top + 0.1 * font);
}

Figure draw_table(const Drawing& drawing, std::span<const HeadCard> heads) {
  Table table{{drawing}, heads};
  lay_out(table);
  Figure figure = blank_figure(drawing);
  figure.alt_text = subtitle_of(table, false);
  double y = add_titles(figure, table, 0.9 * table.font()) + 0.6 * table.font();
  add_header(figure, table, y);
  y += table.header_height;
  const double first_row = y;
  LeftOutRows left_out;
  for (const HeadCard& head : heads) {
    add_row(figure, table, head, y);
    y += table.row_height;
    if (table.words_below && !labels_of(*head.measures).empty()) y += table.row_height;
    left_out += head.measures->left_out;
  }
  if (table.options.color_bar) add_tint_bar(figure, table, first_row, y);
  const FontStyle small{secondary_size(table.font()), false, false};
  y += 0.6 * table.font();
  if (table.options.color_bar) {
    y = std::max(y, first_row + (kShortestTintBar + 1.0) * table.font());
  }
  if (table.options.notes) {
    if (table.options.color_bar)
      y = add_lines(figure, table, tint_words(table), small, table.theme.muted, y);
    y = add_rules(figure, table, y);
    y = add_lines(figure, table, left_out_words(left_out), small, table.theme.muted, y);
  }
  figure.height = y + 0.7 * table.font();
  return figure;
}

}  // namespace

std::vector<Need> measures_needs(const FittedView& view) {
  const HeadAddress layer =
      view.options.at.moved_to(view.options.at.layer, view.options.at.sample, 0);
  const auto make = [layer](const Sources& from, const Pass& pass) {
    std::vector<HeadCard> heads;
    for (std::size_t head = 0; head < from.result->shape().heads; ++head) {
      heads.push_back({layer.moved_to(layer.layer, layer.sample, head), {}});
    }
    return measured_heads(from, std::move(heads), pass);
  };
  return needs_of<MeasuredHeads>("measures of " + text_of(MatrixId{Stage::Weights, layer}),
                                 passes_by_rows(view, view.result.shape().heads,
                                                "Measures of heads", "First rows for the measures"),
                                 make);
}

Result<Figure> measures(const Drawing& drawing) {
  const auto layer = found<MeasuredHeads>(drawing, measures_needs(drawing));
  if (!layer) return layer.error();
  Figure figure = draw_table(drawing, (*layer)->cards);
  if (drawing.options.height <= 0.0) return figure;
  // Smaller letters until the table fits the height.
  Drawing smaller = drawing;
  for (int pass = 0; pass < 8 && figure.height > drawing.options.height; ++pass) {
    smaller.options.font_size *= std::max(0.5, 0.98 * drawing.options.height / figure.height);
    figure = draw_table(smaller, (*layer)->cards);
  }
  figure.height = drawing.options.height;
  return figure;
}

}  // namespace attn
