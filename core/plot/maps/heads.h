// All heads of all layers as small heatmaps: the one figure of what every head does.
#pragma once

#include <algorithm>
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
#include "plot/kit/ask.h"
#include "plot/kit/drawing.h"
#include "plot/kit/plot.h"
#include "plot/kit/pooled_part.h"

namespace attn {

// A head of the figure, and what is written under it.
struct HeadCard {
  HeadAddress at;
  std::optional<HeadMeasures> measures;  // absent as long as they are not computed
};

// The measures of all heads of the sample, or of all samples; and their maps where nobody keeps
// them.
std::vector<Need> heads_needs(const PlotInput& input, const PlotOptions& options);

// The heads of the figure in its order: by layer, or by a measure from the largest down (heads
// without one last). One sample, or all of them. With their measures where these are computed.
std::vector<HeadCard> head_cards(const PlotInput& input, const PlotOptions& options);

// The plot named "heads". One matrix holds the weights of all heads, each divided by the upper end
// of its colours (HeadRange) where heads have their own; RectItems with HeadHit say which is which.
// Rows are layers and columns heads while they are in that order and fit the width. More heads than
// a page holds are parted into pages. Refuses (Usage) a page that is not there.
Result<Figure> heads_plot(const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics);

// “Entropy, of largest”: both lines of a measure's heading in one.
std::string words_of(const MeasureInfo& measure);

// “Layer 3, head 7: previous token · Entropy, of largest 0.12”; only the name as long as its
// measures are not computed.
std::string head_sentence(const PlotInput& input, const PlotOptions& options,
                          const HeadAddress& head);

// The head under the pointer, larger and with its tokens, to be painted over the figure of all
// heads beside the thumbnail, within the part of it that can be seen. Without items for other hits.
Figure heads_hover(const PlotInput& input, const Figure& heads, const PlotOptions& options,
                   const TextMetrics& metrics, const HitId& hit, const Rect& visible);

enum class HeadStep { Left, Right, Up, Down };

// To the left and right in the order of the figure, on in the next row where one ends; up and down
// in the same column. The first where `from` is not in the figure; nothing beyond its ends.
std::optional<HeadAddress> head_beside(const Figure& heads, const HeadAddress& from, HeadStep step);

// The head's thumbnail.
std::optional<Rect> place_of_head(const Figure& heads, const HeadAddress& head);

// --- The parts of the plot: which heads, their maps, their places, their cells ---

inline constexpr double kCaptionLine = 1.0;  // of the words under a thumbnail, in font sizes

// Thumbnails lie in one matrix, `tile_rows` × `tile_cols` texels apart, so that one image holds
// them; what is between them is painted over.
struct HeadsLayout {
  bool by_layer = false;    // rows are layers (of each sample), columns heads
  std::size_t columns = 1;  // thumbnails side by side
  std::size_t first = 0;    // head of the page, and how many follow
  std::size_t count = 0;
  std::size_t page = 0, pages = 1;
  std::size_t step = 1;                        // queries and keys under one texel, each way
  std::size_t texel_rows = 0, texel_cols = 0;  // of a thumbnail
  std::size_t tile_rows = 0, tile_cols = 0;    // with the room after it
  double texel_width = 0.0, texel_height = 0.0;
  double left = 0.0, top = 0.0;  // room for the names of rows and of columns
  double caption = 0.0;          // lines under a thumbnail, units; 0: too small for any
  bool wraps = false;            // what the head does may take two of them

  std::size_t rows() const { return quotient_up(count, columns); }
  double width() const { return texel_width * static_cast<double>(texel_cols); }
  double height() const { return texel_height * static_cast<double>(texel_rows); }
  // Of the `index`th thumbnail of the page, from the corner of the grid.
  Rect thumbnail(std::size_t index) const;
  Rect whole() const;
};

// `heads` in the order of layers or in another; `room` units for them and the names of rows, and
// `height` units that they keep to while they are large enough to see; 0: as high as they get.
// The step is a multiple of `unit`.
HeadsLayout lay_out_heads(const AttentionShape& shape, const PlotOptions& options,
                          std::size_t heads, double room, double height, std::size_t unit = 1);

// In the order of layers, without a list of all of them.
struct HeadRow {
  std::vector<std::size_t> layers{}, heads{};  // of every sample; rising
  std::size_t samples = 1;
  HeadAddress first{};   // of the attention, and of the first sample
  std::string choice{};  // as the options say it; empty: all

  std::size_t count() const { return layers.size() * heads.size() * samples; }
  HeadAddress at(std::size_t index) const;
  std::size_t index_of(const HeadAddress& head) const;  // of one that is among them
};

// Those of options.layers and options.heads that are there, of one sample or of all.
HeadRow head_row(const AttentionShape& shape, const PlotOptions& options);

// Whether the heads' maps must be found before they are drawn.
bool has_maps_to_find(const AttentionResult& result, const HeadAddress& at);

// A few rows of every head first, where all of them take long; then each head's map. In the order
// of layers.
std::vector<Need> head_map_needs(const AttentionResult& result, const PlotOptions& options);

// The best that is known of a head; null when nothing is.
PooledPartPtr head_map(const PlotInput& input, const PlotOptions& options, const HeadAddress& head);

// So many queries and keys of the problem stand together in the maps, each way.
std::size_t head_map_step(const AttentionResult& result, const PlotOptions& options);

// Cells of a map with other steps: multiples of its own, or parts of them where it has fewer rows.
PooledCells with_steps(const PooledPart& map, std::size_t step, Pooling pooling);

// Why not even one of the heads has a map.
Error why_no_maps(const PlotInput& input, const PlotOptions& options);

// Of the heads of the page, where maps are found before they are drawn; else empty: all are known.
struct FoundMaps {
  std::vector<bool> known, whole;  // a few rows at least; all of them
  std::size_t rows_read = 0;       // of a head that is not whole; 0: none is known

  bool is_known(std::size_t card) const { return known.empty() || known[card]; }
  bool is_nothing() const { return !known.empty() && std::ranges::count(known, true) == 0; }
  std::size_t whole_count() const {
    return static_cast<std::size_t>(std::ranges::count(whole, true));
  }
};

struct HeadsScene : Drawing {
  std::span<const HeadCard> cards{};  // of the page
  HeadsLayout layout{};
  FoundMaps maps{};
  const MeasureInfo* tint = nullptr;  // under each head; null: none
};

// Null when there is none of that name.
const MeasureInfo* measure_named(std::string_view name);

// Nothing where the head is not measured or has no such value.
std::optional<double> value_of(const HeadCard& card, const MeasureInfo& measure);

struct Thumbnails {
  std::shared_ptr<MatrixCells> cells;
  float top = 1.0F;  // of the colours of all; 1 where heads have their own
  ColorCurve curve = ColorCurve::Linear;
  bool beyond_low = false, beyond_high = false;
};

// The weights of the page's heads, each in its place, divided by the top of its own colours where
// heads have their own.
Thumbnails thumbnails_of(const HeadsScene& scene);

// The image, and what hides the room between the thumbnails.
void add_thumbnails(Figure& figure, const HeadsScene& scene, const Thumbnails& thumbnails);

}  // namespace attn
