// Computation of all stages of a problem.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/progress.h"
#include "engine/read/result.h"

namespace attn {

inline constexpr std::uint64_t kUsualMemoryLimitBytes = std::uint64_t{4} << 30;

inline constexpr std::size_t kAllLayers = static_cast<std::size_t>(-1);

struct ComputeOptions {
  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes;
  unsigned threads = 0;          // 0: number of processors
  Progress* progress = nullptr;  // borrowed; may be null
  // Result of a similar problem; its unaffected parts are reused. May be null.
  std::shared_ptr<const AttentionResult> before = nullptr;
  std::uint64_t entered_bytes = 0;  // of the document; counted against the limit
  bool all_rows = false;  // true: notes on large given weights check all rows, not a sample
  // Blocks that are computed at once. Later ones are computed when they are read, which nothing
  // calls off, and notes are not about them.
  std::size_t layers = kAllLayers;
  std::size_t first_number = 1;  // from which notes count layers, samples, heads and queries
};

// Peak memory of a program that holds `entered_bytes` of a document and computes the problem:
// these, predicted_bytes, and the largest packed projection.
std::uint64_t needed_bytes(const AttentionProblem& problem, std::uint64_t entered_bytes);

// Memory of shared_panels(), at most.
std::uint64_t shared_panel_bytes(const AttentionProblem& problem);

// Packed weights for problems of one model whose heads are changed again and again
// (AttentionProblem::panels): those of options.before, or new ones, at most what the limit leaves.
std::shared_ptr<PanelStore> shared_panels(const AttentionProblem& problem,
                                          const ComputeOptions& options);

// Sum of a row, added up in several sums: with one, each addition would wait for the one before.
double sum_of(std::span<const float> row);

// Computes all stages in float32. OverMemoryLimit, before allocating, with the figures; Interrupted
// when progress->cancelled becomes true. Equal inputs give equal bits for any number of threads;
// with `before`, weights and outputs may differ by roundings.
Result<ResultPtr> compute(const AttentionProblem& problem, const ComputeOptions& options = {});

}  // namespace attn
