// All heads of all layers as small heatmaps: the one figure of what every head does.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/measures.h"
#include "plot/need.h"
#include "plot/plot.h"

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

}  // namespace attn
