// Puts the links plot together: the heads' chips, the tokens of both sides, the links between them.
#include "plot/charts/links.h"

#include <algorithm>
#include <array>
#include <utility>

#include "figure/lettering.h"
#include "figure/middle_cut.h"
#include "plot/charts/link_needs.h"
#include "plot/charts/links_chips.h"
#include "plot/charts/links_lines.h"
#include "plot/charts/links_words.h"
#include "plot/parts/items.h"
#include "plot/parts/page.h"

namespace attn {
namespace {

// --- Tokens

bool is_focus(const LinksScene& scene, const LinkSide& side, std::size_t index) {
  const auto& focus = scene.focus;
  return focus && focus->side == side.axis.side && focus->index == index;
}

// Whether some link drawn ends at the token; the others are muted.
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
  const bool bold = is_focus(scene, side, index);
  const double room =
      l.rows && !l.upright ? l.pitch[s] * static_cast<double>(l.stride[s]) : l.labels[s];
  const FontStyle font{l.font.size, bold, false};
  TextItem text =
      text_item(end,
                cut_in_middle(scene.metrics, axis_label(scene.input.document, side.axis, index),
                              font, room + 1e-6),
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

void add_tokens(Figure& figure, const LinksScene& scene, Side of) {
  const LinkSide& side = scene.side(of);
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

// Where words at one end of a side begin that may be wider than its labels: then they reach into
// the field, and never out of the figure.
double x_of_words(const LinksScene& scene, Side side, double width) {
  const LinksLayout& l = scene.layout;
  if (side == Side::Query) return std::max(l.field.x - width, 0.0);
  return std::min(l.field.x + l.field.width, l.width - width);
}

// What lies beyond the ends of a column, above and below it.
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
    figure.items.push_back(
        text_item({x, y}, words, font, scene.theme.muted, HAlign::Left, VAlign::Middle));
  }
}

// What lies beyond the ends of a row, at the end of the line of its title.
void add_beyond_row(Figure& figure, const LinksScene& scene, Side side, double y, double room) {
  const FontStyle font{secondary_size(scene.font()), false, false};
  const std::string before = beyond_words(scene, side, true);
  const std::string after = beyond_words(scene, side, false);
  const std::string words = before + (before.empty() || after.empty() ? "" : "   ") + after;
  if (words.empty()) return;
  figure.items.push_back(text_item({scene.layout.width, y},
                                   fitted(scene.metrics, words, font, room), font,
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
  figure.items.push_back(text_item({l.rows ? 0.0 : x_of_words(scene, side, width), y}, words, font,
                                   query ? scene.theme.query : scene.theme.key));
  if (l.rows) {
    add_beyond_row(figure, scene, side, y, l.width - width - scene.font());
  } else {
    add_beyond_column(figure, scene, side);
  }
}

// --- The plot

Figure links_figure(LinksScene& scene, double width, double height) {
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

LinkSide side_of(const LinksScene& scene, Side side, const TokenSpan& in_view) {
  const StageShape shape = scene.input.result.stage_shape(Stage::Weights);
  const std::size_t count = side == Side::Query ? shape.rows : shape.cols;
  return {{"", count, true, side, scene.options.at.sample}, in_view.first, in_view.count};
}

}  // namespace

Result<Figure> links_plot(const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics) {
  if (const Status possible = check_links(input, options); !possible) return possible.error();
  Result<LinkSet> chosen = chosen_links(input, options);
  if (!chosen) return chosen.error();
  const std::size_t heads = input.result.shape().heads;
  const LinkView view = links_view(input, options);
  LinksScene scene{drawing_of(input, options, metrics)};
  scene.heads = heads_of_links(input, options);
  scene.focus = focus_of_links(input, options);
  scene.queries = side_of(scene, Side::Query, view.queries);
  scene.keys = side_of(scene, Side::Key, view.keys);
  scene.chosen = *std::move(chosen);
  Page page(input, options, metrics);
  page.add_words(links_heading(scene), 2);
  if (heads > 1) page.add_part(link_chips(scene, page.width()));
  const std::array<std::string, 3> words = {links_rule(scene), links_limits(scene),
                                            links_focus(scene)};
  page.add_part(links_figure(scene, page.width(), page.room(words)));
  for (const std::string& line : words) {
    if (!line.empty()) page.add_words(line, 2);
  }
  return page.finished(links_alt_text(scene));
}

}  // namespace attn
