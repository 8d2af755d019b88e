// The alignment of a recurrent encoder–decoder as it grows step by step, beside the same decoder
// with one fixed vector (Bahdanau et al. 2015, figure 3; the bottleneck that it was made for).
#pragma once

#include "plot/kit/plot.h"

namespace attn {

// "" where rows are made one after another.
std::string nothing_to_follow(const AttentionProblem& problem, const HeadAddress& at = {});

// Weights of the first options.step steps (0: all), what of each source token survives in the fixed
// vector, and the influence of source tokens on each output with attention and without. Pure.
// Refuses every other kind of model.
Result<Figure> alignment_plot(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics);

// Said of steps where there are none.
inline constexpr const char* kNoSteps = "This document has no recurrent decoder";

// How many steps are drawn: options.step, at most n_q.
std::size_t shown_steps(const AttentionResult& result, const PlotOptions& options);

}  // namespace attn
