// The hovered head: its neighbours, its enlarged map and its sentence.
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

// Thumbnails in the order of the figure.
std::vector<Thumbnail> thumbnails_of(const Figure& heads) {
  std::vector<Thumbnail> thumbnails;
  for (const FigureItem& item : heads.items) {
    const auto* rect = std::get_if<RectItem>(&item);
    const auto* hit = rect != nullptr ? std::get_if<HeadHit>(&rect->hit) : nullptr;
    if (hit != nullptr) thumbnails.push_back({hit->head, rect->rect});
  }
  return thumbnails;
}

// Number of thumbnails in the first row.
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
std::string describe_head(const PlotInput& input, const PlotOptions& options,
                          const HeadAddress& head) {
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

// The description of the head, followed by the number of rows read.
std::string with_rows_read(std::string description, const PooledPart& part) {
  const std::string rows = rows_read_words(part);
  if (rows.empty()) return description;
  return description.empty() ? rows.substr(2) : description + rows;
}

// The curve of the colours of the thumbnails.
ColorCurve curve_in(const Figure& heads) {
  for (const FigureItem& item : heads.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    const bool is_bar = matrix == nullptr || matrix->cells->hidden.empty();
    if (!is_bar) return matrix->scale.curve;
  }
  return ColorCurve::Linear;
}

// Enlarged map within `room`, padding excluded. Empty while nothing of the head is known.
Figure close_up(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics,
                const HeadAddress& head, const Rect& room, ColorCurve curve) {
  constexpr double kTitlesAndLabels = 11.0;  // above the cells at most, in font sizes
  const MatrixPtr matrix = matrix_in(input, {Stage::Weights, head, input.result.problem().part});
  const StageShape extents = matrix->extents();
  const bool is_found = !is_materialised(*matrix);
  const PooledPartPtr part = is_found ? head_map(input, options, head) : nullptr;
  if (is_found && part == nullptr) return {};
  const float top =
      head_range_info(options.head_range)
          .top(part != nullptr ? part->cells
                               : pooled_by_rows(*matrix, {0, 0, extents.rows, extents.cols},
                                                kMostEnlarged, kMostEnlarged, options.pooling));
  const std::string name = name_of(input.result.shape(), head);
  std::string description = describe_head(input, options, head);
  if (part != nullptr) description = with_rows_read(std::move(description), *part);
  SmallMap map{.title = name,
               .subtitle = description,
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

// Rectangle beside the thumbnail, else below or above it, within the visible part; over the
// thumbnail when nothing else fits.
Rect place_beside(const Rect& thumbnail, const Figure& part, double padding, const Rect& visible) {
  const double width = part.width + 2.0 * padding, height = part.height + 2.0 * padding;
  const double right = visible.x + visible.width, bottom = visible.y + visible.height;
  const auto across = [&](double x) {
    return std::clamp(x, visible.x, std::max(right - width, visible.x));
  };
  const auto down = [&](double y) {
    return std::clamp(y, visible.y, std::max(bottom - height, visible.y));
  };
  const double middle = down(thumbnail.y + (thumbnail.height - height) / 2.0);
  const double after = thumbnail.x + thumbnail.width + padding,
               before = thumbnail.x - padding - width;
  if (after + width <= right) return {after, middle, width, height};
  if (before >= visible.x) return {before, middle, width, height};
  const double centre = across(thumbnail.x + (thumbnail.width - width) / 2.0);
  const double below = thumbnail.y + thumbnail.height + padding;
  const double above = thumbnail.y - padding - height;
  const bool fits_above = below + height > bottom && above >= visible.y;
  return {centre, fits_above ? above : down(below), width, height};
}

}  // namespace

std::string head_sentence(const PlotInput& input, const PlotOptions& options,
                          const HeadAddress& head) {
  const std::string description = describe_head(input, options, head);
  return name_of(input.result.shape(), head) + (description.empty() ? "" : ": " + description);
}

Figure heads_hover(const PlotInput& input, const Figure& heads, const PlotOptions& options,
                   const TextMetrics& metrics, const HitId& hit, const Rect& visible) {
  Figure over = overlay_of(heads);
  const auto* pointed = std::get_if<HeadHit>(&hit);
  if (pointed == nullptr) return over;
  const std::optional<Rect> thumbnail = place_of_head(heads, pointed->head);
  if (!thumbnail) return over;
  const FigureTheme& theme = figure_theme(options.theme);
  const double padding = 0.8 * options.font_size;
  const Rect seen{visible.x + 1.0, visible.y + 1.0, visible.width - 2.0, visible.height - 2.0};
  const Rect room{0.0, 0.0, seen.width - 2.0 * padding, seen.height - 2.0 * padding};
  const Figure part = close_up(input, options, metrics, pointed->head, room, curve_in(heads));
  if (part.items.empty()) return over;
  RectItem background{.rect = place_beside(*thumbnail, part, padding, seen),
                      .fill = theme.background,
                      .stroke = theme.accent,
                      .stroke_width = 1.0,
                      .radius = 0.4 * options.font_size};
  over.add(background);
  append_moved(over, part, {1.0, background.rect.x + padding, background.rect.y + padding});
  return over;
}

}  // namespace attn
