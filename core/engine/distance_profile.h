// How much weight goes how far: the mean weight by the distance from key to query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"

namespace attn {

// Sums over the cells that are visible, by distance query − key: offset − (tokens − 1) … offset +
// tokens − 1, in this order. Rows with a weight that is not finite are left out.
struct DistanceProfile final : Derivation {
  std::size_t tokens = 0;
  std::int64_t offset = 0;           // query i stands at position i + offset
  std::vector<double> weight;        // of the weights
  std::vector<double> equal;         // of what equal weights over the visible keys would be
  std::vector<std::uint64_t> cells;  // how many there are
  std::size_t rows_read = 0;         // of the queries; fewer than there are: they stand for all
  std::size_t rows_left_out = 0;
  std::uint64_t bytes() const override { return cells.size() * 3 * sizeof(double); }

  std::int64_t distance_at(std::size_t index) const {
    return static_cast<std::int64_t>(index) + 1 - static_cast<std::int64_t>(tokens) + offset;
  }
};

// Why there are no distances between the queries and keys of such a problem, for a person; "" where
// there are: both must be one sequence.
std::string nothing_at_distances(const AttentionProblem& problem, const HeadAddress& at = {});

// Of every row_step-th query, in order. Unfinished when it is cancelled; `progress` may be null.
// Precondition: nothing_at_distances() is empty.
DistanceProfile distance_profile(const AttentionResult& result, const HeadAddress& head,
                                 std::size_t row_step = 1, Progress* progress = nullptr);

}  // namespace attn
