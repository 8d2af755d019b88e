// Needs for statistics of cells that are too many to read in every frame, and their look-up.
#pragma once

#include <string>
#include <vector>

#include "engine/statistics.h"
#include "plot/kit/ask.h"
#include "plot/kit/plot.h"
#include "plot/kit/pooled_part.h"

namespace attn {

// Cells that statistics are of, and how they are read. `is_kept`: they are materialised.
struct StatisticsQuestion {
  PooledQuestion cells;
  StatisticsOptions how{};
  bool is_kept = true;
  std::size_t heads = 1;  // number of heads
  bool of_colors = true;  // false: for a histogram alone, which the plot does not wait for
};

// Needs: a sample of the rows for windows when there are many, and all rows for files. A map that
// is not materialised waits for the sample. Empty when drawing may read all cells.
std::vector<Need> statistics_needs(const StatisticsQuestion& question);

// The most exact known statistics; null when there are none.
StatisticsPtr known_statistics(const Derivations* known, const MatrixId& matrix,
                               const StatisticsOptions& how);
// Known statistics, or else those of materialised cells, read in this frame from a sample of the
// rows of a large matrix; else statistics of no cells.
StatisticsPtr shown_statistics(const PlotInput& input, const Matrix& matrix,
                               const StatisticsOptions& how);

// Rows that see no key, ascending.
struct UnseeingRows final : Derivation {
  std::vector<std::size_t> rows;
  std::uint64_t bytes() const override { return rows.size() * sizeof(std::size_t); }
};

// Need for the rows that see no key, when there are too many rows for one frame.
std::vector<Need> unseeing_needs(const AttentionResult& result, const HeadAddress& head);

// Empty while it is not known.
std::vector<std::size_t> unseeing_rows(const Derivations* known, const AttentionResult& result,
                                       const HeadAddress& head);

}  // namespace attn
