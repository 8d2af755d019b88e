// The argument for √d_k with real numbers: four charts over the width of queries and keys.
#pragma once

#include <vector>

#include "engine/sharpness.h"
#include "plot/plot.h"

namespace attn {

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
