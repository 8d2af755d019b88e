// The plots of lines, bars and tables beside the links.
#pragma once

#include <string>
#include <vector>

#include "attention/cost.h"
#include "engine/sharpness.h"
#include "plot/kit/ask.h"
#include "plot/kit/chart.h"
#include "plot/kit/plot.h"

namespace attn {

// Operations of every kind of layer over n, both axes logarithmic, with the document's n marked and
// the crossings ringed.
Chart cost_chart(const CostBasis& basis, const FigureTheme& theme);

// "n = 16 (= d)": where self-attention begins to cost more, one sentence.
std::string crossing_sentence(const CostBasis& basis);

// How many parameters the heads of the problem take, beside one head; "" for finished weights.
std::string head_sentence(const AttentionShape& shape);

// Why there is no cost to show, in a sentence; "" when there is: finished weights tell no width.
std::string nothing_to_count(const AttentionProblem& problem, const HeadAddress& at = {});

// The plot named "cost".
Result<Figure> cost_plot(const PlotInput& input, const PlotOptions& options,
                         const TextMetrics& metrics);

// Bars of the sequence lengths and feature dimensions of Q, K, V and output with their values on
// top.
Figure dimension_bars(const PlotInput& input, const PlotOptions& options,
                      const TextMetrics& metrics);

// Boxes from X to the output with symbolic and actual shapes; options.highlight stands out.
Figure shape_flow(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

// Both, one above the other: the plot named "dimensions".
Figure dimensions(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

// The sums behind the curve.
std::vector<Need> distances_needs(const PlotInput& input, const PlotOptions& options);

// The plot named "distances": the mean weight of the visible cells at each distance, and what equal
// weights over the visible keys would give. Refuses queries and keys of different sequences.
Result<Figure> distances_plot(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

// The counts behind the bars.
std::vector<Need> distribution_needs(const PlotInput& input, const PlotOptions& options);

// The plot named "distribution". Hidden cells and those that are not finite are not counted, and
// the words below say how many they are.
Result<Figure> distribution_plot(const PlotInput& input, const PlotOptions& options,
                                 const TextMetrics& metrics);

// The measures of a layer's heads.
std::vector<Need> measures_needs(const PlotInput& input, const PlotOptions& options);

// One row per head with a tinted cell for each measure, the labels that the numbers earn, and below
// what those labels mean. Shares are tinted from 0 to 1, other measures up to the largest of the
// layer. Each row carries the HeadHit of its head, each label its HeadLabelHit.
Result<Figure> measures(const PlotInput& input, const PlotOptions& options,
                        const TextMetrics& metrics);

// Mean and deviation of the entries of q and k of one head (before rotary positions), its number of
// keys and the document's seed. Standard normals where there are no finite q and k.
struct SharpnessInput {
  SharpnessSetup setup;
  std::size_t d_k = 0;    // of the document; 0 when it has none
  std::size_t keys = 0;   // likewise
  bool measured = false;  // q and k have been looked at
};
SharpnessInput sharpness_input(const PlotInput& input, const HeadAddress& head);

// 1, 2, 4 … 512, and d_k among them where it is at most 1024.
std::vector<std::size_t> sharpness_widths(std::size_t d_k);

// The numbers behind the charts.
std::vector<Need> sharpness_needs(const PlotInput& input, const PlotOptions& options);

// The plot named "sharpness".
Result<Figure> sharpness_plot(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

}  // namespace attn
