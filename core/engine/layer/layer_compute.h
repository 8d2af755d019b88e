// Computation of one layer of attention, whole or for some queries of a head. Internal to the
// engine.
#pragma once

#include <array>

#include "base/progress.h"
#include "engine/layer/layer_result.h"

namespace attn {

// Indexed by stage.
using StageSummaries = std::array<CellSummary, kStageCount>;

// Fills rows [row, row + rows) of all stages from Scores to Output and returns their summaries.
// Thread-safe for different batches. Precondition: Query, Key, Value, their rotated forms and the
// summary of Value are complete.
StageSummaries attend_rows(LayerResult& result, const RowBatch& batch);

// Fills all allocated stages of `result` and their summaries, but no notes, for one attention of
// one layer. False if cancelled. `progress` may be null. The bits do not depend on `threads`.
// `before`, which may be null: a result from which unchanged parts are taken over.
bool compute_stages(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before = nullptr);

// Materialises Projected, a few rows at a time, for the next layer, if maps are not materialised.
// False if cancelled. Throws std::bad_alloc.
bool materialise_projected(LayerResult& result, unsigned threads, Progress* progress,
                           const LayerResult* before = nullptr);

}  // namespace attn
