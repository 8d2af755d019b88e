// Columns, pages and texels of the plot of all heads.
#include "plot/maps/heads_layout.h"

#include <algorithm>
#include <cmath>

#include "base/quotient_up.h"
#include "plot/parts/matrix_item.h"

namespace attn {
namespace {

constexpr std::size_t kMostTexels = 4096;   // of one image, per side
constexpr std::size_t kMostOnAPage = 1200;  // thumbnails
constexpr std::size_t kMostWrapped = 24;    // lines of them in another order than that of layers
constexpr double kBetween = 0.12;           // between thumbnails, of their width
constexpr double kWidthOfWords = 5.6;       // of the longest words for a head, in font sizes
constexpr double kWidest = 16.0;            // thumbnail, in font sizes
constexpr double kSmallest = 6.0;           // that a given height makes of it

std::size_t up(double value) { return static_cast<std::size_t>(std::ceil(value - 1e-9)); }

// Thumbnails as wide as columns allow; wrapped ones are about as wide as five letters are high.
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

// Height of a thumbnail, of its width: square cells, but never much higher or flatter than wide.
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

// A texel is no smaller than a pixel of the budget.
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

}  // namespace

Rect HeadsLayout::thumbnail(std::size_t index) const {
  const std::size_t rows_above = index / columns;
  const auto row = static_cast<double>(rows_above * tile_rows);
  const auto col = static_cast<double>(index % columns * tile_cols);
  return {left + col * texel_width, top + row * texel_height, width(), height()};
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

}  // namespace attn
