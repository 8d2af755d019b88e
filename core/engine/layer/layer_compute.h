// One layer of attention computed into its result, whole or for some queries of a head. Internal to
// the engine.
#pragma once

#include <array>

#include "base/progress.h"
#include "engine/layer/layer_result.h"

namespace attn {

// By number of the stage.
using StageSummaries = std::array<CellSummary, kStageCount>;

// Fills rows [row, row + rows) of every stage from Scores to Output and returns what is known of
// them. Different batches may be computed at the same time. Precondition: Query, Key, Value and
// their rotated forms are complete, and so is the summary of Value.
StageSummaries attend_rows(LayerResult& result, const RowBatch& batch);

// Fills all stages that `result` has memory for, and what is known of them, except its notes, of
// one attention of one layer. False when cancelled. `progress` may be
// null. The bits do not depend on `threads`. `before`, which may be null: a result from which what
// did not change is taken over.
bool compute_stages(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before = nullptr);

// For who goes on from it: computes Projected, a few rows at a time, of a layer that does not keep
// its maps. False when cancelled. Throws std::bad_alloc.
bool keep_projected(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before = nullptr);

}  // namespace attn
