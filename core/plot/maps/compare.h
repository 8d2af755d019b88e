// The same queries and keys under every scoring function, side by side.
#pragma once

#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "plot/parts/pooled_part.h"
#include "plot/plot.h"

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
std::string nothing_to_compare(const AttentionProblem& problem);

// The plot named "compare".
Result<Figure> compare(const PlotInput& input, const PlotOptions& options,
                       const TextMetrics& metrics);

}  // namespace attn
