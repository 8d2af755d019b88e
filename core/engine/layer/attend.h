// Scores to output for some queries of one head. Internal to the engine.
#pragma once

#include <array>
#include <cstddef>

#include "engine/layer/layer_result.h"
#include "engine/layer/row_batch.h"

namespace attn {

// By number of the stage.
using StageSummaries = std::array<CellSummary, kStageCount>;

// Fills rows [row, row + rows) of every stage from Scores to Output and returns what is known of
// them. Different batches may be computed at the same time. Precondition: Query, Key, Value and
// their rotated forms are complete, and so is the summary of Value.
StageSummaries attend_rows(LayerResult& result, const RowBatch& batch);

}  // namespace attn
