// The plot of all heads: thumbnails, names, captions, page.
#include "plot/maps/heads.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/number_text.h"
#include "engine/matrix/pool.h"
#include "figure/text.h"
#include "plot/kit/axis.h"
#include "plot/kit/legend.h"
#include "plot/kit/names.h"
#include "plot/maps/maps.h"
#include "view/fields.h"

namespace attn {
namespace {

// --- around each head ------------------------------------------------------------------------

// Caption in the usual size, smaller when it or `widest` does not fit, cut when it would be too
// small.
void add_caption(Figure& figure, const HeadsScene& scene, const Rect& line, const std::string& text,
                 Color color, std::string_view widest = {}) {
  FontStyle font{secondary_size(scene.font())};
  const double width = scene.metrics.measure(widest.empty() ? text : widest, font).width;
  const double smallest = kSmallestNumber / scene.options.page_scale / font.size;
  font.size *= std::clamp(0.98 * line.width / std::max(width, 1e-9), std::min(smallest, 1.0), 1.0);
  figure.add(text_in(line, fitted(scene.metrics, text, font, line.width + 1e-6), font, color));
}

// Adds a rectangle in the tint of the head's measure, `most` for the full tint.
void add_tint(Figure& figure, const HeadsScene& scene, const Rect& rect, const HeadCard& card,
              double full, double most) {
  constexpr double kLeast = 14.0;
  const std::optional<double> value = value_of(card, *scene.tint);
  RectItem chip{.rect = rect, .fill = scene.theme.panel};
  if (value) {
    const double part = std::clamp(*value / full, 0.0, 1.0);
    chip.fill = with_alpha(scene.theme.query,
                           static_cast<std::uint8_t>(std::lround(kLeast + part * (most - kLeast))));
  }
  figure.add(chip);
}

// True if the head has other weights than its own, or does not read all heads before it.
bool is_given(const Interventions& what_if, const HeadAddress& at) {
  const auto ends_here = [&](const CutEdge& edge) {
    return edge.at.layer == at.layer && edge.at.head == at.head;
  };
  return pattern_of(what_if, at) != nullptr || std::ranges::any_of(what_if.edges, ends_here);
}

// Adds the slider of a head's gate below its thumbnail: filled from 0 to the factor, with a knob
// and a mark at 1 where it is another one.
void add_gate(Figure& figure, const HeadsScene& scene, const Rect& head, const HeadAddress& at) {
  constexpr double kHigh = 0.3, kFrom = 0.1;  // font sizes
  const float factor = gate_of(scene.result.problem().what_if, at);
  const double share = static_cast<double>(factor / kLargestGate), font = scene.font();
  const Rect track{head.x, head.bottom() + kFrom * font, head.width, kHigh * font};
  const bool is_moved = factor != 1.0F;
  const double round = 0.5 * track.height;
  const bool is_outlined = is_given(scene.result.problem().what_if, at);
  figure.add(RectItem{.rect = track,
                      .fill = scene.theme.panel,
                      .stroke = is_outlined ? scene.theme.accent : Color{},
                      .stroke_width = is_outlined ? 0.12 * font : 0.0,
                      .radius = round});
  Rect filled = track;
  filled.width *= share;
  const Color fill = is_moved ? scene.theme.accent : with_alpha(scene.theme.muted, 110);
  if (factor > 0.0F) figure.add(RectItem{.rect = filled, .fill = fill, .radius = round});
  if (is_moved) {
    const double knob = 0.25 * font;
    figure.add(RectItem{.rect = {track.middle().x - 0.5, track.y, 1.0, track.height},
                        .fill = scene.theme.muted});
    figure.add(RectItem{.rect = {track.x + share * (track.width - knob), track.y - 0.08 * font,
                                 knob, track.height + 0.16 * font},
                        .fill = scene.theme.ink,
                        .radius = 0.1 * font});
  }
  RectItem reach{.rect = track.grown(kFrom * font)};
  reach.hit = GateHit{at, layer_number(scene.result.shape(), at.layer), factor, track};
  figure.add(reach);
}

// Adds a bar close to the right of a head for the change of its weights from the reference; a
// colour bar stands farther away.
void add_change(Figure& figure, const HeadsScene& scene, const Rect& head, const HeadAddress& at,
                double change, double full) {
  if (change <= 0.0 || full <= 0.0) return;
  const double gap = static_cast<double>(scene.layout.tile_cols - scene.layout.texel_cols) *
                     scene.layout.texel_width;
  const double width = std::clamp(0.6 * gap, 1.5, 0.5 * scene.font());
  const double height = std::max(head.height * change / full, 1.0);
  const double left = head.right() + std::min(0.5 * (gap - width), 0.25 * scene.font());
  figure.add(
      RectItem{.rect = {left, head.bottom() - height, width, height}, .fill = scene.theme.ink});
  const std::string words = hit_words(HeadHit{at, layer_number(scene.result.shape(), at.layer)});
  RectItem reach{.rect = {head.right(), head.y, left + width - head.right(), head.height}};
  reach.hit = ReadingHit{"weights of " + words, "vary by " + short_text(change) + " from " +
                                                    scene.options.reference->label};
  figure.add(reach);
}

// Adds the tint of a head in the gap below its thumbnail, where no number fits.
void add_tinted_strip(Figure& figure, const HeadsScene& scene, const Rect& head,
                      const HeadCard& card, double full) {
  constexpr double kOfGap = 0.85, kOfFont = 0.25, kMost = 255.0;
  const HeadsLayout& l = scene.layout;
  const double gap = static_cast<double>(l.tile_rows - l.texel_rows) * l.texel_height - l.gate;
  const double height = std::min(kOfGap * gap, kOfFont * scene.font());
  add_tint(figure, scene, {head.x, head.bottom() + l.gate, head.width, height}, card, full, kMost);
}

void add_tinted_number(Figure& figure, const HeadsScene& scene, const Rect& line,
                       const HeadCard& card, double full) {
  constexpr double kMost = 150.0;
  const std::optional<double> value = value_of(card, *scene.tint);
  add_tint(figure, scene, line, card, full, kMost);
  add_caption(figure, scene, line, value ? fixed_text(*value, scene.options.decimals) : "–",
              value ? scene.theme.ink : scene.theme.muted);
}

// “previous token, 1 more”; on paper, where others cannot be looked up, the first alone.
std::string label_words(const HeadsScene& scene, const HeadCard& card) {
  if (!card.measures) return "";
  const std::vector<const HeadLabelInfo*> labels = labels_of(*card.measures);
  if (labels.empty()) return "";
  std::string text(labels.front()->label);
  if (labels.size() > 1 && scene.options.on_screen)
    text += ", " + std::to_string(labels.size() - 1) + " more";
  return text;
}

// Name under a thumbnail: "Head 2" of one layer or "L1 H2"; "1.2" in all where one does not fit.
std::string short_name(const HeadsScene& scene, const HeadAddress& at, double width) {
  const AttentionShape& s = scene.result.shape();
  const std::string layer = std::to_string(layer_number(s, at.layer)),
                    head = std::to_string(at.head + 1);
  const bool all_samples = scene.options.all_samples;
  const std::string sample = all_samples ? "S" + std::to_string(at.sample + 1) + " " : "";
  const bool one_layer = s.layers == 1 && !all_samples;
  std::string name = one_layer ? "Head " + head : sample + "L" + layer + " H" + head;
  const std::string widest =
      sample + "L" + std::to_string(layer_number(s, s.layers - 1)) + " H" + std::to_string(s.heads);
  const FontStyle smallest{kSmallestNumber / scene.options.page_scale};
  if (scene.metrics.measure(widest, smallest).width <= width) return name;
  return one_layer ? head : sample + layer + "." + head;
}

// The label on two lines when one is too short and two fit.
std::vector<std::string> wrapped(const HeadsScene& scene, const std::string& words, double width) {
  constexpr double kShrunk = 0.85;  // letters may shrink by this before a second line is used
  const std::size_t blank = words.find(' ');
  const double wanted = scene.metrics.measure(words, {secondary_size(scene.font())}).width;
  if (!scene.layout.wraps || blank == std::string::npos || kShrunk * wanted <= width) {
    return {words};
  }
  return {words.substr(0, blank), words.substr(blank + 1)};
}

void add_captions(Figure& figure, const HeadsScene& scene, const Rect& head, const HeadCard& card,
                  double full) {
  const double step = kCaptionLine * scene.font(), beside = 0.02 * head.width;  // into the gaps
  const double top = head.bottom() + scene.layout.gate + 0.2 * scene.font();
  Rect line{head.x - beside, top, head.width + 2.0 * beside, step};
  if (!scene.layout.by_layer) {
    add_caption(figure, scene, line, short_name(scene, card.at, line.width), scene.theme.ink);
    line.y += step;
  }
  if (scene.layout.captions == HeadCaptions::None) return;
  if (scene.tint != nullptr) {
    const Rect chip{head.x, line.y, head.width, step - 0.05 * scene.font()};
    add_tinted_number(figure, scene, chip, card, full);
    line.y += step;
  }
  const std::string words = label_words(scene, card);
  if (words.empty() || scene.layout.captions != HeadCaptions::Labels) return;
  const std::vector<std::string> parts = wrapped(scene, words, line.width);
  const std::string& widest = *std::ranges::max_element(parts, {}, [&](const std::string& part) {
    return scene.metrics.measure(part, {scene.font()}).width;
  });
  for (const std::string& part : parts) {
    add_caption(figure, scene, line, part, scene.theme.muted, widest);
    line.y += step;
  }
}

double largest_change(const HeadsScene& scene) {
  return scene.changes.empty() ? 0.0 : *std::ranges::max_element(scene.changes);
}

// Changes of the heads shown from the reference; empty unless the weights of both are at hand.
std::vector<double> changes_of(const HeadsScene& scene) {
  const ReferencePtr& reference = scene.options.reference;
  if (reference == nullptr) return {};
  std::vector<double> changes;
  for (const HeadCard& card : scene.cards) {
    const std::optional<double> change = change_of(scene.result, *reference->result, card.at);
    if (!change) return {};
    changes.push_back(*change);
  }
  return changes;
}

// Placeholder for a head whose map is not known yet.
void add_waiting_head(Figure& figure, const HeadsScene& scene, const Rect& place) {
  figure.add(RectItem{.rect = place, .fill = scene.theme.panel});
  const Rect line{place.x, place.middle().y - 0.5 * scene.font(), place.width, scene.font()};
  add_caption(figure, scene, line, "computing…", scene.theme.muted);
}

void add_heads(Figure& figure, const HeadsScene& scene) {
  const double full = scene.tint != nullptr ? full_tint(scene.cards, *scene.tint) : 1.0;
  const double most = largest_change(scene);
  for (std::size_t i = 0; i < scene.cards.size(); ++i) {
    const HeadCard& card = scene.cards[i];
    RectItem frame;
    frame.rect = scene.layout.thumbnail(i);
    if (!scene.maps.empty() && scene.maps[i] == nullptr)
      add_waiting_head(figure, scene, frame.rect);
    const bool chosen = scene.options.on_screen && card.at == scene.options.at;
    frame.stroke = chosen ? scene.theme.accent : scene.theme.muted;
    frame.stroke_width = chosen ? 2.0 : 0.5;
    frame.hit = HeadHit{card.at, layer_number(scene.result.shape(), card.at.layer)};
    if (scene.layout.caption > 0.0) add_captions(figure, scene, frame.rect, card, full);
    const bool has_strip = scene.tint != nullptr && scene.layout.captions == HeadCaptions::None;
    if (has_strip) add_tinted_strip(figure, scene, frame.rect, card, full);
    if (scene.layout.gate > 0.0) add_gate(figure, scene, frame.rect, card.at);
    if (!scene.changes.empty()) {
      add_change(figure, scene, frame.rect, card.at, scene.changes[i], most);
    }
    figure.add(frame);
  }
}

// The names of rows and columns when these are layers and heads.
void add_names(Figure& figure, const HeadsScene& scene) {
  const HeadsLayout& l = scene.layout;
  if (!l.by_layer) return;
  const FontStyle font{scene.font()};
  const double pitch = l.texel_width * static_cast<double>(l.tile_cols);
  const std::string most =
      std::to_string(scene.cards[std::min(l.columns, l.count) - 1].at.head + 1);
  const std::string widest = "Head " + most;
  const bool in_full = scene.metrics.measure(widest, font).width < pitch - 0.3 * font.size;
  const double number = scene.metrics.measure(most, font).width;
  const std::size_t stride = in_full ? 1 : label_stride(number + 0.3 * font.size, pitch);
  for (std::size_t col = 0; col < std::min(l.columns, l.count); col += stride) {
    const Rect at = l.thumbnail(col);
    figure.add(text_item({at.middle().x, l.top - 0.5 * font.size},
                         (in_full ? "Head " : "") + std::to_string(scene.cards[col].at.head + 1),
                         font, scene.theme.ink, HAlign::Center));
  }
  if (!in_full) {
    figure.add(text_item({l.left - 0.6 * scene.font(), l.top - 0.5 * font.size}, "Head", font,
                         scene.theme.muted, HAlign::Right));
  }
  const double step = static_cast<double>(l.tile_rows) * l.texel_height;
  const std::size_t rows = label_stride(kLabelPitch * font.size, step);
  for (std::size_t row = 0; row < l.rows(); row += rows) {
    const Rect at = l.thumbnail(row * l.columns);
    const HeadAddress& head = scene.cards[row * l.columns].at;
    const std::string layer = std::to_string(layer_number(scene.result.shape(), head.layer));
    std::string name = (l.brief ? "L" : "Layer ") + layer;
    if (scene.options.all_samples) name = "S" + std::to_string(head.sample + 1) + " L" + layer;
    figure.add(text_item({l.left - 0.6 * scene.font(), at.middle().y}, name, font, scene.theme.ink,
                         HAlign::Right, VAlign::Middle));
  }
}

// --- the page --------------------------------------------------------------------------------

// ", 12 layers", ", layer 5 of 12" or ", 2 of 12 layers".
std::string chosen_of(const std::vector<std::size_t>& chosen, std::size_t count, const char* one,
                      const std::string& of_one) {
  if (chosen.size() == 1 && !of_one.empty()) return of_one;
  if (chosen.size() == count) return ", " + counted(count, one);
  return ", " + std::to_string(chosen.size()) + " of " + counted(count, one);
}

std::string heading(const HeadsScene& scene, std::size_t heads) {
  const AttentionProblem& problem = scene.result.problem();
  const AttentionShape& s = problem.shape;
  std::string text = "Attention weights of " + counted(heads, "head");
  text += which_attention(problem, scene.options.at, " of the ");
  const HeadRow row = head_row(scene);
  text += chosen_of(row.layers, s.layers, "layer", numbered_layer(s, row.layers.front()));
  if (row.heads.size() < s.heads) {
    text += chosen_of(row.heads, s.heads, "head", numbered("head", row.heads.front(), s.heads));
  }
  if (scene.options.all_samples && s.samples > 1) {
    text += ", " + counted(s.samples, "sample");
  } else {
    text += numbered("sample", scene.options.at.sample, s.samples);
  }
  if (const MeasureInfo* sort = measure_named(scene.options.sort)) {
    text += ", sorted by " + words_of(*sort);
  }
  if (scene.layout.pages > 1) {
    text += ", page " + std::to_string(scene.layout.page + 1) + " of " +
            std::to_string(scene.layout.pages);
  }
  return text;
}

// " 4 of 12 heads are computed; of the others 38 of 131,072 rows are shown so far."
std::string words_so_far(const HeadsScene& scene) {
  const std::size_t heads = scene.maps.size();
  std::size_t whole = 0, rows_read = 0;
  for (const PooledPartPtr& map : scene.maps) {
    if (map == nullptr) continue;
    const bool is_whole = map->rows_read == map->range.rows;
    if (is_whole) ++whole;
    if (!is_whole) rows_read = map->rows_read;
  }
  if (whole == heads) return "";
  const std::string computed =
      " " + grouped_text(whole) + " of " + grouped_text(heads) + " heads are computed";
  if (rows_read == 0) return computed + " so far.";
  const std::string rows = rows_of_all(rows_read, scene.shape().n_q);
  if (whole == 0) return " " + rows + " of every head are shown so far.";
  return computed + "; of the others " + rows + " are shown so far.";
}

std::string measured_so_far(const HeadsScene& scene) {
  if (scene.cards.empty()) return "";
  const std::optional<HeadMeasures>& measures = scene.cards.front().measures;
  if (!measures) return " What the heads do is not known yet.";
  const std::string rows =
      rows_measured_words(rows_read(*measures), scene.shape().n_q, scene.options);
  return rows.empty() ? "" : " What the heads do: means over " + rows + ".";
}

// Sentence about ranges that the bar cannot name.
std::string color_words(const HeadsScene& scene) {
  if (scene.options.head_range != HeadRange::Head) return "";
  return " Each head goes from 0 to its largest weight, or to three equal shares where that is "
         "less, "
         "and an equal share stands a third up.";
}

// Sentences about gates and changes from the reference. A window has one that is there from the
// start, so that no map becomes smaller while a gate is dragged.
std::string gate_words(const HeadsScene& scene) {
  if (scene.options.on_screen) {
    if (scene.layout.gate == 0.0) return "";
    return " Drag the strip under a head to make its output smaller or larger; bars at the right "
           "of heads then show how much their weights change, the longest the most.";
  }
  const Interventions& what_if = scene.result.problem().what_if;
  std::string text;
  if (scene.layout.gate > 0.0) {
    text = " Strip under each head: the factor of its output, from 0 to 2";
    const bool has_patterns = !what_if.patterns.empty(), has_edges = !what_if.edges.empty();
    if (has_patterns || has_edges) text += "; outlined: a head";
    if (has_patterns) text += " with other weights than its own";
    if (has_patterns && has_edges) text += ", or";
    if (has_edges) text += " that does not read all heads before it";
    text += ".";
  }
  const ReferencePtr& reference = scene.options.reference;
  if (reference == nullptr) return text;
  if (scene.changes.empty()) return text + " No change from " + reference->label + " is shown.";
  if (largest_change(scene) == 0.0)
    return text + " No weight changes from " + reference->label + ".";
  return text + " Bar at the right of a head: mean variation of its weights from " +
         reference->label + ", at most " +
         fixed_text(largest_change(scene), scene.options.decimals) + ".";
}

// Sentence about rows that no measure counts as long as a lesson asks about them.
std::string concealed_rows_words(const HeadsScene& scene) {
  const AttentionShape shape = scene.shape();
  for (std::size_t i = 0; i < shape.layers * shape.heads; ++i) {
    const HeadAddress at =
        scene.options.at.moved_to(i / shape.heads, scene.options.at.sample, i % shape.heads);
    if (scene.result.conceals(Stage::Weights, at))
      return " What the heads do leaves out rows that the lesson asks about.";
  }
  return "";
}

std::string remarks(const HeadsScene& scene) {
  std::string text = "Rows are queries, columns keys.";
  const bool names_layers = scene.shape().layers > 1 || scene.options.all_samples;
  if (!scene.layout.by_layer && names_layers && !scene.cards.empty()) {
    const HeadAddress& at = scene.cards.front().at;
    text += " " + short_name(scene, at, scene.layout.thumbnail(0).width) + ": " +
            hit_words(HeadHit{at, layer_number(scene.result.shape(), at.layer)}) + ".";
  }
  text += color_words(scene);
  if (scene.tint != nullptr) {
    std::string sentence(scene.tint->sentence);
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
    const bool is_strip = scene.layout.captions == HeadCaptions::None;
    text += (is_strip ? " Tint of the line under each head: " : " Number under each head: ") +
            sentence + ".";
  }
  text += gate_words(scene);
  if (scene.layout.step != Coarsening()) {
    const bool is_mean = scene.options.pooling == Pooling::Mean;
    const bool is_two_sided = colormap_for(scene.options).diverging;
    text += " A point stands for " + std::to_string(scene.layout.step.rows) + " × " +
            std::to_string(scene.layout.step.cols) + " weights, their " +
            (is_mean        ? "mean."
             : is_two_sided ? "largest magnitude."
                            : "maximum.");
  }
  return text + words_so_far(scene) + measured_so_far(scene) + concealed_rows_words(scene);
}

ColorBar bar_of(const HeadsScene& scene, const ColorRange& range) {
  const bool has_own = scene.options.head_range == HeadRange::Head;
  return {.range = range,
          .title = has_own ? "Place in the head's range" : "Attention weight",
          .offers = scene.options.on_screen};
}

Figure grid_of(const HeadsScene& scene, const Thumbnails& thumbnails) {
  Figure grid;
  const Rect whole = scene.layout.whole();
  const Rect last = scene.layout.thumbnail((scene.layout.rows() - 1) * scene.layout.columns);
  grid.width = whole.right();
  grid.height = last.bottom() + scene.layout.gate + scene.layout.caption + 0.2 * scene.font();
  add_thumbnails(grid, scene, thumbnails);
  add_heads(grid, scene);
  add_names(grid, scene);
  return grid;
}

// Checks that these layers or heads exist, and that the option names at least one. Counts from
// `first` unless layers have numbers.
Status check_there(const std::string& one, const std::string& text, const AttentionShape& layers,
                   std::size_t first) {
  const std::vector<std::size_t> missing = layers_missing(text, layers);
  if (missing.empty() && !text.empty()) return ok_status();
  const bool counts = layers.layer_numbers.empty();
  Error error =
      usage_error(missing.empty() ? "No " + one + " is chosen"
                                  : "There is no " + one + " " +
                                        std::to_string(missing.front() + (counts ? first : 0)));
  error.expected =
      one + (counts ? "s from " : "s ") + layer_numbers_text(layers, first) + ", or all";
  return error;
}

// Width and height that thumbnails and their names may take, between the longest heading, bar and
// remarks.
Rect room_for_heads(const HeadsScene& scene, std::size_t heads) {
  HeadsScene longest = scene;
  longest.layout.captions = HeadCaptions::Labels;
  longest.layout.step = {2, 2};
  Page page(scene);
  page.add_heading(heading(scene, heads), 0.4);
  const ColorBar bar = bar_of(scene, weight_bar(scene).range);
  const std::string words[] = {sentence_of_bar(scene, bar), remarks(longest)};
  const double width = page.width() - width_of_bar(scene, bar);
  const double height = page.room(words, kPageHeight) - hatching_height(scene, page.width());
  return {0.0, 0.0, std::max(width, 8.0 * scene.font()), height};
}

}  // namespace

Result<Figure> heads_plot(const Drawing& drawing) {
  const PlotOptions& options = drawing.options;
  const AttentionShape shape = drawing.shape();
  const std::size_t first = options.on_screen ? 1 : 0;  // as in the fields of the window
  for (const Status& there : {check_there("layer", options.layers, shape, first),
                              check_there("head", options.heads, {.layers = shape.heads}, first)}) {
    if (!there) return there.error();
  }
  const std::vector<HeadCard> cards = head_cards(drawing);
  HeadsScene scene{{drawing}};
  scene.tint = measure_named(options.tint);
  const Rect room = room_for_heads(scene, cards.size());
  scene.layout = lay_out_heads(drawing, room.width, room.height);
  const HeadsLayout& l = scene.layout;
  if (l.page >= l.pages) {
    return usage_error("There is no page " + std::to_string(l.page + 1) + " of these heads",
                       "pages 1 to " + std::to_string(l.pages));
  }
  scene.cards = std::span(cards).subspan(l.first, l.count);
  if (has_maps_to_find(drawing)) {
    for (const HeadCard& card : scene.cards) scene.maps.push_back(head_map(drawing, card.at));
    const bool is_any =
        std::ranges::any_of(scene.maps, [](const auto& map) { return map != nullptr; });
    if (!scene.maps.empty() && !is_any) return why_no_maps(drawing);
  }
  scene.changes = changes_of(scene);
  const Thumbnails drawn = thumbnails_of(scene);
  Page page(drawing);
  page.add_heading(heading(scene, cards.size()), 0.4);
  Figure grid = grid_of(scene, drawn);
  const ColorBar bar = bar_of(scene, drawn.range);
  const Rect below = l.thumbnail((l.rows() - 1) * l.columns);
  const Rect right = l.thumbnail(std::min(l.columns, l.count) - 1);
  add_bar_beside(grid, drawing, bar,
                 {l.left, l.top, right.right() - l.left, below.bottom() - l.top});
  page.add_part(grid, HAlign::Center);
  const LegendEntry words{.text = sentence_of_bar(drawing, bar), .range = true};
  if (!bar.offers) page.add_words(words.text);
  if (bar.offers && !words.text.empty()) add_legend(page, {&words, 1}, true);
  add_hatching_key(page, grid);
  page.add_note(remarks(scene));
  return page.finished(heading(scene, cards.size()) + " as small heatmaps. Colours: " +
                       drawn.range.basis + "." + color_words(scene));
}

}  // namespace attn
