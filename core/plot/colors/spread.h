// How many cells of a matrix have which value: what the histogram beside a colour bar draws.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/matrix/matrix.h"
#include "figure/colormap.h"

namespace attn {

// Visible finite cells by value, ascending. Values are rounded towards zero to eight binary digits,
// so that there are few of them however large the matrix is and any range can be divided into bins.
struct Spread final : Derivation {
  struct Entry {
    float value = 0.0F;
    std::uint64_t cells = 0;
  };
  std::vector<Entry> entries;
  std::size_t rows_read = 0;  // of the matrix; fewer than it has: they stand for all
  std::uint64_t bytes() const override { return entries.size() * sizeof(Entry); }
};
using SpreadPtr = std::shared_ptr<const Spread>;

// `parts_of_rows`: each cell as part of its row's largest, which the colours of each row go by. Of
// more than `most_cells`, rows at equal distances stand for all. Unfinished when it is cancelled;
// `progress` may be null.
inline constexpr std::size_t kMostCounted = std::size_t{1} << 24U;
Spread spread_of(const Matrix& matrix, bool parts_of_rows, std::size_t most_cells = kMostCounted,
                 Progress* progress = nullptr);
std::string key_of_spread(const MatrixId& matrix, bool parts_of_rows);

// The cells in each of `bins` equal parts of the scale, from the low end up; those beyond its ends
// are in none. `log`: the ends are exponents of ten.
std::vector<std::uint64_t> binned(const Spread& spread, const ColorScale& scale, bool log,
                                  std::size_t bins);

}  // namespace attn
