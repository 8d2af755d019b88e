// The small maps of all heads where nobody keeps their cells: found beforehand, as needs.
#pragma once

#include <cstddef>
#include <vector>

#include "plot/need.h"
#include "plot/parts/pooled_part.h"
#include "plot/plot.h"

namespace attn {

// Whether the heads' maps must be found before they are drawn.
bool has_maps_to_find(const AttentionResult& result);

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

}  // namespace attn
