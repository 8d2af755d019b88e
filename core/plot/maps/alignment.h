// Alignment of a recurrent encoder–decoder step by step, beside the same decoder with one fixed
// vector (Bahdanau et al. 2015, figure 3; the bottleneck that attention removes).
#pragma once

#include "plot/kit/plot.h"

namespace attn {

// Reason why a problem has no steps; "" for recurrent models.
std::string nothing_to_follow(const AttentionProblem& problem);

// Weights of the first options.step steps (0: all), survival of each source token in the fixed
// vector, and influence of source tokens on each output with attention and without. Pure. Returns a
// Usage error for other kinds of model.
Result<Figure> alignment_plot(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

// Sentence for documents without steps.
inline constexpr const char* kNoSteps = "This document has no recurrent decoder";

// Number of steps drawn: options.step, at most n_q.
std::size_t shown_steps(const AttentionResult& result, const PlotOptions& options);

}  // namespace attn
