// The same queries and keys under every scoring function, side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/plot.h"

namespace attn {

// More multiply-adds than this, over all functions, take longer than a frame: then the plot is
// refused.
inline constexpr std::uint64_t kMostCompared = 1'000'000;

// The weights of one head under one scoring function, or why there are none.
struct ComparedFunction {
  ScoringFunction function{};
  std::string formula;         // of the scores with their scale
  std::vector<float> weights;  // (n_q, n_k); empty where the function cannot be applied
  std::string missing;         // why not: "needs queries and keys of the same width"
};

// One entry per scoring function, in the order of all_scoring_functions(). Everything but the
// function stays: normaliser, softcap, temperature, a scale that was set, biases and hidden cells.
// Matrices that a function lacks are those that choosing it would generate. Empty where the result
// has no queries and keys, or where it would take more than kMostCompared.
std::vector<ComparedFunction> compare_functions(const PlotInput& input, const HeadAddress& head);

// Why compare_functions has nothing to show, in a sentence; "" when it has.
std::string nothing_to_compare(const AttentionResult& result);

// The plot named "compare".
Result<Figure> compare(const PlotInput& input, const PlotOptions& options,
                       const TextMetrics& metrics);

}  // namespace attn
