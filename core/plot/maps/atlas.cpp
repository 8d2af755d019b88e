// The atlas of a model: what follows when each head alone is taken out.
#include "kinds/parts/atlas.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/joined.h"
#include "base/number_text.h"
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
constexpr double kMostAtlasCell = 2.6, kAtlasBars = 8.0, kAtlasGap = 0.6, kAtlasNumber = 3.4;
constexpr std::size_t kNamedHeads = 3;  // in the sentence about the strongest ones

struct AtlasScene : Drawing {
  std::shared_ptr<const Atlas> atlas{};

  std::size_t count() const { return atlas->effects.size(); }
  bool predicts() const { return atlas->token.has_value(); }
  std::string name(std::size_t head) const { return name(atlas->effects[head].at); }
  std::string name(const HeadAddress& at) const {
    return "L" + std::to_string(layer_number(shape(), at.layer)) + " H" +
           std::to_string(at.head + 1);
  }
  std::string token() const {
    return "“" +
           vocabulary_label(*result.problem().vocabulary, *atlas->token,
                            options.tokens_as_written) +
           "”";
  }
};

// "1.2 nats, “hungry” −2.1"
std::string effect_words(const AtlasScene& scene, const HeadEffect& effect) {
  if (!std::isfinite(effect.divergence)) return "logits that are NaN or infinite";
  return short_text(effect.divergence) + " nats, " + scene.token() +
         (effect.logit_change > 0.0 ? " +" : " ") + with_minus(short_text(effect.logit_change));
}

std::vector<Need> needs_of_atlas(const FittedView& view) {
  const AttentionProblem& problem = view.result.problem();
  AtlasRequest request{view.options.at};
  if (nothing_predicted(problem).empty()) request.row = place_of_next(view);
  const auto make = [request](const Sources& from, const Pass& /*pass*/) {
    return atlas_of(from.result, request, from.progress);
  };
  const MatrixId weights{Stage::Weights, view.options.at.moved_to(0, view.options.at.sample, 0)};
  return needs_of<Atlas>("atlas of " + text_of(weights) + "." + std::to_string(request.row),
                         {{.label = "The model without each of its heads",
                           .nanoseconds = nanoseconds_of_atlas(problem)}},
                         make, bytes_of_atlas(problem));
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
  for (const HeadEffect& effect : scene.atlas->effects) {
    cells.values.insert(cells.values.end(), effect.changes.begin(), effect.changes.end());
  }
  return whole_item(clip, std::make_shared<const MatrixCells>(std::move(cells)), scale,
                    scene.theme);
}

// Adds the hits of a row, and covers the heads that do not read the one taken out.
void add_row(Figure& figure, const AtlasScene& scene, const Rect& row, std::size_t head) {
  const HeadEffect& effect = scene.atlas->effects[head];
  const double cell = row.width / static_cast<double>(scene.count());
  const std::size_t first = (effect.at.layer + 1) * scene.shape().heads;
  const auto hit = [&](const Rect& rect, const HeadAddress& read, double change) {
    AtlasHit of{effect.at, read, "without " + scene.name(head), ""};
    of.number = read == effect.at ? "" : "changes by " + short_text(change);
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

// Names of heads where there is room, else of layers.
void add_names_of_rows(Figure& figure, const AtlasScene& scene, const Rect& clip) {
  const double row = clip.height / static_cast<double>(scene.count());
  const bool by_head = row >= 0.95 * scene.font();
  const std::size_t step = by_head ? 1 : scene.shape().heads;
  for (std::size_t head = 0; head < scene.count(); head += step) {
    const double middle = static_cast<double>(head) + 0.5 * static_cast<double>(step);
    std::string name = scene.name(head);
    if (!by_head) name.resize(name.find(' '));
    figure.add(text_item({clip.x - 0.4 * scene.font(), clip.y + middle * row}, std::move(name),
                         {secondary_size(scene.font())}, scene.theme.ink, HAlign::Right,
                         VAlign::Middle));
  }
}

// Names of layers above their columns, and lines between layers.
void add_layers(Figure& figure, const AtlasScene& scene, const Rect& clip) {
  const std::size_t heads = scene.shape().heads, layers = scene.shape().layers;
  const double step = clip.width / static_cast<double>(layers);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::string name = scene.name(layer * heads);
    name.resize(name.find(' '));
    const double at = step * static_cast<double>(layer);
    figure.add(text_item({clip.x + at + 0.5 * step, clip.y - 0.4 * scene.font()}, std::move(name),
                         {secondary_size(scene.font())}, scene.theme.ink, HAlign::Center));
    if (layer == 0) continue;
    const auto line = [&](const Rect& rect) {
      figure.add(RectItem{.rect = rect, .fill = scene.theme.muted});
    };
    line({clip.x + at - 0.25, clip.y, 0.5, clip.height});
    line({clip.x, clip.y + at * clip.height / clip.width - 0.25, clip.width, 0.5});
  }
}

// Bars right of the map: how much the next token changes without the head of the row.
void add_divergences(Figure& figure, const AtlasScene& scene, const Rect& clip, double left) {
  double most = 0.0;
  for (const HeadEffect& effect : scene.atlas->effects) {
    if (std::isfinite(effect.divergence)) most = std::max(most, effect.divergence);
  }
  const double row = clip.height / static_cast<double>(scene.count()), font = scene.font();
  const FontStyle letters{std::min(secondary_size(font), row)};
  figure.add(text_item({left, clip.y - 0.4 * font}, "Next token", {secondary_size(font)},
                       scene.theme.ink));
  for (std::size_t head = 0; head < scene.count(); ++head) {
    const HeadEffect& effect = scene.atlas->effects[head];
    const Rect whole{left, clip.y + row * static_cast<double>(head), kAtlasBars * font, row};
    Rect bar = whole.grown(0.0);
    bar.y += 0.15 * row;
    bar.height = 0.7 * row;
    const bool has_bar = std::isfinite(effect.divergence) && effect.divergence > 0.0;
    bar.width = std::max(bar.width * (has_bar ? effect.divergence / most : 0.0), kLeastBar);
    if (has_bar) figure.add(RectItem{.rect = bar, .fill = scene.theme.accent});
    figure.add(RectItem{.rect = whole,
                        .hit = AtlasHit{effect.at, effect.at, "without " + scene.name(head),
                                        effect_words(scene, effect)}});
    if (row < 0.95 * font || !scene.options.values || !std::isfinite(effect.divergence)) continue;
    figure.add(text_item({whole.right() + 0.4 * font, whole.middle().y},
                         fixed_text(effect.divergence, scene.options.decimals), letters,
                         scene.theme.ink, HAlign::Left, VAlign::Middle));
  }
}

Figure atlas_figure(const AtlasScene& scene, double width, double height, const ColorBar& bar) {
  const double font = scene.font();
  const double left =
      scene.metrics.measure(scene.name(scene.count() - 1), {font}).width + kAtlasGap * font;
  const bool predicts = scene.predicts();
  const double right = predicts ? (kAtlasBars + kAtlasNumber + kAtlasGap) * font : 0.0;
  const double top = 1.5 * font;
  const auto count = static_cast<double>(scene.count());
  const double room = height > 0.0 ? height - top : width;
  const double side =
      std::clamp(std::min(width - left - right, room), 8.0 * font, kMostAtlasCell * font * count);
  const Rect clip{left, top, side, side};
  Figure figure{.width = left + side + right, .height = top + side + 0.2 * font};
  figure.add(map_of(scene, clip, bar.range));
  add_names_of_rows(figure, scene, clip);
  for (std::size_t head = 0; head < scene.count(); ++head) {
    add_row(figure, scene,
            {clip.x, clip.y + side / count * static_cast<double>(head), side, side / count}, head);
  }
  add_layers(figure, scene, clip);
  if (predicts) add_divergences(figure, scene, clip, clip.right() + kAtlasGap * font);
  add_bar_beside(figure, scene, bar, {clip.x, clip.y, side + right, side});
  return figure;
}

// --- the page

std::string heading(const AtlasScene& scene) {
  std::string words = "What follows when each head alone is taken out";
  if (scene.result.problem().what_if != Interventions{}) words += ", besides the gates";
  return words;
}

// " Most: L4 H2 (1.2 nats, “hungry” −2.1), L3 H5 (0.4 nats, “hungry” −0.9)."
std::string strongest_words(const AtlasScene& scene) {
  std::vector<const HeadEffect*> order;
  for (const HeadEffect& effect : scene.atlas->effects) {
    if (std::isfinite(effect.divergence)) order.push_back(&effect);
  }
  if (order.empty()) return " Logits are NaN or infinite, so that nothing is known of it.";
  std::ranges::stable_sort(order, std::ranges::greater{}, &HeadEffect::divergence);
  order.resize(std::min(order.size(), kNamedHeads));
  return " Most: " +
         joined(order, ", ",
                [&](const HeadEffect* effect) {
                  return scene.name(effect->at) + " (" + effect_words(scene, *effect) + ")";
                }) +
         ".";
}

std::string note_of(const AtlasScene& scene) {
  std::string words =
      "Rows: the head without output. Columns: mean variation of the weights of each later head.";
  if (!scene.predicts()) return words;
  const AtlasRequest request{scene.options.at, place_of_next(scene)};
  return words + " Bars: Kullback–Leibler divergence of the next token after " +
         placed_token(scene, Side::Query, request.row) + ", and the change of the logit of " +
         scene.token() + "." + strongest_words(scene);
}

}  // namespace

std::vector<Need> atlas_needs(const FittedView& view) { return needs_of_atlas(view); }

Result<Figure> atlas_plot(const Drawing& drawing) {
  if (conceals_predictions(drawing.result, drawing.options.at.sample)) {
    return usage_error("The lesson asks about weights that decide this: reveal them first");
  }
  const auto atlas = found<Atlas>(drawing, needs_of_atlas(drawing));
  if (!atlas) return atlas.error();
  const AtlasScene scene{{drawing}, *atlas};
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
