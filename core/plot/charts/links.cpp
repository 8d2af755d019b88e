// The links plot: chips of heads, tokens of both sides, links between them.
#include "plot/charts/links.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "figure/colormap.h"
#include "figure/text.h"
#include "plot/kit/marks.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "view/fields.h"

namespace attn {
namespace {

struct LinksScene : Drawing {
  std::vector<std::size_t> heads{};  // shown, ascending
  std::optional<TokenHit> focus{};   // the only token whose links are drawn
  LinkSide queries{}, keys{};
  LinkSet chosen{};
  LinksLayout layout{};

  const LinkSide& side(Side of) const { return of == Side::Query ? queries : keys; }
  Color color(std::size_t head) const { return head_color(head, shape().heads, options.theme); }
};

// --- Texts about the drawn links

std::string heads_words(const LinksScene& scene) {
  const std::size_t all = scene.shape().heads, shown = scene.heads.size();
  if (shown == 1) return numbered("head", scene.heads[0], all);
  if (shown == all) return ", all " + std::to_string(all) + " heads";
  return ", " + std::to_string(shown) + " of " + std::to_string(all) + " heads";
}

std::string range_words(const char* name, const LinkSide& side) {
  return std::string(name) + " " + std::to_string(side.first + 1) + " to " +
         std::to_string(side.end()) + " of " + std::to_string(side.axis.count);
}

// "" when all tokens are in view.
std::string view_words(const LinksScene& scene) {
  const bool all_queries = scene.queries.count == scene.queries.axis.count;
  const bool all_keys = scene.keys.count == scene.keys.axis.count;
  if (all_queries && all_keys) return "";
  return range_words("Queries", scene.queries) + ", " + range_words("keys", scene.keys) +
         " are in view; links to and from others are dashed stubs.";
}

// Heads count from 1 in figures.
std::string missing_heads_words(const LinksScene& scene) {
  const std::vector<std::size_t> missing = heads_missing(scene.options.heads, scene.shape().heads);
  if (missing.empty()) return "";
  std::string names;
  for (const std::size_t head : missing) {
    names += (names.empty() ? "" : ", ") + std::to_string(head + 1);
  }
  return (missing.size() == 1 ? "Head " : "Heads ") + names + " of " +
         std::to_string(scene.shape().heads) + (missing.size() == 1 ? " is" : " are") +
         " not there.";
}

std::string rows_in_view_words(const LinksScene& scene) {
  if (!scene.chosen.rows_in_view) return "";
  return scene.options.is_file() ? "Links of queries beyond the view are left out."
                                 : "Links of queries beyond the view are not known yet.";
}

std::string not_numbers_words(const LinksScene& scene) {
  if (scene.chosen.not_numbers == 0) return "";
  return counted(scene.chosen.not_numbers, "weight is", "weights are") +
         " not a number and not drawn.";
}

std::string links_heading(const LinksScene& scene) {
  const HeadAddress& at = scene.options.at;
  return "Attention weights" + which_attention(scene.result.problem(), at, ", ") +
         address_words(scene.shape(), at, false) + heads_words(scene);
}

std::string links_rule(const LinksScene& scene) {
  const PlotOptions& options = scene.options;
  std::string words = "A line is as opaque as its weight is large. ";
  if (options.least) {
    words += "Weights of at least " + short_text(*options.least) + " are drawn";
  } else if (options.row_share >= 1.0) {
    words += "All weights above 0 are drawn";
  } else {
    words += "Of each row the largest weights are drawn, until they make up " +
             short_text(100.0 * options.row_share, 3) + " % of it";
  }
  if (scene.chosen.left_out > 0) {
    words += "; the " + grouped_text(scene.chosen.left_out) + " smallest of them are left out";
  }
  return words + ".";
}

std::string links_limits(const LinksScene& scene) {
  std::string all;
  for (const std::string& words : {view_words(scene), rows_in_view_words(scene),
                                   missing_heads_words(scene), not_numbers_words(scene)}) {
    all += (all.empty() || words.empty() ? "" : " ") + words;
  }
  return all;
}

std::string links_focus(const LinksScene& scene) {
  if (!scene.focus) return "";
  const TokenHit& token = *scene.focus;
  const bool query = token.side == Side::Query;
  return "Only the links " + std::string(query ? "from " : "to ") +
         placed_token(scene.document, token.side, scene.options.at, token.index) + ".";
}

std::string beyond_words(const LinksScene& scene, Side side, bool before) {
  const LinkSide& tokens = scene.side(side);
  const std::size_t hidden = before ? tokens.first : tokens.after();
  if (hidden == 0) return "";
  std::uint64_t links = 0;
  for (const Stub& stub : scene.chosen.stubs) {
    if (stub.side != side && stub.before == before) links += stub.links;
  }
  const bool rows = scene.layout.rows;
  const std::string arrow = before ? (rows ? "← " : "↑ ") : (rows ? "→ " : "↓ ");
  std::string words = arrow + grouped_text(hidden) + " more";
  if (side == Side::Query && scene.chosen.rows_in_view) return words;
  return words + ", " + grouped_text(links) + (links == 1 ? " link" : " links");
}

// --- Geometry of lines: one per link, the strongest on top, pinned ones drawn again; dashed stubs
// for links to tokens out of view

std::uint8_t opacity(double weight) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(weight, 0.0, 1.0)));
}

double least_pitch(const LinksScene& scene) {
  return std::min(scene.layout.pitch[0], scene.layout.pitch[1]);
}

double line_width(const LinksScene& scene) {
  const double room =
      0.7 * least_pitch(scene) / static_cast<double>(std::max<std::size_t>(scene.heads.size(), 1));
  return std::clamp(std::min(0.16 * least_pitch(scene), room), 0.6, 2.0);
}

// End of a link at a token, shifted by the head, so that equal links of several heads do not cover
// each other.
Point end_of(const LinksScene& scene, const LinkSide& side, std::size_t token, std::size_t head) {
  const auto rank =
      static_cast<double>(std::ranges::lower_bound(scene.heads, head) - scene.heads.begin());
  const auto heads = static_cast<double>(scene.heads.size());
  const double step = std::min(line_width(scene), 0.7 * least_pitch(scene) / heads);
  const double shift = step * (rank - (heads - 1.0) / 2.0);
  const double pitch = scene.layout.pitch[side.axis.side == Side::Query ? 0 : 1];
  return scene.layout.end(side, static_cast<double>(token) + shift / pitch);
}

// --- Texts of lines

std::string quoted(const LinksScene& scene, Side side, std::size_t token) {
  return quoted_token(scene.document, side, scene.options.at, token);
}

std::string of_head(const LinksScene& scene, std::size_t head) {
  return scene.shape().heads > 1 ? ", head " + std::to_string(head + 1) : "";
}

// “sat” → “cat” 0.412, head 1
std::string words_of(const LinksScene& scene, const Link& link) {
  return quoted(scene, Side::Query, link.query) + " → " + quoted(scene, Side::Key, link.key) + " " +
         short_text(static_cast<double>(link.weight)) + of_head(scene, link.head);
}

// "keys 201 to 300"
std::string beyond(const LinkSide& side, bool before) {
  const char* name = side.axis.side == Side::Query ? "queries " : "keys ";
  const std::size_t first = before ? 1 : side.end() + 1;
  const std::size_t last = before ? side.first : side.axis.count;
  return name + std::to_string(first) + " to " + std::to_string(last);
}

// “sat” → keys 201 to 300: 0.412 in 3 links, head 1
std::string words_of(const LinksScene& scene, const Stub& stub) {
  const std::string token = quoted(scene, stub.side, stub.token);
  const std::string ends = stub.side == Side::Query
                               ? token + " → " + beyond(scene.keys, stub.before)
                               : beyond(scene.queries, stub.before) + " → " + token;
  return ends + ": " + short_text(stub.weight) + " in " + counted(stub.links, "link", "links") +
         of_head(scene, stub.head);
}

// --- Lines

LineItem line_of(const LinksScene& scene, const Link& link) {
  const HeadAddress& at = scene.options.at;
  const MatrixId matrix{Stage::Weights, at.moved_to(at.layer, at.sample, link.head)};
  LineItem line{.from = end_of(scene, scene.queries, link.query, link.head),
                .to = end_of(scene, scene.keys, link.key, link.head),
                .color = with_alpha(scene.color(link.head), opacity(link.weight)),
                .width = line_width(scene),
                .hit = CellHit{matrix, link.query, link.key}};
  if (scene.options.line_words) line.words = words_of(scene, link);
  return line;
}

// A short line towards a token just out of view.
LineItem stub_of(const LinksScene& scene, const Stub& stub) {
  constexpr double kLength = 2.2;  // font sizes
  const LinkSide& others = scene.side(stub.side == Side::Query ? Side::Key : Side::Query);
  const double beyond = stub.before ? static_cast<double>(others.first) - 2.0
                                    : static_cast<double>(others.end()) + 1.0;
  const Point from = end_of(scene, scene.side(stub.side), stub.token, stub.head);
  const Point to = scene.layout.end(others, beyond);
  const double part = kLength * scene.font() / std::hypot(to.x - from.x, to.y - from.y);
  LineItem line{.from = from,
                .to = {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)},
                .color = with_alpha(scene.color(stub.head), opacity(stub.weight)),
                .width = line_width(scene),
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
  for (const Stub& stub : scene.chosen.stubs) {
    figure.add(stub_of(scene, stub));
  }
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
  const bool is_clicked = scene.options.on_screen;
  std::vector<Chip> chips;
  if (is_clicked) {
    chips.push_back({"all", all ? std::string() : std::string(kAllHeads), all, scene.theme.muted});
  }
  for (std::size_t head = 0; head < count; ++head) {
    const bool is_drawn = std::ranges::binary_search(scene.heads, head);
    if (!is_clicked && !is_drawn) continue;
    chips.push_back({std::to_string(head + 1), with_head_toggled(scene.options.heads, head, count),
                     is_drawn, scene.color(head)});
  }
  return chips;
}

void add_chip(Figure& figure, const Chip& chip, const Rect& rect, const LinksScene& scene) {
  RectItem shape{.rect = rect,
                 .fill = chip.on ? chip.color : scene.theme.background,
                 .stroke = chip.color,
                 .stroke_width = 1.0,
                 .radius = rect.height / 2.0};
  if (scene.options.on_screen) shape.hit = OptionHit{"heads", chip.heads, chip.label};
  figure.add(shape);
  const Color ink = chip.on ? readable_on(chip.color) : scene.theme.muted;
  figure.add(
      text_in(rect, chip.label, {secondary_size(scene.font()), chip.on, false}, ink, shape.hit));
}

Figure link_chips(const LinksScene& scene, double width) {
  const double height = 1.5 * scene.font(), gap = 0.4 * scene.font();
  const FontStyle font{secondary_size(scene.font()), true, false};
  Figure figure;
  figure.width = width;
  const std::string word = "Heads";
  figure.add(text_item({0.0, height / 2.0}, word, {font.size, false, false}, scene.theme.muted,
                       HAlign::Left, VAlign::Middle));
  double x = scene.metrics.measure(word, font).width + 2.0 * gap, y = 0.0;
  const double indent = x;
  for (const Chip& chip : chips_of(scene)) {
    const double room =
        std::max(scene.metrics.measure(chip.label, font).width + 1.2 * scene.font(), height);
    if (x + room > width && x > indent) {
      x = indent;
      y += height + gap;
    }
    add_chip(figure, chip, {x, y, room, height}, scene);
    x += room + gap;
  }
  figure.height = y + height;
  return figure;
}

// --- Tokens

// Whether a drawn link ends at each token; labels of the others are muted.
std::vector<bool> linked_tokens(const LinksScene& scene, const LinkSide& side) {
  std::vector<bool> linked(side.axis.count, false);
  const bool query = side.axis.side == Side::Query;
  for (const Link& link : scene.chosen.links) linked[query ? link.query : link.key] = true;
  for (const Stub& stub : scene.chosen.stubs) {
    if (stub.side == side.axis.side) linked[stub.token] = true;
  }
  return linked;
}

TextItem label_of(const LinksScene& scene, const LinkSide& side, std::size_t index, Color color) {
  const LinksLayout& l = scene.layout;
  const Point end = l.end(side, static_cast<double>(index));
  const bool query = side.axis.side == Side::Query;
  const std::size_t s = query ? 0 : 1;
  const double gap = 0.5 * l.font.size;
  const bool bold =
      scene.focus && scene.focus->side == side.axis.side && scene.focus->index == index;
  const double room =
      l.rows && !l.upright ? l.pitch[s] * static_cast<double>(l.stride[s]) : l.labels[s];
  const FontStyle font{l.font.size, bold, false};
  TextItem text = text_item(end, axis_label(scene, side.axis, index, font, room), font, color,
                            query ? HAlign::Right : HAlign::Left, VAlign::Middle,
                            TokenHit{side.axis.side, scene.options.at.sample, index});
  if (!l.rows) {
    text.anchor.x += query ? -gap : gap;
    return text;
  }
  text.anchor.y += query ? -gap : gap;
  if (l.upright) {
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
  const std::size_t stride = scene.layout.stride[of == Side::Query ? 0 : 1];
  for (std::size_t i = side.first; i < side.end(); ++i) {
    figure.add(RectItem{.rect = scene.layout.label(side, i),
                        .hit = TokenHit{of, scene.options.at.sample, i}});
    if (i % stride != 0) continue;
    figure.add(label_of(scene, side, i, linked[i] ? scene.theme.ink : scene.theme.muted));
  }
}

// Left end of a text at one end of a side. Texts wider than the labels extend into the field, never
// out of the figure.
double x_of_words(const LinksScene& scene, Side side, double width) {
  const LinksLayout& l = scene.layout;
  if (side == Side::Query) return std::max(l.field.x - width, 0.0);
  return std::min(l.field.x + l.field.width, l.width - width);
}

// Texts about tokens beyond the ends of a column, above and below it.
void add_beyond_column(Figure& figure, const LinksScene& scene, Side side) {
  const LinksLayout& l = scene.layout;
  const FontStyle font{secondary_size(scene.font()), false, false};
  for (const bool before : {true, false}) {
    const std::string words = fitted(scene.metrics, beyond_words(scene, side, before), font,
                                     l.width / 2.0 - scene.font() / 2.0);
    const double y =
        before ? l.field.y - l.before / 2.0 : l.field.y + l.field.height + l.after / 2.0;
    const double x = x_of_words(scene, side, scene.metrics.measure(words, font).width);
    if (words.empty()) continue;
    figure.add(text_item({x, y}, words, font, scene.theme.muted, HAlign::Left, VAlign::Middle));
  }
}

// Texts about tokens beyond the ends of a row, at the end of the line of its title.
void add_beyond_row(Figure& figure, const LinksScene& scene, Side side, double y, double room) {
  const FontStyle font{secondary_size(scene.font()), false, false};
  const std::string before = beyond_words(scene, side, true);
  const std::string after = beyond_words(scene, side, false);
  const std::string words = before + (before.empty() || after.empty() ? "" : "   ") + after;
  if (words.empty()) return;
  figure.add(text_item({scene.layout.width, y}, fitted(scene.metrics, words, font, room), font,
                       scene.theme.muted, HAlign::Right));
}

void add_side_title(Figure& figure, const LinksScene& scene, Side side) {
  const LinksLayout& l = scene.layout;
  const bool query = side == Side::Query;
  const std::string words(query ? kQueryAxisTitle : kKeyAxisTitle);
  const bool below = l.rows && !query;
  const FontStyle font{scene.font(), false, false};
  const double width = scene.metrics.measure(words, font).width;
  const double y = below ? l.height - 0.3 * scene.font() : 0.95 * scene.font();
  figure.add(text_item({l.rows ? 0.0 : x_of_words(scene, side, width), y}, words, font,
                       query ? scene.theme.query : scene.theme.key));
  if (l.rows) {
    add_beyond_row(figure, scene, side, y, l.width - width - scene.font());
  } else {
    add_beyond_column(figure, scene, side);
  }
}

// --- The plot

Figure links_figure(LinksScene& scene, double width, double height) {
  scene.layout = lay_out_links(scene, scene.queries, scene.keys, width, height);
  Figure figure;
  figure.width = scene.layout.width;
  figure.height = scene.layout.height;
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
  return {{"", count, true, side, scene.options.at}, in_view.first, in_view.count};
}

}  // namespace

Result<Figure> links_plot(const Drawing& drawing) {
  if (const Status possible = check_links(drawing); !possible) return possible.error();
  Result<LinkSet> chosen = chosen_links(drawing);
  if (!chosen) return chosen.error();
  const std::size_t heads = drawing.result.shape().heads;
  const LinkView view = links_view(drawing);
  LinksScene scene{{drawing}};
  scene.heads = heads_of_links(drawing);
  scene.focus = focus_of_links(drawing);
  scene.queries = side_of(scene, Side::Query, view.queries);
  scene.keys = side_of(scene, Side::Key, view.keys);
  scene.chosen = *std::move(chosen);
  Page page(drawing);
  page.add_words(links_heading(scene), 2);
  const bool several = drawing.options.on_screen ? heads > 1 : scene.heads.size() > 1;
  if (several) page.add_part(link_chips(scene, page.width()));
  const std::array<std::string, 3> words = {links_rule(scene), links_limits(scene),
                                            links_focus(scene)};
  page.add_part(links_figure(scene, page.width(), page.room(words)));
  for (const std::string& line : words) {
    if (!line.empty()) page.add_words(line, 2);
  }
  return page.finished(links_heading(scene) + ": links from " +
                       counted(scene.queries.axis.count, "query", "queries") + " to " +
                       counted(scene.keys.axis.count, "key", "keys"));
}

}  // namespace attn
