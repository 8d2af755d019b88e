// Scores to output for some queries of one head. Internal to the engine.
#pragma once

#include <array>
#include <cstddef>

#include "engine/layer/layer_result.h"

namespace attn {

// Rows that one job computes: few enough that the batch's stages stay in the cache and that even
// one head keeps several threads busy.
inline constexpr std::size_t kBatchRows = 64;

struct RowBatch {
  HeadAddress head;
  std::size_t row = 0;
  std::size_t rows = 0;
};

std::size_t batches_of(std::size_t rows);

// Batch number `job` of (samples, heads, batches of rows).
RowBatch row_batch(std::size_t job, std::size_t heads, std::size_t rows);

// By number of the stage.
using StageSummaries = std::array<CellSummary, kStageCount>;

// Fills rows [row, row + rows) of every stage from Scores to Output and returns what is known of
// them. Different batches may be computed at the same time. Precondition: Query, Key, Value and
// their rotated forms are complete, and so is the summary of Value.
StageSummaries attend_rows(LayerResult& result, const RowBatch& batch);

}  // namespace attn
