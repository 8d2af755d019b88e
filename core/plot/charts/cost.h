// What self-attention costs beside recurrence and convolution: a table and a chart over n.
#pragma once

#include "attention/cost.h"
#include "plot/parts/chart.h"
#include "plot/plot.h"

namespace attn {

// Operations of every kind of layer over n, both axes logarithmic, with the document's n marked and
// the crossings ringed.
Chart cost_chart(const CostBasis& basis, const FigureTheme& theme);

// "n = 16 (= d)": where self-attention begins to cost more, one sentence.
std::string crossing_sentence(const CostBasis& basis);

// How many parameters the heads of the problem take, beside one head; "" for finished weights.
std::string head_sentence(const AttentionShape& shape);

// Why there is no cost to show, in a sentence; "" when there is: finished weights tell no width.
std::string nothing_to_count(const AttentionProblem& problem);

// The plot named "cost".
Result<Figure> cost_plot(const PlotInput& input, const PlotOptions& options,
                         const TextMetrics& metrics);

}  // namespace attn
