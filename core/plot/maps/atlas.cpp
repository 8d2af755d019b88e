// The atlas of a model: what follows when each head alone is taken out, or gives what it gives for
// another text.
#include "kinds/parts/atlas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/special_numbers.h"
#include "kinds/parts/logits.h"
#include "plot/colors/color_bar.h"
#include "plot/kit/axis.h"
#include "plot/kit/bar_table.h"
#include "plot/kit/cells.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/kit/token_lines.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

// Sizes in font sizes.
constexpr double kMostAtlasCell = 2.6, kLeastAtlas = 8.0, kAtlasGap = 0.6, kAtlasNumber = 3.4;
constexpr double kAtlasBars = 8.0, kLeastAtlasBars = 2.0;
constexpr std::size_t kNamedHeads = 3;  // in the sentence about the strongest ones

struct AtlasScene : Drawing {
  std::shared_ptr<const Atlas> atlas{};
  std::vector<std::size_t> order{};  // of the rows, as indices of effects

  std::size_t count() const { return atlas->effects.size(); }
  const HeadEffect& effect(std::size_t row) const { return atlas->effects[order[row]]; }
  bool predicts() const { return atlas->token.has_value(); }
  bool is_patched() const { return options.from_reference; }
  std::string name(const HeadAddress& at) const {
    return "L" + std::to_string(layer_number(shape(), at.layer)) + " H" +
           std::to_string(at.head + 1);
  }
  std::string token(std::uint32_t id) const {
    return "“" + vocabulary_label(*result.problem().vocabulary, id, options.tokens_as_written) +
           "”";
  }
  // Returns the number that bars show.
  double number(const HeadEffect& of) const { return is_patched() ? of.carried : of.divergence; }
};

bool is_known(const HeadEffect& effect) { return !effect.changes.empty(); }

// "1.2 nats, logit of “hungry” −2.1", "carries 0.42 of the difference"
std::string effect_words(const AtlasScene& scene, const HeadEffect& effect) {
  if (!is_known(effect)) return "not known yet";
  if (!std::isfinite(effect.divergence)) return "logits that are NaN or infinite";
  if (scene.is_patched()) {
    return std::isfinite(effect.carried)
               ? "carries " + with_minus(fixed_text(effect.carried, 2)) + " of the difference"
               : short_text(effect.divergence) + " nats";
  }
  return short_text(effect.divergence) + " nats, logit of " + scene.token(*scene.atlas->token) +
         (effect.logit_change > 0.0 ? " +" : " ") + with_minus(short_text(effect.logit_change));
}

// Returns the effect by which rows are ordered: that of the bars, else the mean change of weights.
double size_of(const AtlasScene& scene, const HeadEffect& effect) {
  if (scene.predicts()) {
    const double number = scene.number(effect);
    return std::isfinite(number) ? number : -std::numeric_limits<double>::infinity();
  }
  return std::accumulate(effect.changes.begin(), effect.changes.end(), 0.0);
}

std::vector<std::size_t> order_of(const AtlasScene& scene) {
  std::vector<std::size_t> order(scene.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!scene.options.by_effect) return order;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t head) {
    return size_of(scene, scene.atlas->effects[head]);
  });
  return order;
}

std::vector<Need> needs_of_atlas(const FittedView& view) {
  const AttentionProblem& problem = view.result.problem();
  AtlasRequest request{view.options.at};
  if (nothing_predicted(problem).empty()) request.row = place_of_next(view);
  std::string key = std::to_string(request.row);
  if (view.options.from_reference && view.options.reference != nullptr) {
    request.other = view.options.reference->result;
    key += " with " + view.options.reference->key;
  }
  const MatrixId weights{Stage::Weights, view.options.at.moved_to(0, view.options.at.sample, 0)};
  key = "atlas of " + text_of(weights) + "." + key;
  const auto needs_of_part = [&](const AtlasRequest& part, const Pass& pass) {
    const auto make = [part](const Sources& from, const Pass& /*pass*/) {
      return atlas_of(from.result, part, from.progress);
    };
    return needs_of<Atlas>(key, {pass}, make, bytes_of_atlas(problem));
  };
  std::uint64_t nanoseconds = 0;
  std::vector<Need> needs;
  for (std::size_t layer = problem.shape.layers; layer-- > 0;) {
    request.layer = layer;
    const std::string number = std::to_string(layer_number(problem.shape, layer));
    const Pass pass{.name = ", layer " + number,
                    .label = "The model without each head of layer " + number,
                    .nanoseconds = nanoseconds_of_atlas(problem, layer),
                    .awaited = needs.empty() || layer == view.options.pointed_layer};
    nanoseconds = saturating_sum({nanoseconds, pass.nanoseconds});
    append(needs, needs_of_part(request, pass));
  }
  if (nanoseconds > kShortTime) return needs;
  request.layer.reset();
  return needs_of_part(
      request, {.label = "The model without each of its heads", .nanoseconds = nanoseconds});
}

// Returns what is known of the atlas; heads of other layers have no changes.
Result<std::shared_ptr<const Atlas>> known_atlas(const Drawing& drawing) {
  const std::vector<Need> needs = needs_of_atlas(drawing);
  auto any = found<Atlas>(drawing, needs);
  if (!any || needs.size() == 1) return any;
  const AttentionShape shape = drawing.result.shape(drawing.options.at);
  const auto known = std::make_shared<Atlas>(**any);
  known->effects.clear();
  for (std::size_t i = 0; i < shape.layers * shape.heads; ++i) {
    const HeadAddress at = drawing.options.at.moved_to(i / shape.heads, 0, i % shape.heads);
    known->effects.push_back({at, {}, kNaN, kNaN, kNaN});
  }
  for (const Need& need : needs) {
    const auto part = drawing.derivations->get<Atlas>(need.key);
    for (std::size_t i = 0; part != nullptr && i < part->effects.size(); ++i) {
      const HeadAddress& at = part->effects[i].at;
      known->effects[at.layer * shape.heads + at.head] = part->effects[i];
    }
  }
  return std::shared_ptr<const Atlas>(known);
}

// --- the map

ColorRange range_of_atlas(const AtlasScene& scene) {
  float most = 0.0F;
  for (const HeadEffect& effect : scene.atlas->effects) {
    for (const float change : effect.changes) {
      if (std::isfinite(change)) most = std::max(most, change);
    }
  }
  return {{&colormap_for(scene.options), 0.0F, most > 0.0F ? most : 1.0F}, "0 to the largest"};
}

MatrixItem map_of(const AtlasScene& scene, const Rect& clip, const ColorScale& scale) {
  MatrixCells cells{scene.count(), scene.count(), {}, {}, {}};
  for (std::size_t row = 0; row < scene.count(); ++row) {
    std::vector<float> changes = scene.effect(row).changes;
    changes.resize(scene.count());
    cells.values.insert(cells.values.end(), changes.begin(), changes.end());
  }
  return whole_item(clip, std::make_shared<const MatrixCells>(std::move(cells)), scale,
                    scene.theme);
}

// "without L2 H1", "L2 H1 as in b.json"
std::string deed_of(const AtlasScene& scene, const HeadEffect& effect) {
  const std::string name = scene.name(effect.at);
  return scene.is_patched() ? name + " as in " + scene.options.reference->label : "without " + name;
}

// Adds the hits of a row, and covers the heads that do not read the one taken out.
void add_row(Figure& figure, const AtlasScene& scene, const Rect& row, const HeadEffect& effect) {
  const double cell = row.width / static_cast<double>(scene.count());
  const std::size_t first =
      is_known(effect) ? (effect.at.layer + 1) * scene.shape().heads : scene.count();
  const auto hit = [&](const Rect& rect, const HeadAddress& read, double change) {
    AtlasHit of{effect.at, read, is_known(effect), deed_of(scene, effect), ""};
    of.number = !is_known(effect)   ? "not known yet"
                : read == effect.at ? ""
                                    : scene.name(read) + " changes by " + short_text(change);
    figure.add(RectItem{.rect = rect, .hit = std::move(of)});
  };
  const Rect unreached{row.x, row.y, cell * static_cast<double>(first), row.height};
  figure.add(RectItem{.rect = unreached, .fill = scene.theme.panel});
  hit(unreached, effect.at, 0.0);
  for (std::size_t other = first; other < scene.count(); ++other) {
    hit({row.x + cell * static_cast<double>(other), row.y, cell, row.height},
        scene.atlas->effects[other].at, static_cast<double>(effect.changes[other]));
  }
}

// Names of heads where there is room, else of some layers, or of some heads if these are in order
// of their effects.
void add_names_of_rows(Figure& figure, const AtlasScene& scene, const Rect& clip) {
  const double row = clip.height / static_cast<double>(scene.count());
  const bool by_effect = scene.options.by_effect;
  // Names in the order of effects do not follow from their neighbours, and may be small.
  const double smallest = kSmallestNumber / scene.options.page_scale,
               usual = secondary_size(scene.font()),
               size = by_effect ? std::clamp(0.9 * row, std::min(smallest, usual), usual) : usual,
               least = by_effect ? 1.1 * size : 0.95 * scene.font();
  const bool by_head = row >= least || by_effect;
  const std::size_t group = by_head ? 1 : scene.shape().heads;
  const double high = row * static_cast<double>(group);
  const std::size_t step = group * static_cast<std::size_t>(std::max(std::ceil(least / high), 1.0));
  for (std::size_t head = 0; head < scene.count(); head += step) {
    const double middle = row * static_cast<double>(head) + 0.5 * high;
    std::string name = scene.name(scene.effect(head).at);
    if (!by_head) name.resize(name.find(' '));
    figure.add(text_item({clip.x - 0.4 * scene.font(), clip.y + middle}, std::move(name), {size},
                         scene.theme.ink, HAlign::Right, VAlign::Middle));
  }
}

// Names of layers above their columns, where they fit, and lines between layers.
void add_layers(Figure& figure, const AtlasScene& scene, const Rect& clip) {
  const std::size_t heads = scene.shape().heads, layers = scene.shape().layers;
  constexpr double kLine = 1.0;  // thinner ones vanish between pixels
  const double step = clip.width / static_cast<double>(layers);
  const FontStyle font{secondary_size(scene.font())};
  const double widest =
      scene.metrics.measure("L" + std::to_string(layers), font).width + 0.4 * font.size;
  const auto every = static_cast<std::size_t>(std::max(std::ceil(widest / step), 1.0));
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::string name = scene.name(scene.atlas->effects[layer * heads].at);
    name.resize(name.find(' '));
    const double at = step * static_cast<double>(layer);
    if (layer % every == 0) {
      figure.add(text_item({clip.x + at + 0.5 * step, clip.y - 0.4 * scene.font()}, std::move(name),
                           font, scene.theme.ink, HAlign::Center));
    }
    if (layer == 0) continue;
    const auto line = [&](const Rect& rect) {
      figure.add(RectItem{.rect = rect, .fill = scene.theme.muted});
    };
    line({clip.x + at - 0.5 * kLine, clip.y, kLine, clip.height});
    if (scene.options.by_effect) continue;
    line({clip.x, clip.y + at * clip.height / clip.width - 0.5 * kLine, clip.width, kLine});
  }
}

// Adds the bar of a row: how much the next token changes, or what the head carries, and the number.
void add_bar(Figure& figure, const AtlasScene& scene, const HeadEffect& effect, const Rect& whole,
             double most, bool has_numbers) {
  const double font = scene.font(), row = whole.height, number = scene.number(effect);
  const bool has_number = std::isfinite(number);
  if (has_number && number != 0.0) {
    const double width = whole.width * std::abs(number) / most;
    figure.add(
        RectItem{.rect = {whole.x, whole.y + 0.15 * row, std::max(width, kLeastBar), 0.7 * row},
                 .fill = number > 0.0 ? scene.theme.accent : scene.theme.muted});
  }
  figure.add(RectItem{.rect = whole,
                      .hit = AtlasHit{effect.at, effect.at, is_known(effect),
                                      deed_of(scene, effect), effect_words(scene, effect)}});
  if (!has_numbers || !has_number) return;
  figure.add(text_item({whole.right() + 0.4 * font, whole.middle().y},
                       with_minus(short_text(number, scene.options.decimals)),
                       {std::min(secondary_size(font), row)}, scene.theme.ink, HAlign::Left,
                       VAlign::Middle));
}

void add_bars(Figure& figure, const AtlasScene& scene, const Rect& clip, double left, double width,
              bool has_numbers) {
  double most = 0.0;
  for (const HeadEffect& effect : scene.atlas->effects) {
    const double number = scene.number(effect);
    if (std::isfinite(number)) most = std::max(most, std::abs(number));
  }
  const double row = clip.height / static_cast<double>(scene.count()), font = scene.font();
  figure.add(text_item({left, clip.y - 0.4 * font},
                       scene.is_patched()                          ? "Carried"
                       : scene.result.problem().vocabulary->masked ? "Token"
                                                                   : "Next token",
                       {secondary_size(font)}, scene.theme.ink));
  for (std::size_t i = 0; i < scene.count(); ++i) {
    add_bar(figure, scene, scene.effect(i),
            {left, clip.y + row * static_cast<double>(i), width, row}, most, has_numbers);
  }
}

Figure atlas_figure(const AtlasScene& scene, double width, double height, const ColorBar& bar) {
  const double font = scene.font();
  const double left =
      scene.metrics.measure(scene.name(scene.atlas->effects.back().at), {font}).width +
      kAtlasGap * font;
  const bool predicts = scene.predicts();
  const auto count = static_cast<double>(scene.count());
  const double top = 1.5 * font, room = height > 0.0 ? height - top : width;
  // Bars have numbers where rows are high enough for them.
  const double left_for_rows = width - left - (kAtlasBars + kAtlasNumber + kAtlasGap) * font;
  const bool has_numbers =
      scene.options.values && std::min(left_for_rows, room) >= 0.95 * font * count;
  // In a narrow figure the bars are shorter, so that the map keeps its least size.
  const double beside = ((has_numbers ? kAtlasNumber : 0.0) + kAtlasGap) * font,
               bars = std::clamp(width - left - kLeastAtlas * font - beside, kLeastAtlasBars * font,
                                 kAtlasBars * font);
  const double right = predicts ? bars + beside : 0.0;
  const double most = std::max(kMostAtlasCell * count, kLeastAtlas) * font;
  const double side = std::clamp(std::min(width - left - right, room), kLeastAtlas * font, most);
  const Rect clip{left, top, side, side};
  Figure figure{.width = left + side + right, .height = top + side + 0.2 * font};
  figure.add(map_of(scene, clip, bar.range));
  add_names_of_rows(figure, scene, clip);
  for (std::size_t i = 0; i < scene.count(); ++i) {
    add_row(figure, scene,
            {clip.x, clip.y + side / count * static_cast<double>(i), side, side / count},
            scene.effect(i));
  }
  add_layers(figure, scene, clip);
  if (predicts) add_bars(figure, scene, clip, clip.right() + kAtlasGap * font, bars, has_numbers);
  add_bar_beside(figure, scene, bar, {clip.x, clip.y, side + right, side});
  return figure;
}

// --- the page

std::string heading(const AtlasScene& scene) {
  std::string words = "What follows when each head alone is taken out";
  if (scene.is_patched()) {
    words = "What follows when each head alone is that of " + scene.options.reference->label;
  }
  words += which_attention(scene.result.problem(), scene.options.at, ", ");
  if (scene.result.problem().what_if == Interventions{}) return words;
  return words + ", in addition to " + list_of(scene.result.problem().what_if, scene.shape());
}

// " Most: L4 H2 (1.2 nats, logit of “hungry” −2.1), L3 H5 (0.4 nats, …)."
std::string strongest_words(const AtlasScene& scene) {
  std::vector<const HeadEffect*> order;
  for (const HeadEffect& effect : scene.atlas->effects) {
    if (std::isfinite(scene.number(effect))) order.push_back(&effect);
  }
  if (order.empty()) return " Logits are NaN or infinite, so that nothing is known of it.";
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](const HeadEffect* effect) { return scene.number(*effect); });
  order.resize(std::min(order.size(), kNamedHeads));
  return " Most: " +
         joined(order, ", ",
                [&](const HeadEffect* effect) {
                  return scene.name(effect->at) + " (" + effect_words(scene, *effect) + ")";
                }) +
         ".";
}

// Sentence about the bars of heads that give what they give for another text.
std::string carried_words(const AtlasScene& scene, const std::string& place) {
  const Atlas& atlas = *scene.atlas;
  const std::string a = scene.token(*atlas.token), b = scene.token(*atlas.other_token);
  if (atlas.token == atlas.other_token) {
    return " Both go on with " + a + " " + place + ", so that no head carries a difference.";
  }
  const bool works_against = std::ranges::any_of(
      atlas.effects, [](const HeadEffect& effect) { return effect.carried < 0.0; });
  return " Bars: the part of the difference between the texts " + place +
         " that the head carries: of the logit of " + a + " less that of " + b +
         ", 0 as in this text, 1 as in the other" +
         (works_against ? "; below 0 the head makes the difference smaller." : ".") +
         strongest_words(scene);
}

std::string note_of(const AtlasScene& scene) {
  std::string words = scene.is_patched() ? "Rows: the head with its outputs in the reference. "
                                         : "Rows: the head without output. ";
  words += "Columns: mean variation of the weights of each later head.";
  const auto known = std::ranges::count_if(scene.atlas->effects, is_known);
  if (static_cast<std::size_t>(known) < scene.count()) {
    words += " " + std::to_string(known) + " of " + std::to_string(scene.count()) +
             " heads so far, the last layers first.";
  }
  if (!scene.predicts()) return words;
  const bool masked = scene.result.problem().vocabulary->masked;
  const std::string place =
      (masked ? "at " : "after ") + placed_token(scene, Side::Query, place_of_next(scene));
  if (scene.is_patched()) return words + carried_words(scene, place);
  return words + " Bars: Kullback–Leibler divergence, in nats, of the token " + place + "." +
         strongest_words(scene) + remark_on_place(scene, place_of_next(scene));
}

// Reason why the heads of the reference cannot be put in, if the options want them.
std::string why_not_from_reference(const Drawing& drawing) {
  if (!drawing.options.from_reference) return "";
  const ReferencePtr& reference = drawing.options.reference;
  if (reference == nullptr || reference->result == nullptr) {
    return "No document to compare with: choose one with the same model and as many tokens";
  }
  return why_no_patching(drawing.result.problem(), reference->result->problem());
}

}  // namespace

std::vector<Need> atlas_needs(const FittedView& view) {
  const ReferencePtr& reference = view.options.reference;
  const bool is_patched = view.options.from_reference;
  if (is_patched &&
      (reference == nullptr || reference->result == nullptr ||
       !why_no_patching(view.result.problem(), reference->result->problem()).empty())) {
    return {};
  }
  return needs_of_atlas(view);
}

Result<Figure> atlas_plot(const Drawing& drawing) {
  if (conceals_predictions(drawing.result, drawing.options.at.sample))
    return concealed_page(drawing);
  if (std::string why = why_not_from_reference(drawing); !why.empty()) {
    return usage_error(std::move(why));
  }
  const auto atlas = known_atlas(drawing);
  if (!atlas) return atlas.error();
  AtlasScene scene{{drawing}, *atlas};
  scene.order = order_of(scene);
  Page page(scene);
  page.add_heading(heading(scene), 0.5);
  const ColorBar bar{.range = range_of_atlas(scene), .title = "Mean variation"};
  const std::string below[] = {sentence_of_bar(scene, bar), note_of(scene)};
  page.add_part(
      atlas_figure(scene, page.width() - width_of_bar(scene, bar), page.room(below), bar));
  page.add_words(sentence_of_bar(scene, bar));
  page.add_note(note_of(scene));
  return page.finished(heading(scene) + ".");
}

}  // namespace attn
