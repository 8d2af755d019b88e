// Table of measures: tints, layout, cells and texts.
#include "engine/measures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "document/token_ids.h"
#include "engine/compute.h"
#include "figure/text.h"
#include "plot/charts/charts.h"
#include "plot/colors/color_range.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"

namespace attn {
namespace {

constexpr double kTintBarGap = 0.9;  // these in font sizes
constexpr double kShortestTintBar = 5.0;

// One head with its numbers and labels.
struct MeasuredHead {
  std::string name;  // "Head 3"
  HeadMeasures measures;
  std::vector<const HeadLabelInfo*> labels;
};

// Positions in units; y from the top of the table.
struct MeasuresLayout {
  double font = 10.0;
  double left = 0.0, right = 0.0;  // of the table
  double page_right = 0.0;         // right end of the lines above and below it
  double first_column = 0.0;       // left edge of the first cell
  double column = 0.0;             // width of one
  double words = 0.0;              // left edge of the labels
  FontStyle header, value, word;
  double header_line = 0.0;     // from one line of the headings to the next
  bool upright_header = false;  // texts turned by 90°, for narrow columns
  bool words_below = false;     // on separate lines under the cells, for narrow columns
  double header_height = 0.0;
  double row_height = 0.0;  // of one line of the table
  double cell_height = 0.0;
};

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
double word_box_width(const HeadLabelInfo& label, const MeasuresLayout& layout,
                      const TextMetrics& metrics) {
  return metrics.measure(label.label, layout.word).width + 1.3 * layout.font;
}

double widest_words(const std::vector<MeasuredHead>& heads, const MeasuresLayout& layout,
                    const TextMetrics& metrics) {
  double widest = 0.0;
  for (const MeasuredHead& head : heads) {
    double width = 0.0;
    for (const HeadLabelInfo* label : head.labels) {
      width += word_box_width(*label, layout, metrics);
    }
    widest = std::max(widest, width);
  }
  return widest;
}

double widest_heading(const MeasuresLayout& layout, const TextMetrics& metrics) {
  double widest = 0.0;
  for (const MeasureInfo& measure : all_measures()) {
    widest = std::max(widest, widest_of(measure.heading, std::identity(), layout.header, metrics));
  }
  return widest;
}

void set_header(MeasuresLayout& layout, const TextMetrics& metrics) {
  const double full = layout.header.size;
  const double widest = widest_heading(layout, metrics);
  layout.header.size = std::min(full, full * 0.94 * layout.column / widest);
  layout.upright_header = layout.header.size < kSmallestHeader * layout.font;
  if (layout.upright_header) layout.header.size = std::min(full, 0.4 * layout.column);
  layout.header_line = kMeasuresLine * layout.header.size;
  const double height =
      layout.upright_header ? widest * layout.header.size / full : 2.0 * layout.header_line;
  layout.header_height = height + 0.45 * layout.font;
}

// Places labels at the right, or on lines under the heads when columns get too narrow.
void set_columns(const std::vector<MeasuredHead>& heads, MeasuresLayout& layout,
                 const TextMetrics& metrics) {
  const auto count = static_cast<double>(all_measures().size());
  const double gap = kMeasuresGap * layout.font;
  const double words = widest_words(heads, layout, metrics);
  const double room = layout.right - layout.first_column;
  const double beside = (room - (words > 0.0 ? words + gap : 0.0)) / count;
  layout.words_below = beside < kNarrowestColumn * layout.font && words > 0.0;
  layout.column = std::clamp(layout.words_below ? room / count : beside, 0.1 * layout.font,
                             kWidestColumn * layout.font);
  layout.words =
      layout.words_below ? layout.first_column : layout.first_column + count * layout.column + gap;
}

MeasuresLayout lay_out_measures(const Drawing& drawing, const std::vector<MeasuredHead>& heads) {
  MeasuresLayout layout;
  const double font = drawing.font();
  layout.font = font;
  layout.header = {kHeaderFont * font, false, false};
  layout.word = {kWordFont * font, false, false};
  layout.left = kMeasuresMargin * font;
  layout.page_right = std::max(drawing.options.width - kMeasuresMargin * font, layout.left + font);
  layout.right = std::max(layout.page_right - tint_bar_room(drawing), layout.left + font);
  const double names = widest_of(heads, &MeasuredHead::name, {font, false, false}, drawing.metrics);
  layout.first_column = layout.left + names + kMeasuresGap * font;
  set_columns(heads, layout, drawing.metrics);
  set_header(layout, drawing.metrics);
  const FontStyle probe{font, false, false};
  const std::string digits =
      "0." + std::string(static_cast<std::size_t>(drawing.options.decimals), '0');
  const double fitting =
      0.9 * layout.column / std::max(drawing.metrics.measure(digits, probe).width, 1e-9);
  layout.value = {std::min(kValueFont, fitting) * font, false, false};
  layout.cell_height = kCell * font;
  layout.row_height = kRow * font;
  return layout;
}

constexpr std::string_view kNotDefined = "–";

// Data shared by all steps of drawing.
struct Table : Drawing {
  std::vector<MeasuredHead> heads;
  MeasuresLayout layout;

  HeadAddress head(std::size_t index) const {
    return options.at.moved_to(options.at.layer, options.at.sample, index);
  }
};

// The measured heads of a layer.
struct MeasuredLayer final : Derivation {
  std::vector<MeasuredHead> heads;
  std::uint64_t bytes() const override {
    std::uint64_t sum = 0;
    for (const MeasuredHead& head : heads) {
      const HeadMeasures& m = head.measures;
      sum += sizeof(MeasuredHead) + (m.row_entropy.size() + m.received.size()) * sizeof(double);
    }
    return sum;
  }
};

std::shared_ptr<MeasuredLayer> measured_layer(const Sources& from, HeadAddress at,
                                              const Pass& pass) {
  const AttentionResult& result = *from.result;
  const TokenIds tokens = token_ids(from.document, at);
  const float share = 1.0F / static_cast<float>(result.shape().heads);
  auto layer = std::make_shared<MeasuredLayer>();
  for (at.head = 0; at.head < result.shape().heads; ++at.head) {
    const ProgressPart part(from.progress, share * static_cast<float>(at.head), share);
    MeasuredHead head{"Head " + std::to_string(at.head + 1),
                      measure_head(result, at, tokens, {pass.row_step, from.progress}),
                      {}};
    if (from.is_cancelled()) return layer;
    head.labels = labels_of(head.measures);
    layer->heads.push_back(std::move(head));
  }
  return layer;
}

std::string subtitle_of(const Table& table, bool so_far) {
  const AttentionProblem& problem = table.result.problem();
  const HeadAddress& at = table.options.at;
  const std::size_t queries = problem.shape.n_q;
  std::string rows;
  if (so_far && !table.heads.empty()) {
    rows = rows_measured_words(rows_read(table.heads.front().measures), queries, table.options);
  }
  if (rows.empty()) rows = counted(queries, "query", "queries");
  return "Measures of " + counted(problem.shape.heads, "head", "heads") +
         which_attention(problem, at, " of the ") + address_words(problem.shape, at, false) +
         ": means over " + rows;
}

// --- the table -------------------------------------------------------------------------------

// The value that has the full tint.
double full_tint(const std::vector<MeasuredHead>& heads, const MeasureInfo& measure) {
  if (measure.is_share) return 1.0;
  double largest = 0.0;
  for (const MeasuredHead& head : heads) {
    largest = std::max(largest, measure.value(head.measures).value_or(0.0));
  }
  return largest > 0.0 ? largest : 1.0;
}

// Two lines above each column, turned by 90° where columns are narrow.
void add_header(Figure& figure, const Table& table, double top) {
  const MeasuresLayout& l = table.layout;
  const double bottom = top + l.header_height - 0.35 * l.font;
  double middle = l.first_column + l.column / 2.0;
  for (const MeasureInfo& measure : all_measures()) {
    const bool one_line = measure.heading[0].empty();
    double back = l.header_line;  // distance of the first line from the second
    for (const std::string_view line : measure.heading) {
      TextItem text = text_item({middle, bottom - back}, std::string(line), l.header,
                                table.theme.muted, HAlign::Center);
      if (l.upright_header) {
        text.anchor = {one_line ? middle : middle - back + l.header_line / 2.0, bottom};
        text.halign = HAlign::Left;
        text.valign = VAlign::Middle;
        text.degrees = 90.0;
      }
      if (!line.empty()) figure.add(text);
      back = 0.0;
    }
    middle += l.column;
  }
}

void add_cell(Figure& figure, const Table& table, const MeasureInfo& measure,
              const MeasuredHead& head, const Rect& rect) {
  const std::optional<double> value = measure.value(head.measures);
  RectItem cell{.rect = rect, .fill = table.theme.panel, .radius = 0.2 * table.layout.font};
  if (value) {
    const double part = *value / full_tint(table.heads, measure);
    const ColorScale scale = tint_scale(table.options.theme);
    cell.fill = scale.map->colors[color_index(scale, static_cast<float>(part))];
  }
  figure.add(cell);
  if (!table.options.values && value) return;
  const std::string text =
      value ? fixed_text(*value, table.options.decimals) : std::string(kNotDefined);
  FontStyle font = table.layout.value;
  const double width = table.metrics.measure(text, font).width;
  font.size *= std::min(1.0, 0.94 * rect.width / std::max(width, 1e-9));
  figure.add(text_in(rect, text, font, value ? table.theme.ink : table.theme.muted));
}

void add_words(Figure& figure, const Table& table, std::size_t index, double middle) {
  const MeasuresLayout& l = table.layout;
  const MeasuredHead& head = table.heads[index];
  double x = l.words;
  for (const HeadLabelInfo* label : head.labels) {
    const double width = word_box_width(*label, l, table.metrics);
    RectItem box{.rect = {x, middle - 0.65 * l.font, width - 0.4 * l.font, 1.3 * l.font},
                 .stroke = table.theme.muted,
                 .stroke_width = 0.75,
                 .radius = 0.65 * l.font,
                 .hit = HeadLabelHit{table.head(index),
                                     static_cast<std::size_t>(label - all_head_labels().data())}};
    if (box.rect.x + box.rect.width > l.right + 1e-6) return;  // the numbers tell it too
    figure.add(box);
    figure.add(text_in(box.rect, std::string(label->label), l.word, table.theme.ink));
    x += width;
  }
}

void add_row(Figure& figure, const Table& table, std::size_t index, double top) {
  const MeasuresLayout& l = table.layout;
  const MeasuredHead& head = table.heads[index];
  const double middle = top + l.cell_height / 2.0;
  figure.add(RectItem{.rect = {l.left, top, l.right - l.left, l.cell_height},
                      .hit = HeadHit{table.head(index)}});
  figure.add(text_item({l.left, middle}, head.name, {l.font, false, false}, table.theme.ink,
                       HAlign::Left, VAlign::Middle));
  const double padding = std::min(0.1 * l.font, 0.1 * l.column);
  double x = l.first_column;
  for (const MeasureInfo& measure : all_measures()) {
    add_cell(figure, table, measure, head,
             {x + padding, top, l.column - 2.0 * padding, l.cell_height});
    x += l.column;
  }
  add_words(figure, table, index, l.words_below ? middle + l.row_height : middle);
}

// --- legend of the tints ----------------------------------------------------------------------

// The bar beside the rows, in the width that the layout reserved.
void add_tint_bar(Figure& figure, const Table& table, double top, double bottom) {
  ColorBar bar = tint_bar(table);
  bar.rect.x = table.layout.right + kTintBarGap * table.layout.font;
  bar.rect.y = top;
  bar.rect.height = std::max(bottom - top, kShortestTintBar * table.layout.font);
  add_color_bar(figure, bar, table.theme, table.metrics);
}

// Numbers at the ends of the bar: 0 and 1 for shares, 0 and the largest for others.
std::string tint_words(const Table& table) {
  std::string words = "Shades: shares from 0 to 1";
  for (const MeasureInfo& measure : all_measures()) {
    const bool defined = std::ranges::any_of(table.heads, [&](const MeasuredHead& head) {
      return measure.value(head.measures).has_value();
    });
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
  constexpr std::size_t kMostLines = 4;
  const MeasuresLayout& l = table.layout;
  for (const std::string& line :
       wrapped(table.metrics, text, font, l.page_right - l.left, kMostLines)) {
    figure.add(text_item({l.left, top + font.size}, line, font, color));
    top += 1.45 * font.size;
  }
  return top;
}

// Meaning of the labels in the table.
double add_rules(Figure& figure, const Table& table, double top) {
  const FontStyle font{0.82 * table.layout.font, false, false};
  for (const HeadLabelInfo& label : all_head_labels()) {
    const bool occurs =
        std::any_of(table.heads.begin(), table.heads.end(), [&](const MeasuredHead& head) {
          return std::ranges::find(head.labels, &label) != head.labels.end();
        });
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
  const double font = table.layout.font;
  top = add_lines(figure, table, title_of(table), {1.25 * font, true, false}, table.theme.ink, top);
  return add_lines(figure, table, subtitle_of(table, true), {font, false, false}, table.theme.muted,
                   top + 0.1 * font);
}

Figure draw_table(const Drawing& drawing, std::vector<MeasuredHead> heads) {
  Table table{{drawing}, std::move(heads), {}};
  table.layout = lay_out_measures(drawing, table.heads);
  const MeasuresLayout& l = table.layout;
  Figure figure = blank_figure(drawing);
  figure.alt_text = subtitle_of(table, false);
  double y = add_titles(figure, table, 0.9 * l.font) + 0.6 * l.font;
  add_header(figure, table, y);
  y += l.header_height;
  const double first_row = y;
  for (std::size_t i = 0; i < table.heads.size(); ++i) {
    add_row(figure, table, i, y);
    y += l.row_height;
    if (l.words_below && !table.heads[i].labels.empty()) y += l.row_height;
  }
  if (table.options.color_bar) add_tint_bar(figure, table, first_row, y);
  const FontStyle small{secondary_size(l.font), false, false};
  y += 0.6 * l.font;
  if (table.options.color_bar) {
    y = std::max(y, first_row + (kShortestTintBar + 1.0) * l.font);
    y = add_lines(figure, table, tint_words(table), small, table.theme.muted, y);
  }
  y = add_rules(figure, table, y);
  y = add_lines(figure, table, left_out_words(table.heads), small, table.theme.muted, y);
  figure.height = y + 0.7 * l.font;
  return figure;
}

}  // namespace

std::vector<Need> measures_needs(const FittedView& view) {
  const HeadAddress layer =
      view.options.at.moved_to(view.options.at.layer, view.options.at.sample, 0);
  const auto make = [layer](const Sources& from, const Pass& pass) {
    return measured_layer(from, layer, pass);
  };
  return needs_of<MeasuredLayer>("measures of " + text_of(MatrixId{Stage::Weights, layer}),
                                 passes_by_rows(view, view.result.shape().heads,
                                                "Measures of heads", "First rows for the measures"),
                                 make);
}

Result<Figure> measures(const Drawing& drawing) {
  const auto layer = found<MeasuredLayer>(drawing, measures_needs(drawing));
  if (!layer) return layer.error();
  Figure figure = draw_table(drawing, (*layer)->heads);
  if (drawing.options.height <= 0.0) return figure;
  // Smaller letters until the table fits the height.
  Drawing smaller = drawing;
  for (int pass = 0; pass < 8 && figure.height > drawing.options.height; ++pass) {
    smaller.options.font_size *= std::max(0.5, 0.98 * drawing.options.height / figure.height);
    figure = draw_table(smaller, (*layer)->heads);
  }
  figure.height = drawing.options.height;
  return figure;
}

}  // namespace attn
