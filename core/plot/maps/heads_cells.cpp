// Layout of the thumbnails of all heads, their weights in one matrix, and the hovered head.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "engine/matrix/pool.h"
#include "plot/colors/color_range.h"
#include "plot/kit/cells.h"
#include "plot/kit/marks.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"
#include "plot/maps/heads.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

constexpr std::size_t kMostTexels = 4096;   // of one image, per side
constexpr std::size_t kMostOnAPage = 1200;  // thumbnails
constexpr std::size_t kMostWrapped = 24;    // rows of thumbnails in another order than by layer
constexpr double kBetween = 0.12;           // between thumbnails, of their width
constexpr double kWidthOfWords = 5.6;       // of the longest label, in font sizes
constexpr double kWidest = 16.0;            // thumbnail, in font sizes
constexpr double kSmallest = 6.0;           // thumbnail that a given height may cause

std::size_t up(double value) { return static_cast<std::size_t>(std::ceil(value - 1e-9)); }

// Thumbnails as wide as the columns allow; in other orders about five letters wide.
void choose_columns(HeadsLayout& l, const AttentionShape& shape, const PlotOptions& options,
                    double room) {
  const double font = options.font_size;
  l.by_layer =
      options.sort == "layer" && (room - 4.5 * font) / static_cast<double>(shape.heads) >= font;
  l.left = l.by_layer ? 4.5 * font : 0.0;
  l.top = l.by_layer ? 1.6 * font : 0.0;
  l.columns = l.by_layer ? shape.heads
                         : std::max<std::size_t>(static_cast<std::size_t>(room / (4.4 * font)), 1);
}

double caption_lines(const HeadsLayout& l, const PlotOptions& options) {
  return (l.by_layer ? 0.0 : 1.0) + (options.tint == "none" ? 1.0 : 2.0) + (l.wraps ? 1.0 : 0.0);
}

// Height of a thumbnail relative to its width: square cells within limits.
double height_ratio(double rows, double cols) { return std::clamp(rows / cols, 0.4, 1.6); }

// The widest thumbnails of which all rows fit the height.
double widest_in(const HeadsLayout& l, const AttentionShape& shape, const PlotOptions& options,
                 std::size_t heads, double height) {
  const double font = options.font_size;
  if (height <= 0.0) return kWidest * font;
  const double row = (height - l.top) / static_cast<double>(quotient_up(heads, l.columns));
  const double words = (0.7 + kCaptionLine * caption_lines(l, options)) * font;
  const double ratio = height_ratio(static_cast<double>(shape.n_q), static_cast<double>(shape.n_k));
  const double rounding = 1.0 + 1.0 / static_cast<double>(std::max<std::size_t>(shape.n_q, 1));
  return std::clamp((row - words) / (ratio * rounding), kSmallest * font, kWidest * font);
}

// Texels are at least as large as a pixel of the budget.
void choose_texels(HeadsLayout& l, const AttentionShape& shape, const PlotOptions& options,
                   double room, double most, std::size_t unit) {
  const double font = options.font_size;
  const double pitch =
      std::min((room - l.left) / static_cast<double>(l.columns), most * (1.0 + kBetween));
  const double width = pitch / (1.0 + kBetween);
  const double least =
      std::max(options.width / static_cast<double>(most_texels(options.width, options)),
               room / static_cast<double>(kMostTexels));
  const std::size_t longer = std::max<std::size_t>(std::max(shape.n_q, shape.n_k), 1);
  l.step = std::max<std::size_t>(up(static_cast<double>(longer) * least / width), 1);
  l.step = quotient_up(l.step, unit) * unit;
  while (quotient_up(longer, l.step) > kMostTexels / 2) l.step += unit;
  l.texel_rows = std::max<std::size_t>(quotient_up(shape.n_q, l.step), 1);
  l.texel_cols = std::max<std::size_t>(quotient_up(shape.n_k, l.step), 1);
  const std::size_t gap = std::max<std::size_t>(
      static_cast<std::size_t>(std::lround(kBetween * static_cast<double>(l.texel_cols))), 1);
  l.tile_cols = l.texel_cols + gap;
  l.texel_width = pitch / static_cast<double>(l.tile_cols);
  const double side = l.texel_width * static_cast<double>(l.texel_cols);
  const double height =
      side * height_ratio(static_cast<double>(l.texel_rows), static_cast<double>(l.texel_cols));
  l.texel_height = height / static_cast<double>(l.texel_rows);
  l.wraps = side < kWidthOfWords * font;
  l.caption =
      side < 2.6 * font ? 0.0 : 0.2 * font + kCaptionLine * font * caption_lines(l, options);
  const double below = std::max(l.caption + 0.5 * font, kBetween * side);
  l.tile_rows = l.texel_rows + std::max<std::size_t>(up(below / l.texel_height), 1);
}

void choose_page(HeadsLayout& l, const PlotOptions& options, std::size_t heads) {
  const std::size_t by_texels = kMostTexels / l.tile_rows;
  const std::size_t by_count =
      l.by_layer ? kMostOnAPage / l.columns : std::min(kMostOnAPage / l.columns, kMostWrapped);
  const std::size_t rows = std::max<std::size_t>(std::min(by_texels, by_count), 1);
  l.pages = std::max<std::size_t>(quotient_up(heads, rows * l.columns), 1);
  l.page = options.page - 1;
  l.first = std::min(l.page * rows * l.columns, heads);
  l.count = std::min(rows * l.columns, heads - l.first);
}

// Empty for a head whose map is not known yet.
PooledCells weights_of(const HeadsScene& scene, std::size_t card) {
  if (!scene.maps.empty()) {
    if (scene.maps[card] == nullptr) return {};
    const PooledPart& map = *scene.maps[card];
    return with_step(map.cells, {map.range.rows, map.range.cols}, scene.layout.step,
                     scene.options.pooling);
  }
  const AttentionShape s = scene.shape();
  return read_pooled(scene.result, Stage::Weights, scene.cards[card].at, {0, 0, s.n_q, s.n_k},
                     scene.layout.texel_rows, scene.layout.texel_cols, scene.options.pooling);
}

float positive(float top) { return top > 0.0F ? top : 1.0F; }

// Copies the weights of a head to its place, divided by `unit`.
void put(const HeadsLayout& l, std::size_t index, const PooledCells& weights, float unit,
         Thumbnails& out) {
  const std::size_t corner =
      index / l.columns * l.tile_rows * out.cells->cols + index % l.columns * l.tile_cols;
  bool low = false, high = false;
  for (std::size_t row = 0; row < weights.rows; ++row) {
    const float* from = weights.values.data() + row * weights.cols;
    const HiddenRules* rules = weights.hidden.data() + row * weights.cols;
    float* to = out.cells->values.data() + corner + row * out.cells->cols;
    std::copy_n(rules, weights.cols, out.cells->hidden.data() + corner + row * out.cells->cols);
    for (std::size_t col = 0; col < weights.cols; ++col) {
      to[col] = from[col] / unit;
      const bool counts = (rules[col] == kVisible) & std::isfinite(to[col]);
      low |= counts & (to[col] < 0.0F);
      high |= counts & (to[col] > out.range.high);
    }
  }
  out.range.beyond_low = out.range.beyond_low || low;
  out.range.beyond_high = out.range.beyond_high || high;
}

float shared_top(const HeadsScene& scene, const HeadRangeInfo& range) {
  float most = 0.0F;
  for (std::size_t i = 0; i < scene.cards.size(); ++i) {
    most = std::max(most, range.top(weights_of(scene, i)));
  }
  return positive(most);
}

void add_cells(Figure& figure, const HeadsScene& scene, const Thumbnails& thumbnails) {
  MatrixItem m;
  m.cells = thumbnails.cells;
  m.rect = m.clip = scene.layout.whole();
  m.row_count = m.cells->rows;
  m.col_count = m.cells->cols;
  m.scale = thumbnails.range;
  m.hatch = scene.theme.hatch;
  m.hatch_background = scene.theme.hatch_background;
  figure.add(std::move(m));
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
  const double right = whole.x + whole.width, bottom = whole.y + whole.height;
  const std::size_t columns = std::min(l.columns, l.count);
  for (std::size_t col = 0; col < columns; ++col) {
    const Rect at = l.thumbnail(col);
    const double from = at.x + at.width;
    const double to = col + 1 == columns ? right + kBeyond : l.thumbnail(col + 1).x;
    add_cover(figure, scene, {from, whole.y - kBeyond, to - from, whole.height + 2.0 * kBeyond});
  }
  for (std::size_t row = 0; row < l.rows(); ++row) {
    const Rect at = l.thumbnail(row * l.columns);
    const double from = at.y + at.height;
    const double to = row + 1 == l.rows() ? bottom + kBeyond : l.thumbnail((row + 1) * l.columns).y;
    add_cover(figure, scene, {whole.x - kBeyond, from, whole.width + 2.0 * kBeyond, to - from});
  }
  if (l.rows() < 2 || l.count % l.columns == 0) return;
  const Rect after = l.thumbnail(l.count);
  add_cover(figure, scene, {after.x, after.y, right + kBeyond - after.x, bottom - after.y});
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
  std::string text =
      "Layer " + std::to_string(head.layer + 1) + ", head " + std::to_string(head.head + 1);
  if (shape.samples > 1) text += ", sample " + std::to_string(head.sample + 1);
  return text;
}

// “first token · Entropy, of largest 0.12”
std::string describe_head(const FittedView& view, const HeadAddress& head) {
  const std::vector<HeadCard> cards = head_cards(view);
  const auto card = std::ranges::find(cards, head, &HeadCard::at);
  if (card == cards.end() || !card->measures) return "";
  const HeadMeasures& measures = *card->measures;
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : " · ") + words; };
  for (const HeadLabelInfo* label : labels_of(measures)) add(std::string(label->label));
  const MeasureInfo* tint = measure_named(view.options.tint);
  const std::optional<double> value = tint != nullptr ? tint->value(measures) : std::nullopt;
  if (value) add(words_of(*tint) + " " + fixed_text(*value, view.options.decimals));
  return text;
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
Figure close_up(const Drawing& drawing, const HeadAddress& head, const Rect& room,
                ColorCurve curve) {
  constexpr double kTitlesAndLabels = 11.0;  // above the cells at most, in font sizes
  const MatrixPtr matrix = matrix_in(drawing, {Stage::Weights, head});
  const StageShape extents = matrix->extents();
  const bool is_found = !is_materialised(*matrix);
  const PooledPartPtr part = is_found ? head_map(drawing, head) : nullptr;
  if (is_found && part == nullptr) return {};
  const float top =
      head_range_info(drawing.options.head_range)
          .top(part != nullptr
                   ? part->cells
                   : pooled_by_rows(*matrix, {0, 0, extents.rows, extents.cols}, kMostEnlarged,
                                    kMostEnlarged, drawing.options.pooling));
  const std::string name = name_of(drawing.result.shape(), head);
  std::string description = describe_head(drawing, head);
  if (part != nullptr) {
    const std::string rows = rows_read_words(*part);
    description += description.empty() && !rows.empty() ? rows.substr(2) : rows;
  }
  SmallMap map{.title = name,
               .subtitle = description,
               .matrix = matrix.get(),
               .scale = {&colormap_for(drawing.options), 0.0F, top > 0.0F ? top : 1.0F, curve},
               .part = part.get()};
  map.most_height =
      std::clamp(room.height / drawing.font() - kTitlesAndLabels, 6.0, 20.0) * drawing.font();
  Drawing whole = drawing;
  whole.options.window = {};
  whole.options.pins.clear();
  const double widest = std::max(room.width, 10.0 * drawing.font());
  return small_map(whole, map, std::min(24.0 * drawing.font(), widest));
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

HeadsLayout lay_out_heads(const AttentionShape& shape, const PlotOptions& options,
                          std::size_t heads, double room, double height, std::size_t unit) {
  HeadsLayout layout;
  choose_columns(layout, shape, options, room);
  choose_texels(layout, shape, options, room, widest_in(layout, shape, options, heads, height),
                unit);
  choose_page(layout, options, heads);
  return layout;
}

// Reads heads one after another: caching all of them takes longer than reading some twice.
Thumbnails thumbnails_of(const HeadsScene& scene) {
  const HeadsLayout& l = scene.layout;
  const HeadRangeInfo& range = head_range_info(scene.options.head_range);
  Thumbnails out{std::make_shared<MatrixCells>(), {{&colormap_for(scene.options)}}};
  if (!range.per_head) out.range.high = shared_top(scene, range);
  out.cells->rows = l.rows() * l.tile_rows;
  out.cells->cols = std::min(l.columns, l.count) * l.tile_cols;
  out.cells->values.resize(out.cells->rows * out.cells->cols);
  out.cells->hidden.resize(out.cells->values.size());
  for (std::size_t i = 0; i < scene.cards.size(); ++i) {
    const PooledCells weights = weights_of(scene, i);
    put(l, i, weights, range.per_head ? positive(range.top(weights)) : 1.0F, out);
  }
  if (range.range == HeadRange::Largest) {
    out.range.curve = curve_of(of_cells(out.cells->values, out.cells->hidden), kShareOfHeads);
  }
  return out;
}

void add_thumbnails(Figure& figure, const HeadsScene& scene, const Thumbnails& thumbnails) {
  add_cells(figure, scene, thumbnails);
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
  const Rect seen{visible.x + 1.0, visible.y + 1.0, visible.width - 2.0, visible.height - 2.0};
  const Rect room{0.0, 0.0, seen.width - 2.0 * padding, seen.height - 2.0 * padding};
  const Figure part = close_up(drawing, pointed->head, room, curve_in(heads));
  if (part.items.empty()) return overlay_of(heads);
  return shown_beside(drawing, heads, *thumbnail, part, seen);
}

}  // namespace attn
