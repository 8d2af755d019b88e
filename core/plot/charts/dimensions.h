// The shape of every tensor: bars of sequence length and feature dimension, and the flow of shapes.
#pragma once

#include "plot/plot.h"

namespace attn {

// Bars of the sequence lengths and feature dimensions of Q, K, V and output with their values on
// top.
Figure dimension_bars(const PlotInput& input, const PlotOptions& options,
                      const TextMetrics& metrics);

// Boxes from X to the output with symbolic and actual shapes; options.highlight stands out.
Figure shape_flow(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

// Both, one above the other: the plot named "dimensions".
Figure dimensions(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

}  // namespace attn
