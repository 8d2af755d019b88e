// What colours and histograms must know of cells that are too many to be read for every frame: as
// needs, and found again.
#pragma once

#include <string>
#include <vector>

#include "engine/statistics.h"
#include "plot/kit/ask.h"
#include "plot/kit/plot.h"
#include "plot/kit/pooled_part.h"

namespace attn {

// Of which cells, as `cells` says how they are read; is_kept: somebody has them.
struct StatisticsQuestion {
  PooledQuestion cells;
  StatisticsOptions how{};
  bool is_kept = true;
  std::size_t heads = 1;  // that they are of
  bool of_colors = true;  // false: of a histogram alone, without which the rest is drawn
};

// Rows at equal distances where there are many, for windows; then all of them, for files. A map
// that nobody keeps is not drawn before the colours know some of its rows. Nothing where drawing
// may read all cells.
std::vector<Need> statistics_needs(const StatisticsQuestion& question);

// The best that is known; null when nothing is.
StatisticsPtr known_statistics(const Derivations* known, const MatrixId& matrix,
                               const StatisticsOptions& how);
// The same, or what the frame reads itself of cells that somebody keeps, of long ones a part of the
// rows; else of no cell.
StatisticsPtr shown_statistics(const PlotInput& input, const Matrix& matrix,
                               const StatisticsOptions& how);

// Rows that see no key, ascending.
struct UnseeingRows final : Derivation {
  std::vector<std::size_t> rows;
  std::uint64_t bytes() const override { return rows.size() * sizeof(std::size_t); }
};

// Asked of each row once, where there are more than a frame can ask.
std::vector<Need> unseeing_needs(const AttentionResult& result, const HeadAddress& head);

// Nothing while it is not known.
std::vector<std::size_t> unseeing_rows(const Derivations* known, const AttentionResult& result,
                                       const HeadAddress& head);

}  // namespace attn
