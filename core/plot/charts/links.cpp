// The links plot: layout of both sides, chips of heads, tokens, links between them.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "figure/colormap.h"
#include "figure/text.h"
#include "plot/charts/charts.h"
#include "plot/kit/marks.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "view/fields.h"

namespace attn {
namespace {

// Sizes in font sizes.
constexpr double kWidestPitch = 1.7, kLeastPitch = 0.5, kUsualHeight = 70.0;
constexpr double kWidestRowPitch = 6.0;
// Bounds for panes that scroll.
constexpr double kLeastPanePitch = 1.2, kLeastPaneField = 8.0;
constexpr double kTitleLine = 1.6, kEdgeLine = 1.5, kGap = 0.6;
constexpr double kWidestField = 48.0;
// Sizes of labels: the least, the usual and the largest, where tokens are far apart.
constexpr double kLeastFont = 0.65, kLabelFont = 0.9, kLargestFont = 1.3;
// Largest ratio between the token distances of the shorter and the longer side.
constexpr double kMostSpread = 2.5;

constexpr std::size_t kEqualHeads = 4;  // more heads are drawn faintly behind one of them
constexpr double kBehind = 0.15;        // factor of the opacity of heads behind

// --- Layout

double titles(const LinksScene& scene) { return kTitleLine * scene.font(); }

void set_font(LinksScene& scene, double size) {
  const double least = std::max(kLeastFont * scene.font(), kSmallestNumber);
  scene.label_font = {std::max(size, least)};
}

// Measures in bold, as a label becomes bold when the pointer is over its token.
double widest_label(const LinksScene& scene, const LinkSide& side, double limit) {
  FontStyle font = scene.label_font;
  font.bold = scene.options.on_screen || scene.focus;
  double widest = 0.0;
  for (std::size_t i = side.first; i < side.end() && widest < limit; ++i) {
    const std::string label = axis_label(scene.document, side.axis, i);
    widest = std::max(widest, scene.metrics.measure(label, font).width);
  }
  return std::min(widest, limit);
}

double widest_label(const LinksScene& scene, double limit) {
  return std::max(widest_label(scene, scene.queries, limit),
                  widest_label(scene, scene.keys, limit));
}

// Returns the distance between the tokens of columns of `height` units, of which `around` are above
// and below the tokens; a height of 0 is as much as needed within the page.
double column_pitch(const LinksScene& scene, double height, double around) {
  const double font = scene.font();
  const double usual = font * std::clamp(kUsualHeight / scene.longest(), kLeastPitch, kWidestPitch);
  const double within = ((height > 0.0 ? height : scene.page_height) - around) / scene.longest();
  if (height <= 0.0) return scene.page_height > 0.0 ? std::min(usual, within) : usual;
  return scene.scrolls() ? std::max(within, std::min(kLeastPanePitch * font, usual)) : within;
}

// Centres both sides on the same line, `room` units from `from` on, and spreads the shorter one to
// the length of the longer within kMostSpread.
void place_tokens(LinksScene& scene, double pitch, double from, double room) {
  for (LinkSide* side : {&scene.queries, &scene.keys}) {
    const double count = static_cast<double>(std::max<std::size_t>(side->count, 1));
    side->pitch = std::min(pitch * scene.longest() / count, kMostSpread * pitch);
    side->start = from + (room - side->pitch * count) / 2.0;
    const bool flat_rows = scene.rows && !scene.upright;
    const double spacing = flat_rows ? 0.0 : 1.05 * scene.label_font.size;
    side->stride = label_stride(std::max(spacing, 1e-9), side->pitch);
  }
}

void lay_out_columns(LinksScene& scene, double height) {
  const double font = scene.font();
  const auto edge = [&](std::size_t tokens) { return tokens > 0 ? kEdgeLine * font : 0.0; };
  scene.before = edge(std::max(scene.queries.first, scene.keys.first));
  scene.after = edge(std::max(scene.queries.after(), scene.keys.after()));
  const double top = titles(scene) + scene.before, around = top + scene.after;
  const double pitch = column_pitch(scene, height, around);
  const double most = std::clamp(0.35 * pitch, kLabelFont * font, kLargestFont * font);
  set_font(scene, std::min(most, 0.92 * pitch));
  for (LinkSide* side : {&scene.queries, &scene.keys}) {
    side->labels = widest_label(scene, *side, 0.32 * scene.width);
  }
  const double gaps = 2.0 * kGap * font;
  const double free = std::max(scene.width - scene.queries.labels - scene.keys.labels - gaps, font);
  const double across = std::min(free, kWidestField * font);
  const double left = (free - across) / 2.0;
  scene.field = {left + scene.queries.labels + kGap * font, top, across, pitch * scene.longest()};
  scene.height = around + scene.field.height;
  place_tokens(scene, pitch, top, scene.field.height);
}

double letter_pitch(const LinksScene& scene) { return kLetterPitch * scene.label_font.size; }

double letters_height(const LinksScene& scene, const LinkSide& side) {
  return letter_pitch(scene) * static_cast<double>(stacked_letters(scene.document, side.axis));
}

void lay_out_rows(LinksScene& scene, double height) {
  const double font = scene.font(), most = 9.0 * font;
  const double pitch = std::min(scene.width / scene.longest(), kWidestRowPitch * font);
  set_font(scene, kLabelFont * font);
  const double wanted = widest_label(scene, most);
  if (wanted > 0.9 * pitch) {
    set_font(scene, scene.label_font.size * std::max(0.9 * pitch / wanted, 0.7));
  }
  scene.upright = widest_label(scene, most) > 0.92 * pitch;
  if (scene.upright) set_font(scene, std::min(kLabelFont * font, 0.92 * pitch));
  for (LinkSide* side : {&scene.queries, &scene.keys}) {
    side->labels = !scene.upright  ? 1.3 * scene.label_font.size
                   : scene.stacked ? std::min(letters_height(scene, *side), most)
                                   : widest_label(scene, *side, most);
  }
  const double around =
      titles(scene) + scene.queries.labels + scene.keys.labels + 2.0 * kGap * font + titles(scene);
  const double usual = std::clamp(0.4 * scene.width, 12.0 * font, 26.0 * font);
  const double least = (scene.scrolls() ? kLeastPaneField : 4.0) * font;
  const double across = height > 0.0 ? std::max(height - around, least) : usual;
  scene.field = {0.0, titles(scene) + scene.queries.labels + kGap * font, scene.width, across};
  scene.height = around + across;
  place_tokens(scene, pitch, 0.0, scene.width);
}

// Returns the end of a link at token `index`, which may be out of view.
Point end_at(const LinksScene& scene, const LinkSide& side, double index) {
  const Rect& field = scene.field;
  const double along = side.start + side.pitch * (index - static_cast<double>(side.first) + 0.5);
  const bool query = side.is_of_queries();
  if (scene.rows) return {along, query ? field.y : field.bottom()};
  return {query ? field.x : field.right(), along};
}

// Returns the area of one token's label.
Rect label_area(const LinksScene& scene, const LinkSide& side, std::size_t index) {
  const Point at = end_at(scene, side, static_cast<double>(index));
  const bool query = side.is_of_queries();
  const double gap = kGap * scene.label_font.size, half = side.pitch / 2.0, labels = side.labels;
  if (scene.rows) {
    return {at.x - half, query ? at.y - gap - labels : at.y, side.pitch, labels + gap};
  }
  return {query ? at.x - gap - labels : at.x, at.y - half, labels + gap, side.pitch};
}

// --- Geometry of lines: one per link, the strongest on top, pinned ones drawn again; dashed stubs
// for links to tokens out of view

Color shade(const LinksScene& scene, std::size_t head, double weight) {
  const double opacity = std::clamp(weight, 0.0, 1.0) * (scene.is_behind(head) ? kBehind : 1.0);
  return with_alpha(scene.color(head), static_cast<std::uint8_t>(std::lround(255.0 * opacity)));
}

// Returns the distance between links of several heads at a token, and the width of a usual one.
double line_width(const LinksScene& scene) {
  const double room =
      0.7 * scene.least_pitch() / static_cast<double>(std::max<std::size_t>(scene.heads.size(), 1));
  const double widest = std::max(0.05 * scene.least_pitch(), 2.0);
  return std::clamp(std::min(0.16 * scene.least_pitch(), room), 0.6, widest);
}

// Returns the width of a link, which tells weights apart that are nearly as opaque as each other.
double line_width(const LinksScene& scene, double weight) {
  constexpr double kThinnest = 0.4, kWidest = 1.4;  // of weights of 0 and 1
  return line_width(scene) * std::lerp(kThinnest, kWidest, std::clamp(weight, 0.0, 1.0));
}

// Returns the end of a link at a token, shifted by the head, so that links of several heads do not
// cover each other.
Point end_of(const LinksScene& scene, const LinkSide& side, std::size_t token, std::size_t head) {
  const auto rank =
      static_cast<double>(std::ranges::lower_bound(scene.heads, head) - scene.heads.begin());
  const auto heads = static_cast<double>(scene.heads.size());
  const double step = std::min(line_width(scene), 0.7 * scene.least_pitch() / heads);
  const double shift = step * (rank - (heads - 1.0) / 2.0);
  return end_at(scene, side, static_cast<double>(token) + shift / side.pitch);
}

// --- Texts of lines

std::string of_head(const LinksScene& scene, std::size_t head) {
  return scene.shape().heads > 1 ? ", head " + std::to_string(head + 1) : "";
}

// Returns “sat” → “cat” 0.412, head 1
std::string words_of(const LinksScene& scene, const Link& link) {
  return quoted_token(scene, Side::Query, link.query) + " → " +
         quoted_token(scene, Side::Key, link.key) + " " +
         short_text(static_cast<double>(link.weight)) + of_head(scene, link.head);
}

// "keys 201 to 300"
std::string beyond(const LinkSide& side, bool before) {
  const char* name = side.is_of_queries() ? "queries " : "keys ";
  const std::size_t first = before ? 1 : side.end() + 1;
  const std::size_t last = before ? side.first : side.axis.count;
  return name + std::to_string(first) + " to " + std::to_string(last);
}

// Returns “sat” → keys 201 to 300: 0.412 in 3 links, head 1
std::string words_of(const LinksScene& scene, const Stub& stub) {
  const std::string token = quoted_token(scene, stub.side, stub.token);
  const std::string ends = stub.side == Side::Query
                               ? token + " → " + beyond(scene.keys, stub.before)
                               : beyond(scene.queries, stub.before) + " → " + token;
  return ends + ": " + short_text(stub.weight) + " in " + counted(stub.links, "link") +
         of_head(scene, stub.head);
}

// --- Lines

LineItem line_of(const LinksScene& scene, const Link& link) {
  const HeadAddress& at = scene.options.at;
  const MatrixId matrix{Stage::Weights, at.moved_to(at.layer, at.sample, link.head)};
  LineItem line{.from = end_of(scene, scene.queries, link.query, link.head),
                .to = end_of(scene, scene.keys, link.key, link.head),
                .color = shade(scene, link.head, link.weight),
                .width = line_width(scene, link.weight),
                .hit = CellHit{matrix, link.query, link.key}};
  if (scene.options.line_words) line.words = words_of(scene, link);
  return line;
}

// Returns a short line towards a token just out of view.
LineItem stub_of(const LinksScene& scene, const Stub& stub) {
  constexpr double kLength = 2.2;  // font sizes
  const LinkSide& others = scene.side(stub.side == Side::Query ? Side::Key : Side::Query);
  const double beyond = stub.before ? static_cast<double>(others.first) - 2.0
                                    : static_cast<double>(others.end()) + 1.0;
  const Point from = end_of(scene, scene.side(stub.side), stub.token, stub.head);
  const Point to = end_at(scene, others, beyond);
  const double part = kLength * scene.font() / std::hypot(to.x - from.x, to.y - from.y);
  LineItem line{.from = from,
                .to = {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)},
                .color = shade(scene, stub.head, stub.weight),
                .width = line_width(scene, stub.weight),
                .dash = {2.0, 2.0}};
  if (scene.options.line_words) line.words = words_of(scene, stub);
  return line;
}

void add_links(Figure& figure, const LinksScene& scene) {
  std::vector<LineItem> marked;
  for (const Link& link : scene.chosen.links) {
    LineItem line = line_of(scene, link);
    if (std::ranges::any_of(scene.options.pins,
                            [&](const CellHit& pin) { return is_link_of(line, pin); })) {
      marked.push_back(line);
    }
    figure.add(std::move(line));
  }
  for (const Stub& stub : scene.chosen.stubs) figure.add(stub_of(scene, stub));
  for (const LineItem& line : marked) add_marked(figure, line, scene.theme);
}

// --- Chips of heads

// A chip: its text, its look, and the choice that a click makes.
struct Chip {
  std::string label;
  std::string heads;  // text of the option after a click
  bool on = false;
  Color color;
};

std::vector<Chip> chips_of(const LinksScene& scene) {
  const std::size_t count = scene.shape().heads;
  const bool all = scene.heads.size() == count;
  std::vector<Chip> chips{
      {"all", all ? std::string() : std::string(kAllHeads), all, scene.theme.muted}};
  for (std::size_t head = 0; head < count; ++head) {
    chips.push_back({std::to_string(head + 1), with_head_toggled(scene.options.heads, head, count),
                     std::ranges::binary_search(scene.heads, head), scene.color(head)});
  }
  return chips;
}

void add_chip(Figure& figure, const Chip& chip, const Rect& rect, const LinksScene& scene) {
  RectItem shape{.rect = rect,
                 .fill = chip.on ? chip.color : scene.theme.background,
                 .stroke = chip.color,
                 .stroke_width = 1.0,
                 .radius = rect.height / 2.0,
                 .hit = OptionHit{"heads", chip.heads, chip.label}};
  figure.add(shape);
  const Color ink = chip.on ? readable_on(chip.color) : scene.theme.muted;
  figure.add(text_in(rect, chip.label, {secondary_size(scene.font()), chip.on}, ink, shape.hit));
}

Figure link_chips(const LinksScene& scene) {
  const double height = 1.5 * scene.font(), gap = 0.4 * scene.font();
  const FontStyle font{secondary_size(scene.font()), true};
  Figure figure{.width = scene.width};
  const std::string word = "Heads";
  figure.add(text_item({0.0, height / 2.0}, word, {font.size}, scene.theme.muted, HAlign::Left,
                       VAlign::Middle));
  double x = scene.metrics.measure(word, font).width + 2.0 * gap, y = 0.0;
  const double indent = x;
  for (const Chip& chip : chips_of(scene)) {
    const double room =
        std::max(scene.metrics.measure(chip.label, font).width + 1.2 * scene.font(), height);
    if (x + room > scene.width && x > indent) {
      x = indent;
      y += height + gap;
    }
    add_chip(figure, chip, {x, y, room, height}, scene);
    x += room + gap;
  }
  figure.height = y + height;
  return figure;
}

// Returns a legend of the drawn heads, for paper.
Figure link_legend(const LinksScene& scene) {
  std::vector<ChartSeries> heads;
  for (const std::size_t head : scene.heads) {
    if (scene.is_behind(head)) continue;
    heads.push_back({"Head " + std::to_string(head + 1), scene.color(head)});
  }
  if (scene.front) {
    heads.push_back({counted(scene.heads.size() - 1, "other head", "other heads"),
                     with_alpha(scene.theme.muted, 128)});
  }
  return chart_key(scene, heads, scene.width);
}

// --- Tokens

// True for each token at which a drawn link ends; labels of the others are muted.
std::vector<bool> linked_tokens(const LinksScene& scene, const LinkSide& side) {
  std::vector<bool> linked(side.axis.count, false);
  const bool query = side.is_of_queries();
  for (const Link& link : scene.chosen.links) linked[query ? link.query : link.key] = true;
  for (const Stub& stub : scene.chosen.stubs) {
    if (stub.side == side.axis.side) linked[stub.token] = true;
  }
  return linked;
}

TextItem label_of(const LinksScene& scene, const LinkSide& side, std::size_t index, Color color) {
  const Point end = end_at(scene, side, static_cast<double>(index));
  const bool query = side.is_of_queries();
  const double gap = 0.5 * scene.label_font.size;
  const bool bold =
      scene.focus && scene.focus->side == side.axis.side && scene.focus->index == index;
  const double room = scene.rows && !scene.upright  ? side.pitch * static_cast<double>(side.stride)
                      : scene.rows && scene.stacked ? 1e9
                                                    : side.labels;
  const FontStyle font{scene.label_font.size, bold};
  TextItem text = text_item(end, axis_label(scene, side.axis, index, font, room), font, color,
                            query ? HAlign::Right : HAlign::Left, VAlign::Middle,
                            TokenHit{side.axis.side, scene.options.at.sample, index});
  if (!scene.rows) {
    text.anchor.x += query ? -gap : gap;
    return text;
  }
  text.anchor.y += query ? -gap : gap;
  if (scene.upright && !scene.stacked) {
    text.degrees = 90.0;
    text.halign = query ? HAlign::Left : HAlign::Right;
  } else {
    text.halign = HAlign::Center;
    text.valign = query ? VAlign::Baseline : VAlign::Top;
  }
  return text;
}

void add_tokens(Figure& figure, const LinksScene& scene, Side of) {
  const LinkSide& side = scene.side(of);
  const std::vector<bool> linked = linked_tokens(scene, side);
  for (std::size_t i = side.first; i < side.end(); ++i) {
    figure.add(RectItem{.rect = label_area(scene, side, i),
                        .hit = TokenHit{of, scene.options.at.sample, i}});
    if (i % side.stride != 0) continue;
    TextItem label = label_of(scene, side, i, linked[i] ? scene.theme.ink : scene.theme.muted);
    const bool stacks = scene.rows && scene.upright && scene.stacked;
    const auto most = static_cast<std::size_t>(side.labels / letter_pitch(scene) + 1e-6);
    stacks ? add_stacked(figure, label, most, of == Side::Query, scene.metrics)
           : figure.add(std::move(label));
  }
}

// Returns the left end of a text at one end of a side. Texts wider than the labels extend into the
// field, never out of the figure.
double x_of_words(const LinksScene& scene, Side side, double width) {
  const Rect& field = scene.field;
  if (side == Side::Query) return std::max(field.x - width, 0.0);
  return std::min(field.right(), scene.width - width);
}

// Texts about tokens beyond the ends of a column, above and below it.
void add_beyond_column(Figure& figure, const LinksScene& scene, Side side) {
  const Rect& field = scene.field;
  const FontStyle font{secondary_size(scene.font())};
  for (const bool before : {true, false}) {
    const std::string words = fitted(scene.metrics, beyond_words(scene, side, before), font,
                                     scene.width / 2.0 - scene.font() / 2.0);
    const double y = before ? field.y - scene.before / 2.0 : field.bottom() + scene.after / 2.0;
    const double x = x_of_words(scene, side, scene.metrics.measure(words, font).width);
    if (words.empty()) continue;
    figure.add(text_item({x, y}, words, font, scene.theme.muted, HAlign::Left, VAlign::Middle));
  }
}

// Texts about tokens beyond the ends of a row, at the end of the line of its title.
void add_beyond_row(Figure& figure, const LinksScene& scene, Side side, double y, double room) {
  const FontStyle font{secondary_size(scene.font())};
  const std::string before = beyond_words(scene, side, true);
  const std::string after = beyond_words(scene, side, false);
  const std::string words = before + (before.empty() || after.empty() ? "" : "   ") + after;
  if (words.empty()) return;
  figure.add(text_item({scene.width, y}, fitted(scene.metrics, words, font, room), font,
                       scene.theme.muted, HAlign::Right));
}

void add_side_title(Figure& figure, const LinksScene& scene, Side side) {
  const bool query = side == Side::Query;
  const std::string words(query ? kQueryAxisTitle : kKeyAxisTitle);
  const bool below = scene.rows && !query;
  const FontStyle font{scene.font()};
  const double width = scene.metrics.measure(words, font).width;
  const double y = below ? scene.height - 0.3 * scene.font() : 0.95 * scene.font();
  figure.add(text_item({scene.rows ? 0.0 : x_of_words(scene, side, width), y}, words, font,
                       query ? scene.theme.query : scene.theme.key));
  if (scene.rows) {
    add_beyond_row(figure, scene, side, y, scene.width - width - scene.font());
  } else {
    add_beyond_column(figure, scene, side);
  }
}

// --- The plot

// Draws the figure `height` units high; as high as needed when that is 0.
Figure links_figure(LinksScene& scene, double height) {
  const Orientation wanted = scene.options.orientation;
  scene.stacked = prefers_rows(scene.document, scene.options.at);
  scene.rows = wanted == Orientation::Automatic ? scene.stacked : wanted == Orientation::Rows;
  scene.rows ? lay_out_rows(scene, height) : lay_out_columns(scene, height);
  Figure figure{.width = scene.width, .height = scene.height};
  for (const Side side : {Side::Query, Side::Key}) {
    add_side_title(figure, scene, side);
    add_tokens(figure, scene, side);
  }
  add_links(figure, scene);
  return figure;
}

LinkSide side_of(const LinksScene& scene, Side side, const TokenSpan& in_view) {
  const StageShape shape = scene.result.stage_shape(Stage::Weights, scene.options.at);
  const std::size_t count = side == Side::Query ? shape.rows : shape.cols;
  return {in_view, {"", count, true, side, scene.options.at}};
}

// Returns the selected head where many are drawn, the first one if the selected head is not drawn.
std::optional<std::size_t> front_of(const LinksScene& scene) {
  if (scene.heads.size() <= kEqualHeads || scene.focus) return std::nullopt;
  const std::size_t head = scene.options.at.head;
  return std::ranges::binary_search(scene.heads, head) ? head : scene.heads.front();
}

}  // namespace

Result<Figure> links_plot(const Drawing& drawing) {
  if (const Status possible = check_links(drawing); !possible) return possible.error();
  Result<LinkSet> chosen = chosen_links(drawing);
  if (!chosen) return chosen.error();
  const LinkView view = links_view(drawing);
  LinksScene scene{{drawing}};
  scene.heads = heads_of_links(drawing);
  scene.focus = focus_of_links(drawing);
  scene.front = front_of(scene);
  scene.queries = side_of(scene, Side::Query, view.queries);
  scene.keys = side_of(scene, Side::Key, view.keys);
  scene.chosen = *std::move(chosen);
  std::stable_partition(scene.chosen.links.begin(), scene.chosen.links.end(),
                        [&](const Link& link) { return scene.is_behind(link.head); });
  Page page(drawing);
  scene.width = page.width();
  page.add_heading(links_heading(scene));
  if (!drawing.options.on_screen) {
    if (scene.heads.size() > 1) page.add_part(link_legend(scene));
  } else if (drawing.result.shape().heads > 1) {
    page.add_part(link_chips(scene));
  }
  const std::array<std::string, 3> words = {links_rule(scene), links_limits(scene),
                                            links_focus(scene)};
  if (!drawing.options.on_screen) scene.page_height = page.room(words, kPageHeight);
  page.add_part(links_figure(scene, page.room(words)));
  for (const std::string& line : words) page.add_note(line);
  Figure figure = page.finished(links_heading(scene) + ": links from " +
                                counted(scene.queries.axis.count, "query", "queries") + " to " +
                                counted(scene.keys.axis.count, "key"));
  if (const std::string advice = links_advice(scene); !advice.empty()) figure.advice = {advice};
  return figure;
}

}  // namespace attn
