// Profile of distances: mean weight by the distance from key to query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"

namespace attn {

// Sums over visible cells by distance query − key: offset − (tokens − 1) … offset + tokens − 1, in
// this order. Rows with a non-finite weight are left out.
struct DistanceProfile final : Derivation {
  std::size_t tokens = 0;
  std::int64_t offset = 0;           // query i has position i + offset
  std::vector<double> weight;        // sum of the weights
  std::vector<double> equal;         // sum of equal weights over the visible keys
  std::vector<std::uint64_t> cells;  // number of cells
  std::size_t rows_read = 0;         // queries read; fewer than all: a sample
  std::size_t rows_left_out = 0;
  std::uint64_t bytes() const override { return cells.size() * 3 * sizeof(double); }

  std::int64_t distance_at(std::size_t index) const {
    return static_cast<std::int64_t>(index) + 1 - static_cast<std::int64_t>(tokens) + offset;
  }
};

// Reason why queries and keys have no distances, as a sentence; "" if they have: both must be one
// sequence.
std::string nothing_at_distances(const AttentionProblem& problem, const HeadAddress& at = {});

// Reads every row_step-th query, in order. Incomplete after cancellation; `progress` may be null.
// Precondition: nothing_at_distances() is empty.
DistanceProfile distance_profile(const AttentionResult& result, const HeadAddress& head,
                                 std::size_t row_step = 1, Progress* progress = nullptr);

}  // namespace attn
