// The head under the pointer or the cursor: beside which it lies, larger, in a sentence.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/number_text.h"
#include "engine/matrix/head_range.h"
#include "plot/colors/color_range.h"
#include "plot/kit/ask.h"
#include "plot/kit/marks.h"
#include "plot/kit/page.h"
#include "plot/maps/heads.h"
#include "plot/maps/panels.h"

namespace attn {
namespace {

struct Thumbnail {
  HeadAddress head;
  Rect rect;
};

// In their order.
std::vector<Thumbnail> thumbnails_of(const Figure& heads) {
  std::vector<Thumbnail> thumbnails;
  for (const FigureItem& item : heads.items) {
    const auto* rect = std::get_if<RectItem>(&item);
    const auto* hit = rect != nullptr ? std::get_if<HeadHit>(&rect->hit) : nullptr;
    if (hit != nullptr) thumbnails.push_back({hit->head, rect->rect});
  }
  return thumbnails;
}

// How many stand in the first row.
std::size_t columns_of(const std::vector<Thumbnail>& thumbnails) {
  const double top = thumbnails.front().rect.y;
  const auto below = std::ranges::find_if(
      thumbnails, [&](const Thumbnail& t) { return std::abs(t.rect.y - top) > 1e-6; });
  return static_cast<std::size_t>(below - thumbnails.begin());
}

}  // namespace

std::optional<HeadAddress> head_beside(const Figure& heads, const HeadAddress& from,
                                       HeadStep step) {
  const std::vector<Thumbnail> thumbnails = thumbnails_of(heads);
  if (thumbnails.empty()) return std::nullopt;
  const auto at = std::ranges::find(thumbnails, from, &Thumbnail::head);
  if (at == thumbnails.end()) return thumbnails.front().head;
  const auto row = static_cast<std::int64_t>(columns_of(thumbnails));
  const std::int64_t by = step == HeadStep::Left    ? -1
                          : step == HeadStep::Right ? 1
                          : step == HeadStep::Up    ? -row
                                                    : row;
  const std::int64_t next = (at - thumbnails.begin()) + by;
  if (next < 0 || next >= std::ssize(thumbnails)) return std::nullopt;
  return thumbnails[static_cast<std::size_t>(next)].head;
}

std::optional<Rect> place_of_head(const Figure& heads, const HeadAddress& head) {
  const std::vector<Thumbnail> thumbnails = thumbnails_of(heads);
  const auto at = std::ranges::find(thumbnails, head, &Thumbnail::head);
  return at == thumbnails.end() ? std::nullopt : std::optional(at->rect);
}

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

// As the thumbnails are coloured.
ColorCurve curve_in(const Figure& heads) {
  for (const FigureItem& item : heads.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    const bool is_bar = matrix == nullptr || matrix->cells->hidden.empty();
    if (!is_bar) return matrix->scale.curve;
  }
  return ColorCurve::Linear;
}

// At most `room` in size, air aside. Without items while nothing of the head is known.
Figure close_up(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics,
                const HeadAddress& head, const Rect& room, ColorCurve curve) {
  constexpr double kTitlesAndLabels = 11.0;  // above the cells at most, in font sizes
  const MatrixPtr matrix = matrix_in(input, {Stage::Weights, head});
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
  SmallMap map{.title = name,
               .subtitle = doings,
               .matrix = matrix.get(),
               .scale = {&colormap_for(options), 0.0F, top > 0.0F ? top : 1.0F, curve},
               .part = part.get()};
  map.most_height =
      std::clamp(room.height / options.font_size - kTitlesAndLabels, 6.0, 20.0) * options.font_size;
  PlotOptions whole = options;
  whole.window = {};
  whole.pins.clear();
  const double widest = std::max(room.width, 10.0 * options.font_size);
  return small_map(input, map, whole, metrics, std::min(24.0 * options.font_size, widest));
}

// Beside the thumbnail, else below or above it, within the part that is seen; over it where nothing
// else fits.
Rect place_beside(const Rect& thumbnail, const Figure& part, double air, const Rect& visible) {
  const double width = part.width + 2.0 * air, height = part.height + 2.0 * air;
  const double right = visible.x + visible.width, bottom = visible.y + visible.height;
  const auto across = [&](double x) {
    return std::clamp(x, visible.x, std::max(right - width, visible.x));
  };
  const auto down = [&](double y) {
    return std::clamp(y, visible.y, std::max(bottom - height, visible.y));
  };
  const double middle = down(thumbnail.y + (thumbnail.height - height) / 2.0);
  const double after = thumbnail.x + thumbnail.width + air, before = thumbnail.x - air - width;
  if (after + width <= right) return {after, middle, width, height};
  if (before >= visible.x) return {before, middle, width, height};
  const double centre = across(thumbnail.x + (thumbnail.width - width) / 2.0);
  const double below = thumbnail.y + thumbnail.height + air;
  const double above = thumbnail.y - air - height;
  const bool fits_above = below + height > bottom && above >= visible.y;
  return {centre, fits_above ? above : down(below), width, height};
}

}  // namespace

std::string head_sentence(const PlotInput& input, const PlotOptions& options,
                          const HeadAddress& head) {
  const std::string doings = doings_of(input, options, head);
  return name_of(input.result.shape(), head) + (doings.empty() ? "" : ": " + doings);
}

Figure heads_hover(const PlotInput& input, const Figure& heads, const PlotOptions& options,
                   const TextMetrics& metrics, const HitId& hit, const Rect& visible) {
  Figure over = overlay_of(heads);
  const auto* pointed = std::get_if<HeadHit>(&hit);
  if (pointed == nullptr) return over;
  const std::optional<Rect> thumbnail = place_of_head(heads, pointed->head);
  if (!thumbnail) return over;
  const FigureTheme& theme = figure_theme(options.theme);
  const double air = 0.8 * options.font_size;
  const Rect seen{visible.x + 1.0, visible.y + 1.0, visible.width - 2.0, visible.height - 2.0};
  const Rect room{0.0, 0.0, seen.width - 2.0 * air, seen.height - 2.0 * air};
  const Figure part = close_up(input, options, metrics, pointed->head, room, curve_in(heads));
  if (part.items.empty()) return over;
  RectItem ground{.rect = place_beside(*thumbnail, part, air, seen),
                  .fill = theme.background,
                  .stroke = theme.accent,
                  .stroke_width = 1.0,
                  .radius = 0.4 * options.font_size};
  over.items.push_back(ground);
  append_moved(over, part, {1.0, ground.rect.x + air, ground.rect.y + air});
  return over;
}

}  // namespace attn
