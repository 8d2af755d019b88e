// Layout of the thumbnails of all heads, their weights in one matrix, and the hovered head.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/number_text.h"
#include "engine/matrix/pool.h"
#include "plot/kit/cells.h"
#include "plot/kit/marks.h"
#include "plot/maps/heads.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

constexpr std::size_t kMostTexels = 4096;   // of one image, per side
constexpr std::size_t kMostOnAPage = 1200;  // thumbnails
constexpr std::size_t kMostWrapped = 24;    // rows of thumbnails in another order than by layer
constexpr double kBetween = 0.12;           // between thumbnails, of their width
constexpr double kGateLine = 0.45;          // strip of a gate, in font sizes
constexpr double kWidthOfWords = 5.6;       // of the longest label, in font sizes
constexpr double kWidest = 30.0;            // thumbnail on paper, in font sizes
constexpr double kSmallest = 1.1;           // thumbnail, in font sizes
// Growth that is worth giving up rows of layers, on paper and in a pane.
constexpr double kLayersPreferred = 2.0, kLayersPreferredInPane = 1.3;
constexpr double kCaptionsPreferred = 0.75;
constexpr std::size_t kFewTokens = 5, kFineTexels = 6;  // fewer leave coarse gaps

std::size_t up(double value) { return static_cast<std::size_t>(std::ceil(value - 1e-9)); }

// Height of a thumbnail relative to its width: square cells within limits.
double height_ratio(double rows, double cols) { return std::clamp(rows / cols, 0.4, 1.6); }

// Input that determines the sizes of thumbnails.
struct HeadsRoom {
  const Drawing& drawing;
  HeadRow row;
  double width, height;
  AttentionShape shape = drawing.shape();
  double gate = shows_gates(drawing) ? kGateLine * drawing.font() : 0.0;
};

double caption_height(const HeadsRoom& room, bool by_layer, HeadCaptions captions, bool wraps) {
  double lines = by_layer ? 0.0 : 1.0;
  if (captions != HeadCaptions::None && room.drawing.options.tint != "none") lines += 1.0;
  if (captions == HeadCaptions::Labels) lines += wraps ? 2.0 : 1.0;
  return lines > 0.0 ? (0.2 + kCaptionLine * lines) * room.drawing.font() : 0.0;
}

// Space below a thumbnail.
double below(const HeadsRoom& room, double caption, double side) {
  const double words = caption > 0.0 ? caption + 0.5 * room.drawing.font() : 0.0;
  return room.gate + std::max(words, kBetween * side);
}

// Width of the thumbnails in a space of this size.
double side_in(const HeadsRoom& room, double width, double height, double caption) {
  const double font = room.drawing.font();
  const double rows = static_cast<double>(room.shape.n_q);
  const double ratio = height_ratio(rows, static_cast<double>(room.shape.n_k));
  const double bare = (height - room.gate) / (ratio + kBetween);
  const double side = std::min(bare, (height - below(room, caption, 0.0)) / ratio);
  const bool is_paper = room.drawing.options.pane_height <= 0.0;
  const double most = is_paper ? kWidest * font : 1e9;
  return std::min({width / (1.0 + kBetween), side, most});
}

// Thumbnails in rows and columns, and their width.
struct Arrangement {
  Tiling tiling{};
  double side = 0.0;
};

Arrangement in_layers(const HeadsRoom& room, const HeadsLayout& l, HeadCaptions captions) {
  const std::size_t heads = room.row.heads.size();
  const Tiling tiling{heads, quotient_up(room.row.count(), heads)};
  const double width = (room.width - l.left) / static_cast<double>(tiling.columns);
  const double side = side_in(room, width, (room.height - l.top) / static_cast<double>(tiling.rows),
                              caption_height(room, true, captions, true));
  const double least = std::min(width / (1.0 + kBetween), kSmallest * room.drawing.font());
  return {tiling, std::max(side, least)};
}

Arrangement wrapped_in(const HeadsRoom& room, HeadCaptions captions) {
  const double caption = caption_height(room, false, captions, true);
  const auto size = [&](const Tiling& tiling) {
    return side_in(room, room.width / static_cast<double>(tiling.columns),
                   room.height / static_cast<double>(tiling.rows), caption);
  };
  const Tiling best = best_tiling(room.row.count(), room.drawing, size);
  const double least = kSmallest * room.drawing.font();
  if (size(best) >= least) return {best, size(best)};
  const double columns = std::max(std::floor(room.width / (least * (1.0 + kBetween))), 1.0);
  const auto fitting = std::min(static_cast<std::size_t>(columns), room.row.count());
  return {{fitting, quotient_up(room.row.count(), fitting)}, least};
}

// Rows are layers unless thumbnails are much larger otherwise; captions leave them large.
Arrangement arranged(const HeadsRoom& room, HeadsLayout& l) {
  const double font = room.drawing.font();
  const Arrangement layers = in_layers(room, l, HeadCaptions::None);
  const Arrangement free = wrapped_in(room, HeadCaptions::None);
  const double preferred =
      room.drawing.options.pane_height > 0.0 ? kLayersPreferredInPane : kLayersPreferred;
  l.by_layer = room.drawing.options.sort == "layer" &&
               (layers.tiling.rows > 1 || free.tiling.rows == 1) &&
               layers.side * preferred >= free.side;
  const auto with = [&](HeadCaptions captions) {
    return l.by_layer ? in_layers(room, l, captions) : wrapped_in(room, captions);
  };
  const double bare = with(HeadCaptions::None).side;
  const std::pair<HeadCaptions, double> choices[] = {{HeadCaptions::Labels, 4.4},
                                                     {HeadCaptions::Number, 2.6}};
  for (const auto& [captions, least] : choices) {
    const Arrangement made = with(captions);
    if (made.side < least * font || made.side < kCaptionsPreferred * bare) continue;
    l.captions = captions;
    return made;
  }
  return with(HeadCaptions::None);
}

// Number of queries or keys per texel: a multiple of `unit` for which `count` of them along
// `length` have texels of at least `least` units.
std::size_t step_along(std::size_t count, double length, double least, std::size_t unit) {
  const std::size_t wanted =
      std::max<std::size_t>(up(static_cast<double>(count) * least / length), 1);
  return quotient_up(std::max(wanted, quotient_up(2 * count, kMostTexels)), unit) * unit;
}

// Texels are at least as large as a pixel of the budget.
void choose_texels(HeadsLayout& l, const HeadsRoom& room, double side, const Coarsening& unit) {
  const PlotOptions& options = room.drawing.options;
  const double font = options.font_size;
  const double least =
      std::max(options.width / static_cast<double>(most_texels(options.width, options)),
               room.width / static_cast<double>(kMostTexels));
  const std::size_t longer = std::max<std::size_t>(std::max(room.shape.n_q, room.shape.n_k), 1);
  const double ratio =
      height_ratio(static_cast<double>(room.shape.n_q), static_cast<double>(room.shape.n_k));
  l.step = {step_along(room.shape.n_q, ratio * side, least, unit.rows),
            step_along(room.shape.n_k, side, least, unit.cols)};
  l.zoom = longer < kFewTokens ? quotient_up(kFineTexels, longer) : 1;
  l.texel_rows = std::max<std::size_t>(quotient_up(room.shape.n_q, l.step.rows), 1) * l.zoom;
  l.texel_cols = std::max<std::size_t>(quotient_up(room.shape.n_k, l.step.cols), 1) * l.zoom;
  const std::size_t gap = std::max<std::size_t>(
      static_cast<std::size_t>(std::lround(kBetween * static_cast<double>(l.texel_cols))), 1);
  l.tile_cols = l.texel_cols + gap;
  l.texel_width = side * (1.0 + kBetween) / static_cast<double>(l.tile_cols);
  const double width = l.texel_width * static_cast<double>(l.texel_cols);
  l.texel_height = width * ratio / static_cast<double>(l.texel_rows);
  l.wraps = width < kWidthOfWords * font;
  l.caption = caption_height(room, l.by_layer, l.captions, l.wraps);
  l.tile_rows =
      l.texel_rows + std::max<std::size_t>(up(below(room, l.caption, width) / l.texel_height), 1);
  l.gate = room.gate;
}

// On paper a page has only as many rows as fit it.
void choose_page(HeadsLayout& l, const HeadsRoom& room) {
  const PlotOptions& options = room.drawing.options;
  const double row = static_cast<double>(l.tile_rows) * l.texel_height;
  const double fitting = std::max((room.height - l.top) / row + 1e-6, 1.0);
  std::size_t rows = std::min(kMostTexels / l.tile_rows, kMostOnAPage / l.columns);
  const bool is_paper = options.pane_height <= 0.0;
  if (is_paper) rows = std::min(rows, static_cast<std::size_t>(fitting));
  if (!is_paper && !l.by_layer) rows = std::min(rows, kMostWrapped);
  rows = std::max<std::size_t>(rows, 1);
  l.pages = std::max<std::size_t>(quotient_up(room.row.count(), rows * l.columns), 1);
  l.page = options.page - 1;
  l.first = std::min(l.page * rows * l.columns, room.row.count());
  l.count = std::min(rows * l.columns, room.row.count() - l.first);
}

// Empty for a head whose map is not known yet.
PooledCells weights_of(const HeadsScene& scene, std::size_t card) {
  if (!scene.maps.empty()) {
    if (scene.maps[card] == nullptr) return {};
    const PooledPart& map = *scene.maps[card];
    const Coarsening& step = scene.layout.step;
    return with_steps(map.cells, {map.range.rows, map.range.cols}, step.rows, step.cols,
                      scene.options.pooling);
  }
  const MatrixPtr matrix = matrix_in(scene, {Stage::Weights, scene.cards[card].at});
  const HeadsLayout& l = scene.layout;
  return pooled_by_rows(*matrix, every_row(matrix->extents(), 1), l.texel_rows / l.zoom,
                        l.texel_cols / l.zoom, scene.options.pooling);
}

// Range of a single head: if its weights are hardly above an equal share, as if the largest were
// three equal shares.
ColorScale scale_of_head(const FittedView& scene, const PooledCells& weights) {
  const ColorSubject subject = subject_of(scene.result, {Stage::Weights, scene.options.at});
  const auto largest = static_cast<double>(largest_of(weights));
  const ColorMap& map = colormap_for(scene.options);
  if (subject.quantity == Quantity::Share) {
    return share_range(map, subject, std::max(largest, 3.0 / static_cast<double>(subject.keys)));
  }
  const auto end = static_cast<float>(largest > 0.0 ? largest : 1.0);
  return {&map, map.diverging ? -end : 0.0F, end};
}

// Positions in that range, with 0 in the middle of a diverging map.
void to_places(PooledCells& weights, const ColorScale& scale) {
  const double middle = scale.map->diverging ? 0.5 : 0.0;
  for (float& weight : weights.values) {
    const double place = place_on(scale, static_cast<double>(weight));
    weight = static_cast<float>((place - middle) / (1.0 - middle));
  }
}

// Copies the weights of a head to its place.
void put(const HeadsLayout& l, std::size_t index, const PooledCells& weights, Thumbnails& out) {
  const std::size_t corner =
      index / l.columns * l.tile_rows * out.cells->cols + index % l.columns * l.tile_cols;
  for (std::size_t row = 0; row < weights.rows * l.zoom; ++row) {
    const std::size_t from = row / l.zoom * weights.cols, to = corner + row * out.cells->cols;
    for (std::size_t col = 0; col < weights.cols * l.zoom; ++col) {
      const std::size_t cell = from + col / l.zoom;
      out.cells->values[to + col] = weights.values[cell];
      out.cells->hidden[to + col] = weights.hidden[cell];
    }
  }
}

// The range of all heads, which are read where their weights decide it.
ColorRange range_of_all(const HeadsScene& scene) {
  const ColorMap& map = colormap_for(scene.options);
  const HeadRange wanted = scene.options.head_range;
  const float least = map.diverging ? -1.0F : 0.0F;
  if (wanted == HeadRange::Head) return {{&map, least, 1.0F}, "each head its own"};
  PlotOptions options = with_map_of_weights(scene.options);
  if (wanted == HeadRange::Unit) options.range = ColorSpan::Unit;
  if (wanted == HeadRange::Shared) options.range = ColorSpan::Heads;
  const ColorSubject subject = subject_of(scene.result, {Stage::Weights, options.at});
  float most = 0.0F;
  for (std::size_t i = 0; spans_numbers(subject, options) && i < scene.cards.size(); ++i) {
    most = std::max(most, largest_of(weights_of(scene, i)));
  }
  const float ends[] = {least * most, most};
  return color_range(subject, of_cells(ends, {}), options, "the heads shown");
}

void add_cover(Figure& figure, const HeadsScene& scene, const Rect& rect) {
  RectItem cover{.rect = rect, .fill = scene.theme.background};
  cover.hit = ColorBarHit{};  // belongs to no head
  figure.add(cover);
}

// Covers the gaps between thumbnails and after the last one, and a margin around the image, whose
// edges would shine through.
void add_gaps(Figure& figure, const HeadsScene& scene) {
  constexpr double kBeyond = 1.0;
  const HeadsLayout& l = scene.layout;
  const Rect whole = l.whole();
  const double right = whole.right() + kBeyond, bottom = whole.bottom() + kBeyond;
  const std::size_t columns = std::min(l.columns, l.count);
  for (std::size_t col = 0; col < columns; ++col) {
    const Rect at = l.thumbnail(col);
    const double to = col + 1 == columns ? right : l.thumbnail(col + 1).x;
    add_cover(figure, scene,
              {at.right(), whole.y - kBeyond, to - at.right(), whole.height + 2.0 * kBeyond});
  }
  for (std::size_t row = 0; row < l.rows(); ++row) {
    const Rect at = l.thumbnail(row * l.columns);
    const double to = row + 1 == l.rows() ? bottom : l.thumbnail((row + 1) * l.columns).y;
    add_cover(figure, scene,
              {whole.x - kBeyond, at.bottom(), whole.width + 2.0 * kBeyond, to - at.bottom()});
  }
  if (l.rows() < 2 || l.count % l.columns == 0) return;
  const Rect after = l.thumbnail(l.count);
  const double x = after.x - 0.5, y = after.y - 0.5;
  add_cover(figure, scene, {x, y, right - x, whole.bottom() - y});
}

// Frames of the thumbnails in the order of the figure.
std::vector<RectItem> thumbnails_of(const Figure& heads) {
  std::vector<RectItem> thumbnails;
  for (const FigureItem& item : heads.items) {
    const auto* rect = std::get_if<RectItem>(&item);
    if (rect != nullptr && std::holds_alternative<HeadHit>(rect->hit)) thumbnails.push_back(*rect);
  }
  return thumbnails;
}

HeadAddress head_of(const RectItem& thumbnail) { return std::get<HeadHit>(thumbnail.hit).head; }

// Number of thumbnails in the first row.
std::size_t columns_of(const std::vector<RectItem>& thumbnails) {
  const double top = thumbnails.front().rect.y;
  const auto below = std::ranges::find_if(
      thumbnails, [&](const RectItem& t) { return std::abs(t.rect.y - top) > 1e-6; });
  return static_cast<std::size_t>(below - thumbnails.begin());
}

constexpr std::size_t kMostEnlarged = 400;

std::string name_of(const AttentionShape& shape, const HeadAddress& head) {
  std::string text = "Layer " + std::to_string(layer_number(shape, head.layer)) + ", head " +
                     std::to_string(head.head + 1);
  if (shape.samples > 1) text += ", sample " + std::to_string(head.sample + 1);
  return text;
}

// “first token · Entropy, of largest 0.12 · 0.3 changed from cats.json”
std::string describe_head(const FittedView& view, const HeadAddress& head) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : " · ") + words; };
  const ReferencePtr& reference = view.options.reference;
  if (reference != nullptr && reference->result != nullptr) {
    const auto change = change_of(view.result, *reference->result, head);
    if (change) add("weights vary by " + short_text(*change) + " from " + reference->label);
  }
  const std::vector<HeadCard> cards = head_cards(view);
  const auto card = std::ranges::find(cards, head, &HeadCard::at);
  if (card == cards.end() || !card->measures) return text;
  const HeadMeasures& measures = *card->measures;
  for (const HeadLabelInfo* label : labels_of(measures)) add(std::string(label->label));
  const MeasureInfo* tint = measure_named(view.options.tint);
  const std::optional<double> value = tint != nullptr ? tint->value(measures) : std::nullopt;
  if (value) add(words_of(*tint) + " " + fixed_text(*value, view.options.decimals));
  return text;
}

// Enlarged map within `room`, padding excluded. Empty while nothing of the head is known.
Figure close_up(const Drawing& drawing, const HeadAddress& head, const Rect& room,
                const ColorScale& of_all) {
  constexpr double kTitlesAndLabels = 11.0;  // above the cells at most, in font sizes
  const MatrixPtr matrix = matrix_in(drawing, {Stage::Weights, head});
  const bool is_found = !is_materialised(*matrix);
  const PooledPartPtr part = is_found ? head_map(drawing, head) : nullptr;
  if (is_found && part == nullptr) return {};
  const bool has_own = drawing.options.head_range == HeadRange::Head;
  const auto cells = [&] {
    return part != nullptr ? part->cells
                           : pooled_by_rows(*matrix, every_row(matrix->extents(), 1), kMostEnlarged,
                                            kMostEnlarged, drawing.options.pooling);
  };
  const std::string name = name_of(drawing.result.shape(), head);
  std::string description = describe_head(drawing, head);
  if (part != nullptr) {
    const std::string rows = rows_read_words(*part);
    description += description.empty() && !rows.empty() ? rows.substr(2) : rows;
  }
  const SmallMap map{.title = name,
                     .subtitle = description,
                     .matrix = matrix.get(),
                     .scale = has_own ? scale_of_head(drawing, cells()) : of_all,
                     .part = part.get()};
  Drawing whole = drawing;
  whole.options.window = {};
  whole.options.pins.clear();
  const double widest = std::max(room.width, 10.0 * drawing.font());
  const double height =
      std::clamp(room.height / drawing.font(), 6.0 + kTitlesAndLabels, 20.0 + kTitlesAndLabels);
  return small_map(
      whole, map,
      {.width = std::min(24.0 * drawing.font(), widest), .height = height * drawing.font()});
}

// Rectangle right or left of the thumbnail, else below or above it, within the visible part; over
// the thumbnail when nothing else fits.
Rect place_beside(const Rect& thumbnail, const Figure& part, double padding, const Rect& visible) {
  const double width = part.width + 2.0 * padding, height = part.height + 2.0 * padding;
  const double right = visible.right(), bottom = visible.bottom();
  const auto down = [&](double y) {
    return std::clamp(y, visible.y, std::max(bottom - height, visible.y));
  };
  const double middle = down(thumbnail.y + (thumbnail.height - height) / 2.0);
  const double after = thumbnail.right() + padding, before = thumbnail.x - padding - width;
  if (after + width <= right) return {after, middle, width, height};
  if (before >= visible.x) return {before, middle, width, height};
  const double centre = std::clamp(thumbnail.x + (thumbnail.width - width) / 2.0, visible.x,
                                   std::max(right - width, visible.x));
  const double below = thumbnail.bottom() + padding, above = thumbnail.y - padding - height;
  const bool fits_above = below + height > bottom && above >= visible.y;
  return {centre, fits_above ? above : down(below), width, height};
}

}  // namespace

Rect HeadsLayout::thumbnail(std::size_t index) const {
  const std::size_t rows_above = index / columns;
  const auto row = static_cast<double>(rows_above * tile_rows);
  const auto col = static_cast<double>(index % columns * tile_cols);
  return {left + col * texel_width, top + row * texel_height,
          texel_width * static_cast<double>(texel_cols),
          texel_height * static_cast<double>(texel_rows)};
}

Rect HeadsLayout::whole() const {
  const double across = static_cast<double>(std::min(columns, count) * tile_cols) * texel_width;
  return {left, top, across, static_cast<double>(rows() * tile_rows) * texel_height};
}

HeadsLayout lay_out_heads(const Drawing& drawing, double width, double height) {
  constexpr double kBriefBelow = 26.0;  // font sizes
  const double font = drawing.font();
  const HeadsRoom room{drawing, head_row(drawing), width, height};
  HeadsLayout layout;
  layout.brief = width < kBriefBelow * font;
  layout.left = (layout.brief ? 2.8 : 4.5) * font;
  layout.top = 1.6 * font;
  const Arrangement made = arranged(room, layout);
  if (!layout.by_layer) layout.left = layout.top = 0.0;
  layout.columns = made.tiling.columns;
  // Texels in whole numbers make rows higher; thumbnails shrink until all fit again.
  const double least = std::min(kSmallest * font, made.side);
  for (double side = made.side;; side *= 0.98) {
    choose_texels(layout, room, std::max(side, least), head_map_step(drawing));
    const double row = static_cast<double>(layout.tile_rows) * layout.texel_height;
    const double all = layout.top + static_cast<double>(made.tiling.rows) * row;
    if (all <= height || side <= least) break;
  }
  choose_page(layout, room);
  return layout;
}

// Reads heads one after another: caching all of them takes longer than reading some twice.
Thumbnails thumbnails_of(const HeadsScene& scene) {
  const HeadsLayout& l = scene.layout;
  Thumbnails out{std::make_shared<MatrixCells>(), range_of_all(scene)};
  out.cells->rows = l.rows() * l.tile_rows;
  out.cells->cols = std::min(l.columns, l.count) * l.tile_cols;
  out.cells->values.resize(out.cells->rows * out.cells->cols);
  out.cells->hidden.resize(out.cells->values.size());
  for (std::size_t i = 0; i < scene.cards.size(); ++i) {
    PooledCells weights = weights_of(scene, i);
    if (scene.options.head_range == HeadRange::Head)
      to_places(weights, scale_of_head(scene, weights));
    put(l, i, weights, out);
  }
  return out;
}

void add_thumbnails(Figure& figure, const HeadsScene& scene, const Thumbnails& thumbnails) {
  figure.add(whole_item(scene.layout.whole(), thumbnails.cells, thumbnails.range, scene.theme));
  add_gaps(figure, scene);
}

std::optional<HeadAddress> head_beside(const Figure& heads, const HeadAddress& from,
                                       HeadStep step) {
  const std::vector<RectItem> thumbnails = thumbnails_of(heads);
  if (thumbnails.empty()) return std::nullopt;
  const auto at = std::ranges::find(thumbnails, from, head_of);
  if (at == thumbnails.end()) return head_of(thumbnails.front());
  const auto row = static_cast<std::int64_t>(columns_of(thumbnails));
  const std::int64_t by = step == HeadStep::Left    ? -1
                          : step == HeadStep::Right ? 1
                          : step == HeadStep::Up    ? -row
                                                    : row;
  const std::int64_t next = (at - thumbnails.begin()) + by;
  if (next < 0 || next >= std::ssize(thumbnails)) return std::nullopt;
  return head_of(thumbnails[static_cast<std::size_t>(next)]);
}

std::optional<Rect> place_of_head(const Figure& heads, const HeadAddress& head) {
  const std::vector<RectItem> thumbnails = thumbnails_of(heads);
  const auto at = std::ranges::find(thumbnails, head, head_of);
  return at == thumbnails.end() ? std::nullopt : std::optional(at->rect);
}

Figure shown_beside(const Drawing& drawing, const Figure& drawn, const Rect& place,
                    const Figure& part, const Rect& visible) {
  const double padding = 0.8 * drawing.font();
  RectItem background{.rect = place_beside(place, part, padding, visible),
                      .fill = drawing.theme.background,
                      .stroke = drawing.theme.accent,
                      .stroke_width = 1.0,
                      .radius = 0.4 * drawing.font()};
  Figure over = overlay_of(drawn);
  over.add(background);
  append_moved(over, part, {1.0, background.rect.x + padding, background.rect.y + padding});
  return over;
}

Figure heads_hover(const Drawing& drawing, const Figure& heads, const HitId& hit,
                   const Rect& visible) {
  const auto* pointed = std::get_if<HeadHit>(&hit);
  const std::optional<Rect> thumbnail =
      pointed != nullptr ? place_of_head(heads, pointed->head) : std::nullopt;
  if (!thumbnail) return overlay_of(heads);
  const double padding = 0.8 * drawing.font();
  const Rect seen = visible.grown(-1.0);
  const Figure part =
      close_up(drawing, pointed->head, seen.grown(-padding), find_matrix(heads)->scale);
  if (part.items.empty()) return overlay_of(heads);
  return shown_beside(drawing, heads, *thumbnail, part, seen);
}

}  // namespace attn
