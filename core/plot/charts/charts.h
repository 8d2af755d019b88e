// Plots of lines, bars and tables other than the links, and the boxes of the flow of shapes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "attention/cost.h"
#include "engine/sharpness.h"
#include "plot/kit/chart.h"
#include "plot/kit/plot.h"

namespace attn {

// Operations of every kind of layer over n, both axes logarithmic, with the document's n marked and
// rings at the crossings.
Chart cost_chart(const CostBasis& basis, const FigureTheme& theme);

// Sentence with the lengths from which self-attention costs more, such as "n = 16 (= d)".
std::string crossing_sentence(const CostBasis& basis);

// Parameters of the heads of the problem, compared with one head; "" for given weights.
std::string head_sentence(const AttentionShape& shape);

// Reason why there is no cost to show; "" when there is: given weights have no width.
std::string nothing_to_count(const AttentionProblem& problem, const HeadAddress& at = {});

// The plot named "cost".
Result<Figure> cost_plot(const Drawing& drawing);

// Bars of the sequence lengths and feature dimensions of Q, K, V and output, with their values on
// top.
Figure dimension_bars(const Drawing& drawing);

// Boxes from X to the output with symbolic and actual shapes; options.highlight is emphasised.
Figure shape_flow(const Drawing& drawing);

// The plot named "dimensions": both, one above the other.
Result<Figure> dimensions(const Drawing& drawing);

// Need: the sums of the curve.
std::vector<Need> distances_needs(const FittedView& view);

// The plot named "distances": mean weight of the visible cells by distance, beside that of equal
// weights over the visible keys. Refuses queries and keys of different sequences (Usage).
Result<Figure> distances_plot(const Drawing& drawing);

// Need: the counts of the bars.
std::vector<Need> distribution_needs(const FittedView& view);

// The plot named "distribution". Hidden cells and those that are not finite are not counted; the
// text below gives their number.
Result<Figure> distribution_plot(const Drawing& drawing);

// Mean and deviation of the entries of q and k of one head (before rotary positions), its number of
// keys and the document's seed, and what follows from them. Standard normals when there are no
// finite q and k.
struct SharpnessNumbers final : Derivation {
  SharpnessSetup setup;
  std::size_t d_k = 0;                 // of the document; 0 when it has none
  std::size_t keys = 0;                // of the document; 0 when it has none
  bool measured = false;               // q and k were measured
  std::vector<SharpnessPoint> points;  // of sharpness_widths()
  std::uint64_t bytes() const override { return points.size() * sizeof(SharpnessPoint); }
};
SharpnessNumbers sharpness_numbers(const PlotInput& input, const HeadAddress& head);

// 1, 2, 4 … 512, and d_k among them when it is at most 1024.
std::vector<std::size_t> sharpness_widths(std::size_t d_k);

// Need: the numbers of the charts.
std::vector<Need> sharpness_needs(const FittedView& view);

// The plot named "sharpness".
Result<Figure> sharpness_plot(const Drawing& drawing);

struct FlowBox {
  TensorHit tensor;
  StageRole role;
  std::string title;    // "Q", "Scores"
  std::string formula;  // may be empty
  std::string symbols;  // "(h, n, d_k)"
  std::string extents;  // "(2, 3, 4)"
  Color color;
  Rect rect{};           // in the figure
  std::size_t line = 0;  // of boxes
};

// Boxes of one column are computed side by side (Q, K, V); columns follow each other.
using FlowColumn = std::vector<FlowBox>;

// Embeddings that a computation begins with.
struct EmbeddingsUsed {
  InputHit tensor;
  StageRole role;
  std::string title;   // "X", "X (keys)"
  const Tensor* x;     // of the problem; rank 3, (samples, n, width)
  std::string length;  // symbol of n
};
std::vector<EmbeddingsUsed> embeddings_of(const PlotInput& input, const HeadAddress& at);

std::vector<FlowColumn> flow_of(const PlotInput& input, const FigureTheme& theme,
                                const HeadAddress& at = {});

// Whether `to`, a box of the column after `column`, is made from box `from` of it. Stages of a
// separate computation, such as a decoder without attention, and measures of a whole computation,
// such as influence, are not.
bool feeds(const FlowColumn& column, std::size_t from, const FlowBox& to);

// Whether the column after `column` is made from anything in it.
bool feeds(const FlowColumn& column, const FlowColumn& next);
}  // namespace attn
