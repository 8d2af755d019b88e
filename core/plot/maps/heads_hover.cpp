// A head under the pointer, larger and with its tokens, and what it does in a sentence.
#include <algorithm>
#include <optional>

#include "base/number_text.h"
#include "engine/matrix/head_range.h"
#include "plot/colors/stage_colors.h"
#include "plot/maps/heads.h"
#include "plot/maps/heads_maps.h"
#include "plot/maps/heads_walk.h"
#include "plot/needs.h"
#include "plot/parts/page.h"
#include "plot/parts/small_map.h"

namespace attn {
namespace {

constexpr std::size_t kMostEnlarged = 400;

std::string name_of(const AttentionShape& shape, const HeadAddress& head) {
  std::string text =
      "Layer " + std::to_string(head.layer + 1) + ", head " + std::to_string(head.head + 1);
  if (shape.samples > 1) text += ", sample " + std::to_string(head.sample + 1);
  return text;
}

// “first token · Entropy, of largest 0.12”
std::string doings_of(const PlotInput& input, const PlotOptions& options, const HeadAddress& head) {
  const std::vector<HeadCard> cards = head_cards(input, options);
  const auto card = std::ranges::find(cards, head, &HeadCard::at);
  if (card == cards.end() || !card->measures) return "";
  const HeadMeasures& measures = *card->measures;
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : " · ") + words; };
  for (const HeadLabelInfo* label : labels_of(measures)) add(std::string(label->label));
  const auto tint = std::ranges::find(all_measures(), options.tint, &MeasureInfo::name);
  if (tint == all_measures().end()) return text;
  if (const std::optional<double> value = tint->value(measures)) {
    add(words_of(*tint) + " " + fixed_text(*value, options.decimals));
  }
  return text;
}

// What the head does, or how much of it was read.
std::string with_rows_read(std::string doings, const PooledPart& part) {
  const std::string rows = rows_read_words(part);
  if (rows.empty()) return doings;
  return doings.empty() ? rows.substr(2) : doings + rows;
}

// Without items while nothing of the head is known.
Figure close_up(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics,
                const HeadAddress& head) {
  const MatrixPtr matrix = matrix_in(input, {Stage::Weights, head, input.result.problem().part});
  const StageShape extents = matrix->extents();
  const bool is_found = is_read_beforehand(*matrix);
  const PooledPartPtr part = is_found ? head_map(input, options, head) : nullptr;
  if (is_found && part == nullptr) return {};
  const float top =
      head_range_info(options.head_range)
          .top(part != nullptr ? part->cells
                               : pooled_by_rows(*matrix, {0, 0, extents.rows, extents.cols},
                                                kMostEnlarged, kMostEnlarged, options.pooling));
  const std::string name = name_of(input.result.shape(), head);
  std::string doings = doings_of(input, options, head);
  if (part != nullptr) doings = with_rows_read(std::move(doings), *part);
  SmallMap map;
  map.title = name;
  map.subtitle = doings;
  map.matrix = matrix.get();
  map.scale = {&colormap_for(options), 0.0F, top > 0.0F ? top : 1.0F};
  map.part = part.get();
  map.most_height = 20.0 * options.font_size;
  PlotOptions whole = options;
  whole.window = {};
  whole.pins.clear();
  return small_map(input, map, whole, metrics, 24.0 * options.font_size);
}

// Beside the thumbnail, as much of it as can be within the part that is seen.
Rect place_beside(const Rect& thumbnail, const Figure& part, double air, const Rect& visible) {
  Rect ground{0.0, 0.0, part.width + 2.0 * air, part.height + 2.0 * air};
  const double right = thumbnail.x + thumbnail.width + air;
  const bool fits = right + ground.width <= visible.x + visible.width;
  ground.x = fits ? right : std::max(thumbnail.x - air - ground.width, visible.x);
  const double middle = thumbnail.y + (thumbnail.height - ground.height) / 2.0;
  const double lowest = visible.y + visible.height - ground.height;
  ground.y = std::clamp(middle, visible.y, std::max(lowest, visible.y));
  return ground;
}

}  // namespace

std::string head_sentence(const PlotInput& input, const PlotOptions& options,
                          const HeadAddress& head) {
  const std::string doings = doings_of(input, options, head);
  return name_of(input.result.shape(), head) + (doings.empty() ? "" : ": " + doings);
}

Figure heads_hover(const PlotInput& input, const Figure& heads, const PlotOptions& options,
                   const TextMetrics& metrics, const HitId& hit, const Rect& visible) {
  Figure over;
  const auto* pointed = std::get_if<HeadHit>(&hit);
  if (pointed == nullptr) return over;
  const std::optional<Rect> thumbnail = place_of_head(heads, pointed->head);
  if (!thumbnail) return over;
  over.width = heads.width;
  over.height = heads.height;
  const FigureTheme& theme = figure_theme(options.theme);
  const double air = 0.8 * options.font_size;
  const Figure part = close_up(input, options, metrics, pointed->head);
  if (part.items.empty()) return over;
  RectItem ground;
  ground.rect = place_beside(*thumbnail, part, air, visible);
  ground.fill = theme.background;
  ground.stroke = theme.accent;
  ground.stroke_width = 1.0;
  ground.radius = 0.4 * options.font_size;
  over.items.push_back(ground);
  append_moved(over, part, {1.0, ground.rect.x + air, ground.rect.y + air});
  return over;
}

}  // namespace attn
