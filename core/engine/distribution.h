// Exact histogram of a matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "engine/matrix/matrix.h"

namespace attn {

// Range and number (at least 1) of bins. A missing end is the smallest or largest value.
struct BinsWanted {
  std::size_t count = 1;
  std::optional<double> low{}, high{};
  friend bool operator==(const BinsWanted&, const BinsWanted&) = default;
};

struct Distribution final : Derivation {
  double low = 0.0, high = 1.0;      // ends of the bins; low < high
  std::vector<std::uint64_t> cells;  // per bin; the last one includes its upper end
  std::uint64_t below = 0, above = 0, hidden = 0, non_finite = 0;  // cells outside of all bins
  double mean = 0.0, deviation = 0.0;                              // of all finite cells
  std::size_t rows_read = 0;  // rows read; fewer than all: a sample
  std::uint64_t bytes() const override { return cells.size() * sizeof(std::uint64_t); }

  std::uint64_t finite() const;
};

// Reads every row_step-th row. Incomplete after cancellation; `progress` may be null.
Distribution distribution_of(const Matrix& matrix, const BinsWanted& bins, std::size_t row_step = 1,
                             Progress* progress = nullptr);

}  // namespace attn
