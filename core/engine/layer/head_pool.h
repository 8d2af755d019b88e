// The largest weights of groups of cells in one pass over the scores, without computing each.
// Internal to the engine.
#pragma once

#include <functional>
#include <span>

#include "base/progress.h"
#include "engine/layer/head_blocks.h"
#include "engine/matrix/pool.h"

namespace attn {

// Where norms go that are found on the way. Called on several threads at once.
using KeepNorms = std::function<void(const HeadRows& rows, std::span<const RowNorm> norms)>;

// Fills some rows of `out`, whose steps and extents are those of `range`, with maxima: the bits are
// those of pooling all weights. Precondition: goes_by_blocks(head). False when it was cancelled.
bool pool_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSpan> wanted,
                  const KeepNorms& keep, Progress* progress, PooledCells& out);

}  // namespace attn
