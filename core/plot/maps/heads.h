// All heads of all layers as small heatmaps, and measures of heads as a table.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention/problem.h"
#include "base/quotient_up.h"
#include "engine/measures.h"
#include "figure/figure.h"
#include "plot/colors/color_bar.h"
#include "plot/kit/map_needs.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"

namespace attn {

// A head of the figure with its captions.
struct HeadCard {
  HeadAddress at;
  std::optional<HeadMeasures> measures;  // absent until they are computed
};

// Needs: the measures of all heads of the sample or of all samples, and their maps when they are
// not materialised.
std::vector<Need> heads_needs(const FittedView& view);

struct MeasuredHeads final : Derivation {
  std::vector<HeadCard> cards;
  std::uint64_t bytes() const override { return cards.size() * sizeof(HeadCard); }
};

// The heads of the figure in its order: by layer, or by a measure in descending order (heads
// without a value last). Covers one sample or all; has measures once these are computed.
std::vector<HeadCard> head_cards(const FittedView& view);

// The plot named "heads". One matrix holds the weights of all heads, or their positions in the
// range of their head (HeadRange::Head); RectItems with HeadHit mark the heads. Rows are layers and
// columns heads when the order is by layer and they fit the width. Returns a Usage error for a page
// that does not exist.
Result<Figure> heads_plot(const Drawing& drawing);

// “Entropy, of largest”: both lines of a measure's heading in one.
std::string words_of(const MeasureInfo& measure);

// Overlay with an enlarged map of the hovered head and its tokens, next to the thumbnail and within
// the visible part of the figure. Without items for other hits.
Figure heads_hover(const Drawing& drawing, const Figure& heads, const HitId& hit,
                   const Rect& visible);

enum class HeadStep { Left, Right, Up, Down };

// Left and right follow the order of the figure and continue in the next row; up and down stay in
// the column. The first head when `from` is not in the figure; nothing beyond the ends.
std::optional<HeadAddress> head_beside(const Figure& heads, const HeadAddress& from, HeadStep step);

// Rectangle of the head's thumbnail.
std::optional<Rect> place_of_head(const Figure& heads, const HeadAddress& head);

// --- Parts of the plot: choice of heads, maps, layout, cells ---

inline constexpr double kCaptionLine = 1.0;  // of a caption, in font sizes

// Captions below a thumbnail, in addition to its name; as much as leaves the thumbnails large.
enum class HeadCaptions { None, Number, Labels };

// Thumbnails lie in one matrix, `tile_rows` × `tile_cols` texels apart, so that one image holds
// them; the gaps are painted over.
struct HeadsLayout {
  bool by_layer = false;    // rows are layers (of each sample), columns heads
  bool brief = false;       // "L1" names a row instead of "Layer 1"
  std::size_t columns = 1;  // thumbnails side by side
  std::size_t first = 0;    // head of the page, and number of its heads
  std::size_t count = 0;
  std::size_t page = 0, pages = 1;
  Coarsening step{};                           // queries and keys under one texel
  std::size_t zoom = 1;                        // texels of one weight, each way, when there are few
  std::size_t texel_rows = 0, texel_cols = 0;  // of a thumbnail
  std::size_t tile_rows = 0, tile_cols = 0;    // with the gap after it
  double texel_width = 0.0, texel_height = 0.0;
  double left = 0.0, top = 0.0;  // space for the names of rows and of columns
  HeadCaptions captions = HeadCaptions::None;
  double caption = 0.0;  // height of the lines under a thumbnail, units; 0: none
  double gate = 0.0;     // height of the strip of its gate, above them; 0: none
  bool wraps = false;    // a label may take two lines

  std::size_t rows() const { return quotient_up(count, columns); }
  // Rectangle of the `index`th thumbnail of the page, relative to the grid.
  Rect thumbnail(std::size_t index) const;
  Rect whole() const;
};

// Layout of the chosen heads in `width` units, including the names of rows, and `height` units,
// which thumbnails may exceed to stay visible. Steps are multiples of head_map_step.
HeadsLayout lay_out_heads(const Drawing& drawing, double width, double height);

// The chosen heads in the order of layers, without a list of all of them.
struct HeadRow {
  std::vector<std::size_t> layers{}, heads{};  // of every sample; ascending
  std::size_t samples = 1;
  HeadAddress first{};   // the attention, and the first sample
  std::string choice{};  // the option's text; empty: all

  std::size_t count() const { return layers.size() * heads.size() * samples; }
  HeadAddress at(std::size_t index) const;
  std::size_t index_of(const HeadAddress& head) const;  // precondition: it is chosen
};

// The heads chosen by options.layers and options.heads, of one sample or of all.
HeadRow head_row(const FittedView& view);

// True if heads have strips for their gates: on a screen where there can be gates, else where there
// are.
bool shows_gates(const FittedView& view);

// Mean variation of a head's weights from those of the reference; nothing unless both are of one
// shape, finite where they differ, and need not be computed.
std::optional<double> change_of(const AttentionResult& result, const AttentionResult& reference,
                                const HeadAddress& head);

// Needs of the measures of these heads.
std::vector<Need> measure_needs(const FittedView& view, const HeadRow& row, std::string_view label);

// True if the maps of the heads are derived before they are drawn.
bool has_maps_to_find(const FittedView& view);

// Needs: a few rows of every head when all of them take long; then the map of each head, in the
// order of layers.
std::vector<Need> head_map_needs(const FittedView& view);

// The most exact known map of a head; null when there is none.
PooledPartPtr head_map(const FittedView& view, const HeadAddress& head);

// Queries and keys of the problem under one cell of the maps.
Coarsening head_map_step(const FittedView& view);

// Error for a figure without any map.
Error why_no_maps(const FittedView& view);

struct HeadsScene : Drawing {
  std::span<const HeadCard> cards{};  // of the page
  HeadsLayout layout{};
  std::vector<PooledPartPtr> maps{};  // of the heads, null: unknown; empty when none are derived
  const MeasureInfo* tint = nullptr;  // shown under each head; null: none
  // Mean variation of each head's weights from those of the reference; empty: unknown, or none.
  std::vector<double> changes{};
};

// Null when there is none with that name.
const MeasureInfo* measure_named(std::string_view name);

// Returns nothing when the head is not measured or the measure is not defined.
std::optional<double> value_of(const HeadCard& card, const MeasureInfo& measure);

// The value that has the full tint: 1 for shares, else the largest.
double full_tint(std::span<const HeadCard> cards, const MeasureInfo& measure);

struct Thumbnails {
  std::shared_ptr<MatrixCells> cells;
  ColorRange range;  // of all
};

// Weights of the heads of the page, or their positions in the range of their head, each at the
// place of its thumbnail.
Thumbnails thumbnails_of(const HeadsScene& scene);

// Adds the image, and covers the gaps between the thumbnails.
void add_thumbnails(Figure& figure, const HeadsScene& scene, const Thumbnails& thumbnails);

// --- The table of the heads of one layer ---

std::vector<Need> measures_needs(const FittedView& view);

// One row per head with a tinted cell for each measure and the labels of the head, which are
// letters where columns are narrow, and below it the meaning of those labels. Shares are tinted
// from 0 to 1, other measures up to the largest of the layer. Each row carries the HeadHit of its
// head, each label its HeadLabelHit.
Result<Figure> measures(const Drawing& drawing);

// Overlay with a figure next to the place of a head, within the visible part of the drawn figure.
Figure shown_beside(const Drawing& drawing, const Figure& drawn, const Rect& place,
                    const Figure& part, const Rect& visible);

// Overlay that explains the measures of the row under the pointer, next to the row.
Figure measures_hover(const Drawing& drawing, const Figure& figure, const HitId& hit,
                      const Rect& visible);

}  // namespace attn
