// Where tokens stand, as numbers: the encoding of every position, and the attention that positions
// alone would give.
#pragma once

#include <string>
#include <vector>

#include "plot/plot.h"

namespace attn {

// What is drawn of the encoding.
inline constexpr std::size_t kMostPositionRows = 128, kMostPositionColumns = 256;

// Rows are positions from 0 on, columns features: what is added to embeddings, or for rotary
// positions the cosine of the angle by which each pair of columns is turned. Empty (no rows) where
// positions enter only as biases.
struct PositionTable {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values;
  bool cut = false;  // the problem has more rows or columns
};
PositionTable position_table(const AttentionProblem& problem);

// Why there is nothing to show, in a sentence; "" when there is.
std::string nothing_positioned(const AttentionProblem& problem);

// The table, and the weights (n_q, n_k) of one head as they would be if all tokens had the same
// content: embeddings of zeros before positions are added, or else queries and keys of ones.
// Scoring, mask and biases stay.
std::vector<Need> positions_needs(const PlotInput& input, const PlotOptions& options);

// The plot named "positions".
Result<Figure> positions_plot(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

}  // namespace attn
