// The measures of every head of one layer as a table: what each head does, at a glance.
#pragma once

#include <vector>

#include "plot/plot.h"

namespace attn {

// The measures of a layer's heads.
std::vector<Need> measures_needs(const PlotInput& input, const PlotOptions& options);

// One row per head with a tinted cell for each measure, the labels that the numbers earn, and below
// what those labels mean. Shares are tinted from 0 to 1, other measures up to the largest of the
// layer. Each row carries the HeadHit of its head, each label its HeadLabelHit.
Result<Figure> measures(const PlotInput& input, const PlotOptions& options,
                        const TextMetrics& metrics);

}  // namespace attn
