// One head of a result as a problem, for plots that compute variants of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "engine/read/result.h"
#include "engine/statistics.h"
#include "plot/kit/ask.h"
#include "plot/kit/map_needs.h"
#include "plot/kit/plot.h"

namespace attn {

// Problem of one head with its mask and biases, offset of queries and sinks. Queries, keys and
// position are left out; the shape has one sample, one head, and lengths and widths of the result.
// Values are one column.
AttentionProblem surroundings_of(const AttentionResult& result, const HeadAddress& head);

// The part of the scoring that belongs to `head`: matrices and sinks without their axis of heads.
Scoring scoring_of_head(const Scoring& scoring, std::size_t head);

// A stage as a tensor of shape (1, 1, rows, cols). Precondition: the result has it.
Tensor stage_tensor(const AttentionResult& result, Stage stage, const HeadAddress& head);

// Weights under other assumptions.
struct WhatIf {
  MatrixId id;
  std::string label;  // shown while the job runs
  Scoring scoring;
  std::size_t d = 0;  // multiply-adds per cell
  std::function<Result<AttentionProblem>(const Document&, const AttentionResult&)> problem;
};

// Needs of the weights, and of parts of them when they are not materialised: some rows first, and
// all rows unless that takes minutes.
std::vector<Need> what_if_needs(const PlotInput& input, const WhatIf& what_if,
                                const CellWindow& window);

// The known part of such weights.
struct KnownWhatIf {
  MatrixPtr weights;   // null while there is nothing to draw
  PooledPartPtr part;  // when the weights are not materialised
  Error why;           // reason when there are no weights
};
KnownWhatIf known_what_if(const PlotInput& input, const WhatIf& what_if, const CellWindow& window);

// Statistics of the drawn cells, or of the pixels of a part; empty while there is nothing to draw.
Statistics statistics_of(const KnownWhatIf& known);

}  // namespace attn
