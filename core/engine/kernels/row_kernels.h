// What happens to one row of scores on its way to weights, and what is worth knowing about a row.
// Internal to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "attention/mask.h"
#include "base/tensor.h"

namespace attn {

// out = in · scale. Rows have the same size here and below.
void scale_row(std::span<const float> in, float scale, std::span<float> out);

// out = cap · tanh(in / cap).
void softcap_row(std::span<const float> in, float cap, std::span<float> out);

// out = in + bias (empty: none), then -inf where a rule hides.
void mask_row(std::span<const float> in, std::span<const float> bias,
              std::span<const HiddenRules> rules, std::span<float> out);

// Largest cell that is not NaN; -inf without one.
float largest_of(std::span<const float> cells);

// Writes e^(in - shift) and returns the sum: lanes in float within blocks of kExponentialBlock,
// blocks in double, so that a row of any length sums to 1 after division. Cells of -inf at the end
// of a row that is longer by whole blocks change nothing. `out` may be `in`.
double exponentials(std::span<const float> in, float shift, std::span<float> out);
inline constexpr std::size_t kExponentialBlock = 512;

// out = e^(in - shift) / divisor, whose numerator has the bits of exponentials. `out` may be `in`.
void exponential_shares(std::span<const float> in, float shift, float divisor,
                        std::span<float> out);

// Finite extremes and how many cells are NaN or ±Inf. Merging is order-independent.
struct CellSummary {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  std::uint64_t non_finite = 0;

  void merge(const CellSummary& other);
};

CellSummary summary_of(std::span<const float> cells);

// All rows of a matrix.
CellSummary summary_of_matrix(const MatrixView& cells);

// The extremes of the visible cells; non_finite counts all cells.
CellSummary summary_of_visible(std::span<const float> cells, std::span<const HiddenRules> rules);

}  // namespace attn
