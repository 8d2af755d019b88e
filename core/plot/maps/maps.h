// The plots of cells beside the heatmap and the heads.
#pragma once

#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "plot/kit/ask.h"
#include "plot/kit/plot.h"
#include "plot/kit/pooled_part.h"

namespace attn {

// The weights of one head under one scoring function, or why there are none.
struct ComparedFunction {
  ScoringFunction function{};
  MatrixPtr weights;    // null where the function cannot be applied
  PooledPartPtr part;   // what is drawn of weights that nobody keeps
  std::string missing;  // why not: "needs queries and keys of the same width"
};

// The weights under every function that can be applied. Everything but the function stays:
// normaliser, softcap, temperature, a scale that was set, biases and hidden cells. Matrices that a
// function lacks are those that choosing it would generate.
std::vector<Need> compare_needs(const PlotInput& input, const PlotOptions& options);

// What is there of them: one entry per scoring function, in the order of all_scoring_functions().
// Empty where the result has no queries and keys.
std::vector<ComparedFunction> compared_functions(const PlotInput& input, const HeadAddress& head,
                                                 const CellWindow& window = {});

// Why there is nothing to compare, in a sentence; "" when there is.
std::string nothing_to_compare(const AttentionProblem& problem, const HeadAddress& at = {});

// The plot named "compare".
Result<Figure> compare(const PlotInput& input, const PlotOptions& options,
                       const TextMetrics& metrics);

// That matrix.
std::vector<Need> derived_needs(const PlotInput& input, const PlotOptions& options);

// The heatmap of options.derived, or why it cannot be made.
Result<Figure> derived_matrix(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

// A is the matrix that the options name; B is another stage, layer, sample or head, as minus_… say,
// of the same document or of the reference. Where they say nothing, B is the same matrix of the
// reference, or the next head (layer, sample) of the document. A heatmap of A − B on a diverging
// map with zero in its middle, or in its place and over the range of both, A or B alone; below it
// the largest changes, each hit like its cell. Refuses (Usage) what there is nothing to compare
// with, and extents that differ, with both of them.
Result<Figure> difference_plot(const PlotInput& input, const PlotOptions& options,
                               const TextMetrics& metrics);
std::vector<Need> difference_needs(const PlotInput& input, const PlotOptions& options);

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
PositionTable position_table(const AttentionProblem& problem, const HeadAddress& at = {});

// Why there is nothing to show, in a sentence; "" when there is.
std::string nothing_positioned(const AttentionProblem& problem, const HeadAddress& at = {});

// The table, and the weights (n_q, n_k) of one head as they would be if all tokens had the same
// content: embeddings of zeros before positions are added, or else queries and keys of ones.
// Scoring, mask and biases stay.
std::vector<Need> positions_needs(const PlotInput& input, const PlotOptions& options);

// The plot named "positions".
Result<Figure> positions_plot(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

}  // namespace attn
