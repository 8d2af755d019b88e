// Scores to output for some queries of one head. Internal to the engine.
#pragma once

#include <array>
#include <cstddef>

#include "engine/dense_result.h"

namespace attn {

struct RowBlock {
  HeadAddress head;
  std::size_t row = 0;
  std::size_t rows = 0;
};

// By number of the stage.
using StageSummaries = std::array<CellSummary, kStageCount>;

// Fills rows [row, row + rows) of every stage from Scores to Output and returns what is known of
// them. Different blocks may be computed at the same time. Precondition: Query, Key, Value and
// their rotated forms are complete, and so is the summary of Value.
StageSummaries attend_rows(DenseResult& result, const RowBlock& block);

}  // namespace attn
