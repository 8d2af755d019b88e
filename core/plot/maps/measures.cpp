// Table of measures: tints, layout, cells and texts.
#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/utf8.h"
#include "figure/text.h"
#include "plot/kit/chart.h"
#include "plot/kit/marks.h"
#include "plot/kit/names.h"
#include "plot/maps/heads.h"

namespace attn {
namespace {

// Sizes in font sizes.
constexpr double kGapBeside = 0.7;  // between names, cells and labels
constexpr double kWidestColumn = 6.0, kWidestInPane = 10.0;
constexpr double kNarrowestColumn = 3.0;  // with names and labels in full
constexpr double kRow = 1.9, kLeastRow = 1.4, kMostRow = 4.5;
constexpr double kBetweenRows = 0.15;
constexpr double kHeaderFont = 0.82, kValueFont = 0.9, kWordFont = 0.82;
constexpr double kSmallestHeader = 0.66;
constexpr double kHeaderLine = 1.25;     // of the size of the header
constexpr double kLargestLetters = 1.5;  // factor of the letters where rows are high
constexpr double kTintWidth = 6.0;       // of the legend of the tints
constexpr std::size_t kTintSteps = 256;

// A table of heads; positions in units from its top left corner.
struct Table : Drawing {
  std::span<const HeadCard> heads;
  double width = 0.0;
  double letters = 0.0;       // size of the names of heads
  bool is_narrow = false;     // heads are named by numbers, labels by their first letters
  double first_column = 0.0;  // left edge of the first cell
  double column = 0.0;        // width of one
  double words = 0.0;         // left edge of the labels
  FontStyle header{}, value{}, word{};
  double header_line = 0.0;     // from one line of the headings to the next
  bool upright_header = false;  // texts turned by 90°, for narrow columns
  double header_height = 0.0, row_height = 0.0;
};

std::string head_name(const Table& table, const HeadCard& head) {
  return (table.is_narrow ? "" : "Head ") + std::to_string(head.at.head + 1);
}

// Labels begin with different letters.
std::string label_name(const Table& table, const HeadLabelInfo& label) {
  if (!table.is_narrow) return std::string(label.label);
  return {static_cast<char>(std::toupper(static_cast<unsigned char>(label.label.front())))};
}

constexpr double kFaintest = 14.0 / 255.0, kStrongest = 150.0 / 255.0;  // shares of the hue

ColorMap tints_of(const FigureTheme& theme) {
  ColorMap map{"tints", "Tints", false, {}};
  for (std::size_t i = 0; i < map.colors.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(map.colors.size() - 1);
    map.colors[i] = mix(theme.background, theme.query, kFaintest + part * (kStrongest - kFaintest));
  }
  return map;
}

// Scale from 0, the faintest tint of the theme's background by the colour of queries, to 1, the
// strongest one on which text is legible. Static, as painters identify maps by their address.
ColorScale tint_scale(ThemeKind theme) {
  static const std::vector<ColorMap> kTints = [] {
    std::vector<ColorMap> all;
    for (const ThemeInfo& info : all_themes()) all.push_back(tints_of(info.colors));
    return all;
  }();
  return {&kTints[static_cast<std::size_t>(theme)], 0.0F, 1.0F};
}

// --- layout ----------------------------------------------------------------------------------

double word_box_width(const HeadLabelInfo& label, const Table& table) {
  const double padding = table.is_narrow ? 0.4 : 0.9;
  const double text = table.metrics.measure(label_name(table, label), table.word).width;
  return std::max(text + padding * table.letters, 1.3 * table.word.size);
}

double words_width(const Table& table, const HeadCard& head) {
  double width = 0.0;
  for (const HeadLabelInfo* label : labels_of(*head.measures)) {
    width += word_box_width(*label, table) + 0.3 * table.letters;
  }
  return width;
}

void set_header(Table& table) {
  const double full = table.header.size;
  double widest = 0.0;
  for (const MeasureInfo& measure : all_measures()) {
    widest =
        std::max(widest, widest_of(measure.heading, std::identity(), table.header, table.metrics));
  }
  const double least = std::max(kSmallestHeader * table.font(), kSmallestNumber);
  table.header.size = std::min(full, full * 0.94 * table.column / widest);
  table.upright_header = table.header.size < least;
  if (table.upright_header) table.header.size = std::min(full, 0.4 * table.column);
  table.header_line = kHeaderLine * table.header.size;
  const double height =
      table.upright_header ? widest * table.header.size / full : 2.0 * table.header_line;
  table.header_height = height + 0.45 * table.font();
}

// Names at the left, labels at the right, and columns between them.
void set_columns(Table& table) {
  const auto count = static_cast<double>(all_measures().size());
  const double gap = kGapBeside * table.letters;
  const auto name = [&](const HeadCard& head) { return head_name(table, head); };
  table.first_column = widest_of(table.heads, name, {table.letters}, table.metrics) + gap;
  double words = 0.0;
  for (const HeadCard& head : table.heads) words = std::max(words, words_width(table, head));
  const double beside = words > 0.0 ? words + gap : 0.0;
  const double widest = table.options.pane_height > 0.0 ? kWidestInPane : kWidestColumn;
  table.column = std::clamp((table.width - table.first_column - beside) / count, 0.1 * table.font(),
                            widest * table.font());
  table.words = table.first_column + count * table.column + gap;
}

// `room`: height of the table; 0: as needed.
void lay_out(Table& table, double room) {
  const double font = table.font();
  const auto rows = static_cast<double>(std::max<std::size_t>(table.heads.size(), 1));
  const double least = table.options.height > 0.0 ? kLeastRow : kRow;
  table.is_narrow = false;
  for (const double letters : {kLargestLetters, 1.0}) {  // names in full where they fit
    table.row_height = std::clamp((room - 3.0 * font) / rows, least * font, kMostRow * font);
    table.letters = font * std::clamp(table.row_height / (kRow * font), 1.0, letters);
    table.header = {kHeaderFont * font};
    table.word = {kWordFont * table.letters};
    set_columns(table);
    if (table.column >= kNarrowestColumn * table.letters) break;
  }
  table.is_narrow = table.column < kNarrowestColumn * font;
  if (table.is_narrow) set_columns(table);
  set_header(table);
  if (room > 0.0) {
    table.row_height =
        std::clamp((room - table.header_height) / rows, least * font, kMostRow * font);
  }
  const std::string digits =
      "0." + std::string(static_cast<std::size_t>(table.options.decimals), '0');
  const double wide = table.metrics.measure(digits, {font}).width;
  const double fitting =
      std::max(0.82 * table.column / std::max(wide, 1e-9) * font, kSmallestNumber);
  table.value = {std::min(kValueFont * table.letters, fitting)};
}

// "3 of 6 queries", "3 to 5 of 6 queries" if heads differ: those whose weights count.
std::string rows_counted(const Table& table, std::size_t queries) {
  std::string all = counted(queries, "query", "queries");
  std::size_t least = queries, most = 0;
  for (const HeadCard& head : table.heads) {
    if (!head.measures) continue;
    least = std::min(least, head.measures->rows);
    most = std::max(most, head.measures->rows);
  }
  if (least == queries) return all;
  return grouped_text(least) + (most > least ? " to " + grouped_text(most) : "") + " of " + all;
}

std::string subtitle_of(const Table& table) {
  const AttentionProblem& problem = table.result.problem();
  const HeadAddress& at = table.options.at;
  const std::size_t queries = shape_of(problem, at).n_q;
  std::string rows;
  if (!table.heads.empty()) {
    rows = rows_measured_words(rows_read(*table.heads.front().measures), queries, table.options);
  }
  if (rows.empty()) rows = rows_counted(table, queries);
  return "Measures of " + counted(problem.shape.heads, "head") +
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

// The number as long as a share with the decimals of the options: 5.19, 33.9, 102; shorter in
// columns too narrow for it.
std::string cell_text(const Table& table, double value, double width) {
  const FontStyle least{std::min(table.value.size, kSmallestNumber)};
  int decimals =
      table.options.decimals - static_cast<int>(std::log10(std::max(1.0005 * value, 1.0)));
  std::string text = fixed_text(value, std::max(decimals, 0));
  while (decimals > 0 && table.metrics.measure(text, least).width > width) {
    text = fixed_text(value, --decimals);
  }
  return text;
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
  const double room = 0.94 * rect.width;
  const std::string text = value ? cell_text(table, *value, room) : "–";
  FontStyle font = table.value;
  font.size *= std::min(1.0, room / std::max(table.metrics.measure(text, font).width, 1e-9));
  figure.add(text_in(rect, text, font, value ? table.theme.ink : table.theme.muted));
}

void add_words(Figure& figure, const Table& table, const HeadCard& head, double middle) {
  const double height = 1.6 * table.word.size;
  double x = table.words;
  for (const HeadLabelInfo* label : labels_of(*head.measures)) {
    RectItem box{
        .rect = {x, middle - height / 2.0, word_box_width(*label, table), height},
        .stroke = table.theme.muted,
        .stroke_width = 0.75,
        .radius = height / 2.0,
        .hit = HeadLabelHit{head.at, static_cast<std::size_t>(label - all_head_labels().data())}};
    if (box.rect.right() > table.width + 1e-6) return;  // the measures imply further labels
    figure.add(box);
    figure.add(text_in(box.rect, label_name(table, *label), table.word, table.theme.ink));
    x += box.rect.width + 0.3 * table.letters;
  }
}

void add_row(Figure& figure, const Table& table, const HeadCard& head, double top) {
  const double height = table.row_height - kBetweenRows * table.font(), middle = top + height / 2.0;
  const HeadHit hit{head.at, layer_number(table.result.shape(), head.at.layer)};
  figure.add(RectItem{.rect = {0.0, top, table.width, height}, .hit = hit});
  figure.add(text_item({0.0, middle}, head_name(table, head), {table.letters}, table.theme.ink,
                       HAlign::Left, VAlign::Middle));
  const double padding = std::min(0.1 * table.font(), 0.05 * table.column);
  double x = table.first_column;
  for (const MeasureInfo& measure : all_measures()) {
    add_cell(figure, table, measure, head,
             {x + padding, top, table.column - 2.0 * padding, height});
    x += table.column;
  }
  add_words(figure, table, head, middle);
}

Figure table_figure(const Table& table) {
  Figure figure{.width = table.width};
  if (table.is_narrow) {  // next to headings that are upright too
    TextItem head =
        text_item({0.6 * table.header.size, table.header_height - 0.35 * table.font()}, "Head",
                  table.header, table.theme.muted, HAlign::Left, VAlign::Middle);
    head.degrees = 90.0;
    figure.add(head);
  }
  add_header(figure, table, 0.0);
  double y = table.header_height;
  for (const HeadCard& head : table.heads) {
    add_row(figure, table, head, y);
    y += table.row_height;
  }
  figure.height = y;
  return figure;
}

// --- legend ----------------------------------------------------------------------------------

// The tints from 0 to 1.
Figure tint_legend(const Table& table) {
  const double font = table.font();
  const FontStyle style{secondary_size(font)};
  MatrixCells cells{1, kTintSteps, {}, {}, {}};
  for (std::size_t i = 0; i < kTintSteps; ++i) {
    cells.values.push_back((static_cast<float>(i) + 0.5F) / static_cast<float>(kTintSteps));
  }
  const Rect bar{1.1 * font, 0.2 * font, kTintWidth * font, font};
  Figure figure{.width = table.width, .height = 1.6 * font};
  figure.add(whole_item(bar, std::make_shared<const MatrixCells>(std::move(cells)),
                        tint_scale(table.options.theme), table.theme));
  const double middle = bar.middle().y;
  figure.add(text_item({0.0, middle}, "0", style, table.theme.muted, HAlign::Left, VAlign::Middle));
  figure.add(text_item({bar.right() + 0.5 * font, middle}, "1 or the largest", style,
                       table.theme.muted, HAlign::Left, VAlign::Middle));
  return figure;
}

// Numbers of the strongest tint, and the units.
std::string tint_words(const Table& table) {
  std::string words = "Shades: shares from 0 to 1";
  for (const MeasureInfo& measure : all_measures()) {
    const bool defined = std::ranges::any_of(
        table.heads, [&](const HeadCard& head) { return value_of(head, measure).has_value(); });
    if (measure.is_share || !defined) continue;
    words += ", " + std::string(measure.name) + " from 0 to " +
             fixed_text(full_tint(table.heads, measure), table.options.decimals) +
             (measure.name == "entropy" ? " nats" : " tokens");
  }
  return words +
         ". “Share of max” is that of the largest possible entropy. Shares are of "
         "queries that see more than one key.";
}

// Meaning of the labels in the table.
std::vector<std::string> legend_of(const Table& table) {
  std::vector<std::string> lines;
  if (table.options.color_bar) lines.push_back(tint_words(table));
  for (const HeadLabelInfo& label : all_head_labels()) {
    const bool occurs = std::ranges::any_of(
        table.heads, [&](const HeadCard& head) { return label.holds(*head.measures); });
    if (!occurs) continue;
    std::string rule(label.rule);
    rule[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(rule[0])));
    std::string line = table.is_narrow ? label_name(table, label) + " = " : "";
    lines.push_back(line.append(label.label).append(": ").append(rule));
  }
  LeftOutRows left_out;
  for (const HeadCard& head : table.heads) left_out += head.measures->left_out;
  const std::string words = left_out_words(left_out);
  const char* whose = table.heads.size() > 1 ? ", of all heads together." : ".";
  if (!words.empty()) lines.push_back(as_sentence(words) + whose);
  return lines;
}

// Every measure of a head in words, and its labels.
std::vector<TableRow> explained(const HeadCard& head) {
  std::vector<TableRow> rows{{{"Head " + std::to_string(head.at.head + 1), ""}, {"", ""}}};
  for (const MeasureInfo& measure : all_measures()) {
    const std::optional<double> value = value_of(head, measure);
    if (value) rows.push_back({{std::string(measure.sentence), ""}, {short_text(*value), ""}});
  }
  for (const HeadLabelInfo* label : labels_of(*head.measures)) {
    rows.push_back({{std::string(label->rule), ""}, {std::string(label->label), ""}});
  }
  return rows;
}

}  // namespace

std::vector<Need> measures_needs(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  HeadRow row{{at.layer}, {}, 1, at.moved_to(at.layer, at.sample, 0)};
  for (std::size_t head = 0; head < view.result.shape().heads; ++head) row.heads.push_back(head);
  return measure_needs(view, row, "Measures of heads");
}

Result<Figure> measures(const Drawing& drawing) {
  const auto layer = found<MeasuredHeads>(drawing, measures_needs(drawing));
  if (!layer) return layer.error();
  Table table{{drawing}, (*layer)->cards};
  Page page(drawing);
  page.add_heading(subtitle_of(table), 0.4);
  table.width = page.width();
  lay_out(table, 0.0);
  const double legend = drawing.options.color_bar ? 2.0 * drawing.font() : 0.0;
  const double room = page.room(legend_of(table));
  if (room > 0.0) lay_out(table, room - legend);
  page.add_part(table_figure(table));
  if (drawing.options.color_bar) page.add_part(tint_legend(table));
  for (const std::string& line : legend_of(table)) page.add_note(line);
  return page.finished(subtitle_of(table));
}

Figure measures_hover(const Drawing& drawing, const Figure& figure, const HitId& hit,
                      const Rect& visible) {
  const auto* pointed = std::get_if<HeadHit>(&hit);
  const auto layer = found<MeasuredHeads>(drawing, measures_needs(drawing));
  const std::optional<Rect> row =
      pointed != nullptr ? place_of_head(figure, pointed->head) : std::nullopt;
  if (!row || !layer) return overlay_of(figure);
  const auto head = std::ranges::find((*layer)->cards, pointed->head, &HeadCard::at);
  if (head == (*layer)->cards.end()) return overlay_of(figure);
  const double width = std::min(44.0 * drawing.font(), visible.width - 2.0 * drawing.font());
  const Figure part = draw_table(drawing, explained(*head), width);
  Figure over = shown_beside(drawing, figure, *row, part, visible);
  over.add(RectItem{.rect = *row, .stroke = drawing.theme.accent, .stroke_width = 1.0});
  return over;
}

}  // namespace attn
