// One head of a result as a problem of its own: what plots compute that ask "what if".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "engine/read/result.h"
#include "engine/statistics.h"
#include "plot/kit/ask.h"
#include "plot/kit/plot.h"
#include "plot/kit/pooled_part.h"

namespace attn {

// What surrounds the scores of one head: its mask with its biases, the offset of its queries, its
// sinks. Queries, keys and position are left out; the shape has one sample, one head, and lengths
// and widths of the result. Values are not asked for: one column.
AttentionProblem surroundings_of(const AttentionResult& result, const HeadAddress& head);

// The part of the scoring that serves `head`: matrices and sinks without their axis of heads.
Scoring scoring_of_head(const Scoring& scoring, std::size_t head);

// A stage as a tensor of shape (1, 1, rows, cols). Precondition: the result has it.
Tensor stage_tensor(const AttentionResult& result, Stage stage, const HeadAddress& head);

// Weights as they would be.
struct WhatIf {
  MatrixId id;
  std::string label;  // for those who wait
  Scoring scoring;
  std::size_t d = 0;  // multiply-adds of a cell
  std::function<Result<AttentionProblem>(const Document&, const AttentionResult&)> problem;
};

// The weights, and where nobody keeps them parts of them: all rows unless that takes minutes, and
// some first.
std::vector<Need> what_if_needs(const PlotInput& input, const WhatIf& what_if,
                                const CellWindow& window);

// What is known of them.
struct KnownWhatIf {
  MatrixPtr weights;   // null while nothing can be drawn
  PooledPartPtr part;  // where nobody keeps the weights
  Error why;           // why there are none
};
KnownWhatIf known_what_if(const PlotInput& input, const WhatIf& what_if, const CellWindow& window);

// Of what is drawn: of the pixels of a part. Nothing while nothing can be drawn.
Statistics statistics_of(const KnownWhatIf& known);

}  // namespace attn
