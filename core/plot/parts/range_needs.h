// Ranges of colours and histograms that are found once, where reading all cells for every frame
// would take too long: as needs, and found again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/colors/spread.h"
#include "plot/colors/weight_range.h"
#include "plot/need.h"
#include "plot/parts/pooled_part.h"

namespace attn {

// Whose range, as `cells` says how it is read; is_kept: somebody has the cells.
struct RangeQuestion {
  PooledQuestion cells;
  ColorSpan span = ColorSpan::Automatic;
  bool is_kept = true;
  std::size_t heads = 1;  // that the range is of
};

// Rows at equal distances where there are many, for windows; then all of them, for files. A map
// that nobody keeps is not drawn before some rows of it are known. Nothing where drawing may read
// all cells.
std::vector<Need> range_needs(const RangeQuestion& question);
// The same of the histogram; without it the others are drawn.
std::vector<Need> spread_needs(const RangeQuestion& question, bool parts_of_rows);

// The best that is known; null when nothing is.
std::shared_ptr<const KeptRange> known_range(const Derivations* known, const MatrixId& matrix,
                                             ColorSpan span);
SpreadPtr known_spread(const Derivations* known, const MatrixId& matrix, bool parts_of_rows);

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
