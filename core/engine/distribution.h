// How often which number occurs in a matrix, counted exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "engine/matrix/matrix.h"

namespace attn {

// Between which numbers, in how many equal parts (at least 1). An end that is left out is the
// smallest or largest number there is.
struct BinsWanted {
  std::size_t count = 1;
  std::optional<double> low{}, high{};
  friend bool operator==(const BinsWanted&, const BinsWanted&) = default;
};

struct Distribution final : Derivation {
  double low = 0.0, high = 1.0;      // ends of the bins; low < high
  std::vector<std::uint64_t> cells;  // in each bin; the last one has its upper end too
  std::uint64_t below = 0, above = 0, hidden = 0, non_finite = 0;  // cells in none of them
  double mean = 0.0, deviation = 0.0;                              // of all that are finite
  std::size_t rows_read = 0;  // of the matrix; fewer than it has: they stand for all
  std::uint64_t bytes() const override { return cells.size() * sizeof(std::uint64_t); }

  std::uint64_t finite() const;
};

// Of every row_step-th row. Unfinished when it is cancelled; `progress` may be null.
Distribution distribution_of(const Matrix& matrix, const BinsWanted& bins, std::size_t row_step = 1,
                             Progress* progress = nullptr);

}  // namespace attn
