// Draws the heads' chips, the tokens of both sides and the links between them.
#include "plot/charts/links.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/number_text.h"
#include "figure/head_colors.h"
#include "plot/charts/link_choice.h"
#include "plot/charts/links_layout.h"
#include "plot/maps/heatmap.h"
#include "plot/parts/items.h"
#include "plot/parts/marks.h"
#include "plot/parts/page.h"
#include "plot/parts/tokens.h"
#include "view/head_list.h"
#include "view/token_choice.h"

namespace attn {
namespace {

struct Scene {
  const PlotInput& input;
  const PlotOptions& options;
  const TextMetrics& metrics;
  const FigureTheme& theme;
  std::vector<std::size_t> heads;  // that are shown
  std::optional<TokenHit> focus;   // whose links alone are drawn
  LinkSide queries{}, keys{};
  LinkSet chosen{};
  LinksLayout layout{};

  const AttentionShape& shape() const { return input.result.shape(); }
  double font() const { return options.font_size; }
  Color color(std::size_t head) const { return head_color(head, shape().heads, options.theme); }
};

// --- Chips of heads

// A chip: its place, what it says, and what a click on it chooses.
struct Chip {
  std::string label;
  std::string heads;  // the option's text after a click
  bool on = false;
  Color color;
};

std::vector<Chip> chips_of(const Scene& scene) {
  const std::size_t count = scene.shape().heads;
  const bool all = scene.heads.size() == count;
  std::vector<Chip> chips;
  const std::string one = std::to_string(scene.options.at.head);
  chips.push_back({"all", all ? std::string() : std::string(kAllHeads), all, scene.theme.muted});
  for (std::size_t head = 0; head < count; ++head) {
    chips.push_back({std::to_string(head + 1), with_head_toggled(scene.options.heads, head, count),
                     std::ranges::binary_search(scene.heads, head), scene.color(head)});
  }
  return chips;
}

void add_chip(Figure& figure, const Chip& chip, const Rect& rect, const Scene& scene) {
  RectItem shape;
  shape.rect = rect;
  shape.radius = rect.height / 2.0;
  shape.fill = chip.on ? chip.color : scene.theme.background;
  shape.stroke = chip.color;
  shape.stroke_width = 1.0;
  shape.hit = OptionHit{"heads", chip.heads, chip.label};
  figure.items.push_back(shape);
  const Color ink = chip.on ? readable_on(chip.color) : scene.theme.muted;
  TextItem text =
      text_item({rect.x + rect.width / 2.0, rect.y + rect.height / 2.0}, chip.label,
                {0.85 * scene.font(), chip.on, false}, ink, HAlign::Center, VAlign::Middle);
  text.hit = shape.hit;
  figure.items.push_back(std::move(text));
}

// In lines from left to right, behind the word "Heads".
Figure chips_figure(const Scene& scene, double width) {
  const double height = 1.5 * scene.font(), gap = 0.4 * scene.font();
  const FontStyle font{0.85 * scene.font(), true, false};
  Figure figure;
  figure.width = width;
  const std::string word = "Heads";
  figure.items.push_back(text_item({0.0, height / 2.0}, word, {font.size, false, false},
                                   scene.theme.muted, HAlign::Left, VAlign::Middle));
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

const LinkSide& side_of(const Scene& scene, Side side) {
  return side == Side::Query ? scene.queries : scene.keys;
}

bool is_focus(const Scene& scene, const LinkSide& side, std::size_t index) {
  const auto& focus = scene.focus;
  return focus && focus->side == side.axis.side && focus->index == index;
}

bool is_wanted(const Scene& scene, const Link& link) {
  const auto& focus = scene.focus;
  if (!focus) return true;
  return (focus->side == Side::Query ? link.query : link.key) == focus->index;
}

// Whether some link drawn ends at the token; the others are muted.
std::vector<bool> linked_tokens(const Scene& scene, const LinkSide& side) {
  std::vector<bool> linked(side.axis.count, false);
  const bool query = side.axis.side == Side::Query;
  for (const Link& link : scene.chosen.links) {
    if (is_wanted(scene, link)) linked[query ? link.query : link.key] = true;
  }
  return linked;
}

TextItem label_of(const Scene& scene, const LinkSide& side, std::size_t index, Color color) {
  const LinksLayout& l = scene.layout;
  const Point end = l.end(side, static_cast<double>(index));
  const bool query = side.axis.side == Side::Query;
  const std::size_t s = query ? 0 : 1;
  const double gap = 0.5 * l.font.size;
  const bool bold = is_focus(scene, side, index);
  const double room =
      l.rows && !l.upright ? l.pitch[s] * static_cast<double>(l.stride[s]) : l.labels[s];
  const FontStyle font{l.font.size, bold, false};
  TextItem text = text_item(
      end,
      fitted(scene.metrics, axis_label(scene.input.document, side.axis, index), font, room + 1e-6),
      font, color, query ? HAlign::Right : HAlign::Left, VAlign::Middle);
  text.hit = TokenHit{side.axis.side, scene.options.at.sample, index};
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

void add_tokens(Figure& figure, const Scene& scene, Side of) {
  const LinkSide& side = side_of(scene, of);
  const std::vector<bool> linked = linked_tokens(scene, side);
  const std::size_t stride = scene.layout.stride[of == Side::Query ? 0 : 1];
  for (std::size_t i = side.first; i < side.end(); ++i) {
    RectItem area;
    area.rect = scene.layout.label(side, i);
    area.hit = TokenHit{of, scene.options.at.sample, i};
    figure.items.push_back(area);
    if (i % stride != 0) continue;
    figure.items.push_back(
        label_of(scene, side, i, linked[i] ? scene.theme.ink : scene.theme.muted));
  }
}

void add_side_title(Figure& figure, const Scene& scene, Side side) {
  const LinksLayout& l = scene.layout;
  const bool query = side == Side::Query;
  const std::string words(query ? kQueryAxisTitle : kKeyAxisTitle);
  const double line = 0.95 * scene.font();
  const bool below = l.rows && !query;
  const Point at{l.rows ? 0.0 : (query ? l.field.x : l.field.x + l.field.width),
                 below ? l.height - 0.3 * scene.font() : line};
  const HAlign align = l.rows || !query ? HAlign::Left : HAlign::Right;
  // Where labels are narrower than the words, they reach into the field.
  TextItem text = text_item(at, words, {scene.font(), false, false},
                            query ? scene.theme.query : scene.theme.key, align);
  const double width = scene.metrics.measure(words, text.font).width;
  if (!l.rows) {
    text.halign = HAlign::Left;
    text.anchor.x = query ? std::max(at.x - width, 0.0) : std::min(at.x, l.width - width);
  }
  figure.items.push_back(std::move(text));
}

// --- Links

bool in_view(const LinkSide& side, std::size_t index) {
  return index >= side.first && index < side.end();
}

std::uint8_t opacity(double weight) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(weight, 0.0, 1.0)));
}

double least_pitch(const Scene& scene) {
  return std::min(scene.layout.pitch[0], scene.layout.pitch[1]);
}

double line_width(const Scene& scene) {
  const double room =
      0.7 * least_pitch(scene) / static_cast<double>(std::max<std::size_t>(scene.heads.size(), 1));
  return std::clamp(std::min(0.16 * least_pitch(scene), room), 0.6, 2.0);
}

// Where a link of the head ends at a token: beside those of the other heads, so that equal links
// of several heads do not cover each other.
Point end_of(const Scene& scene, const LinkSide& side, std::size_t token, std::size_t head) {
  const auto rank =
      static_cast<double>(std::ranges::lower_bound(scene.heads, head) - scene.heads.begin());
  const auto heads = static_cast<double>(scene.heads.size());
  const double step = std::min(line_width(scene), 0.7 * least_pitch(scene) / heads);
  const double shift = step * (rank - (heads - 1.0) / 2.0);
  const double pitch = scene.layout.pitch[side.axis.side == Side::Query ? 0 : 1];
  return scene.layout.end(side, static_cast<double>(token) + shift / pitch);
}

CellHit cell_of(const Scene& scene, const Link& link) {
  const HeadAddress& at = scene.options.at;
  const AttentionPart part = scene.input.result.problem().part;
  return {MatrixId{Stage::Weights, {at.layer, at.sample, link.head}, part}, link.query, link.key};
}

LineItem line_of(const Scene& scene, const Link& link) {
  LineItem line;
  line.from = end_of(scene, scene.queries, link.query, link.head);
  line.to = end_of(scene, scene.keys, link.key, link.head);
  line.color = with_alpha(scene.color(link.head), opacity(link.weight));
  line.width = line_width(scene);
  line.hit = cell_of(scene, link);
  return line;
}

// What a query gives keys beyond one end of the view, by head.
struct StubKey {
  std::size_t query, head;
  bool before;
  friend auto operator<=>(const StubKey&, const StubKey&) = default;
};

// Towards a token just out of view, a short way.
LineItem stub_of(const Scene& scene, const StubKey& stub, double weight) {
  constexpr double kPart = 0.14;
  const double beyond = stub.before ? static_cast<double>(scene.keys.first) - 2.0
                                    : static_cast<double>(scene.keys.end()) + 1.0;
  const Point from = end_of(scene, scene.queries, stub.query, stub.head);
  const Point to = scene.layout.end(scene.keys, beyond);
  LineItem line;
  line.from = from;
  line.to = {from.x + kPart * (to.x - from.x), from.y + kPart * (to.y - from.y)};
  line.color = with_alpha(scene.color(stub.head), opacity(weight));
  line.width = line_width(scene);
  line.dash = {2.0, 2.0};
  return line;
}

void add_links(Figure& figure, const Scene& scene) {
  std::map<StubKey, double> stubs;
  std::vector<LineItem> marked;
  for (const Link& link : scene.chosen.links) {
    if (!is_wanted(scene, link)) continue;
    if (!in_view(scene.keys, link.key)) {
      stubs[{link.query, link.head, link.key < scene.keys.first}] += link.weight;
      continue;
    }
    LineItem line = line_of(scene, link);
    if (std::ranges::any_of(scene.options.pins,
                            [&](const CellHit& pin) { return is_link_of(line, pin); })) {
      marked.push_back(line);
    }
    figure.items.push_back(std::move(line));
  }
  for (const auto& [stub, weight] : stubs) figure.items.push_back(stub_of(scene, stub, weight));
  for (const LineItem& line : marked) add_marked(figure, line, scene.theme);
}

Figure links_figure(Scene& scene, double width, double height) {
  scene.layout = lay_out_links(scene.input, scene.options, scene.queries, scene.keys, width, height,
                               scene.metrics);
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

// --- Words

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string heads_words(const Scene& scene) {
  const std::size_t all = scene.shape().heads, shown = scene.heads.size();
  if (all == 1) return "";
  if (shown == 1) {
    return ", head " + std::to_string(scene.heads[0] + 1) + " of " + std::to_string(all);
  }
  if (shown == all) return ", all " + std::to_string(all) + " heads";
  return ", " + std::to_string(shown) + " of " + std::to_string(all) + " heads";
}

std::string matrix_words(const Scene& scene) {
  const AttentionShape& shape = scene.shape();
  std::string words = "Attention weights";
  const std::string which = which_attention(scene.input.result.problem());
  if (!which.empty()) words += ", " + which;
  if (shape.layers > 1) {
    words += ", layer " + std::to_string(scene.options.at.layer + 1) + " of " +
             std::to_string(shape.layers);
  }
  if (shape.samples > 1) {
    words += ", sample " + std::to_string(scene.options.at.sample + 1) + " of " +
             std::to_string(shape.samples);
  }
  return words + heads_words(scene);
}

std::string rule_words(const Scene& scene) {
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

std::string range_words(const char* name, const LinkSide& side) {
  return std::string(name) + " " + std::to_string(side.first + 1) + " to " +
         std::to_string(side.end()) + " of " + std::to_string(side.axis.count);
}

// "" where all tokens are in view and all weights are numbers.
std::string limits_words(const Scene& scene) {
  std::string words;
  const bool all_queries = scene.queries.count == scene.queries.axis.count;
  const bool all_keys = scene.keys.count == scene.keys.axis.count;
  if (!all_queries || !all_keys) {
    words = range_words("Queries", scene.queries) + ", " + range_words("keys", scene.keys) +
            " are in view";
    words += all_keys ? "." : "; links to other keys end in dashed stubs.";
  }
  if (scene.chosen.not_numbers == 0) return words;
  return words + (words.empty() ? "" : " ") +
         counted(scene.chosen.not_numbers, "weight is", "weights are") +
         " not a number and not drawn.";
}

std::string focus_words(const Scene& scene) {
  if (!scene.focus) return "";
  const TokenHit& token = *scene.focus;
  const bool query = token.side == Side::Query;
  return "Only the links " + std::string(query ? "from " : "to ") +
         quoted_token(scene.input.document, token.side, scene.options.at.sample, token.index) +
         " (" + (query ? "query " : "key ") + std::to_string(token.index + 1) + ").";
}

std::string alt_text(const Scene& scene) {
  return matrix_words(scene) + ": links from " +
         counted(scene.queries.axis.count, "query", "queries") + " to " +
         counted(scene.keys.axis.count, "key", "keys");
}

// The token pointed at, or else the one that the option names and that is there.
std::optional<TokenHit> focus_of(const PlotInput& input, const PlotOptions& options) {
  if (options.focus) return options.focus;
  const std::optional<TokenChoice> token = token_chosen(options.token);
  const StageShape shape = input.result.stage_shape(Stage::Weights);
  if (!token || token->index >= (token->of_keys ? shape.cols : shape.rows)) return std::nullopt;
  return TokenHit{token->of_keys ? Side::Key : Side::Query, options.at.sample, token->index};
}

MatrixAxis tokens_axis(const Scene& scene, Side side) {
  const StageShape shape = scene.input.result.stage_shape(Stage::Weights);
  const std::size_t count = side == Side::Query ? shape.rows : shape.cols;
  return {"", count, true, side, scene.options.at.sample};
}

void choose(Scene& scene) {
  const CellWindow& window = scene.options.window;
  scene.queries = side_in_view(tokens_axis(scene, Side::Query), window.row, window.rows);
  scene.keys = side_in_view(tokens_axis(scene, Side::Key), window.col, window.cols);
  scene.chosen = choose_links(scene.input.result, scene.options.at, scene.heads,
                              {scene.queries.first, scene.queries.count},
                              {scene.options.row_share, scene.options.least});
}

}  // namespace

Result<Figure> links_plot(const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics) {
  if (!input.result.has(Stage::Weights)) return refused_plot("there are no weights to join");
  const std::size_t heads = input.result.shape().heads;
  Scene scene{input,
              options,
              metrics,
              figure_theme(options.theme),
              heads_named(options.heads, heads).value_or(std::vector<std::size_t>{0}),
              focus_of(input, options)};
  choose(scene);
  Page page(input, options, metrics);
  page.add_words(matrix_words(scene), 2);
  if (heads > 1) page.add_part(chips_figure(scene, page.width()));
  const std::array<std::string, 3> words = {rule_words(scene), limits_words(scene),
                                            focus_words(scene)};
  page.add_part(links_figure(scene, page.width(), page.room(words)));
  for (const std::string& line : words) {
    if (!line.empty()) page.add_words(line, 2);
  }
  return page.finished(alt_text(scene));
}

}  // namespace attn
