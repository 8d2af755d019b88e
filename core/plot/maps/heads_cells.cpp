// Reads the weights of every head and lays them out in one matrix.
#include "plot/maps/heads_cells.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/matrix/head_range.h"
#include "plot/colors/color_range.h"
#include "plot/colors/stage_colors.h"
#include "plot/maps/heads_maps.h"

namespace attn {
namespace {

// Nothing of a head whose map is not found yet.
PooledCells weights_of(const HeadsScene& scene, const HeadAddress& at) {
  if (has_maps_to_find(scene.input.result)) {
    const PooledPartPtr map = head_map(scene.input, scene.options, at);
    if (map == nullptr) return {};
    return with_steps(*map, scene.layout.step, scene.options.pooling);
  }
  const AttentionShape& s = scene.shape();
  return read_pooled(scene.input.result, Stage::Weights, at, {0, 0, s.n_q, s.n_k},
                     scene.layout.texel_rows, scene.layout.texel_cols, scene.options.pooling);
}

float positive(float top) { return top > 0.0F ? top : 1.0F; }

// Copies a head's weights to its place, as parts of `unit`.
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
      high |= counts & (to[col] > out.top);
    }
  }
  out.beyond_low = out.beyond_low || low;
  out.beyond_high = out.beyond_high || high;
}

float shared_top(const HeadsScene& scene, const HeadRangeInfo& range) {
  float most = 0.0F;
  for (const HeadCard& card : scene.cards) {
    most = std::max(most, range.top(weights_of(scene, card.at)));
  }
  return positive(most);
}

void add_cells(Figure& figure, const HeadsScene& scene, const Thumbnails& thumbnails) {
  MatrixItem m;
  m.cells = thumbnails.cells;
  m.rect = m.clip = scene.layout.whole();
  m.row_count = m.cells->rows;
  m.col_count = m.cells->cols;
  m.scale = {&colormap_for(scene.options), 0.0F, thumbnails.top, thumbnails.curve};
  m.hatch = scene.theme.hatch;
  m.hatch_ground = scene.theme.hatch_ground;
  figure.items.push_back(std::move(m));
}

void add_cover(Figure& figure, const HeadsScene& scene, const Rect& rect) {
  RectItem cover;
  cover.rect = rect;
  cover.fill = scene.theme.background;
  cover.hit = ColorBarHit{};  // no cell of any head
  figure.items.push_back(cover);
}

// Paints over what lies between the thumbnails, and after the last one. At the edges of the image a
// little further, as it would shine through otherwise.
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

}  // namespace

// One head after the other: keeping all of them takes longer than reading some twice.
Thumbnails thumbnails_of(const HeadsScene& scene) {
  const HeadsLayout& l = scene.layout;
  const HeadRangeInfo& range = head_range_info(scene.options.head_range);
  Thumbnails out;
  if (!range.per_head) out.top = shared_top(scene, range);
  out.cells = std::make_shared<MatrixCells>();
  out.cells->rows = l.rows() * l.tile_rows;
  out.cells->cols = std::min(l.columns, l.count) * l.tile_cols;
  out.cells->values.resize(out.cells->rows * out.cells->cols);
  out.cells->hidden.resize(out.cells->values.size());
  for (std::size_t i = 0; i < scene.cards.size(); ++i) {
    const PooledCells weights = weights_of(scene, scene.cards[i].at);
    put(l, i, weights, range.per_head ? positive(range.top(weights)) : 1.0F, out);
  }
  if (range.range == HeadRange::Largest) {
    out.curve = curve_of(of_cells(out.cells->values, out.cells->hidden), kShareOfHeads);
  }
  return out;
}

void add_thumbnails(Figure& figure, const HeadsScene& scene, const Thumbnails& thumbnails) {
  add_cells(figure, scene, thumbnails);
  add_gaps(figure, scene);
}

}  // namespace attn
