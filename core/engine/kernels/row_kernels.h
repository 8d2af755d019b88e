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

// Softmax over the visible cells: exact zeros at hidden ones, all zeros without a visible one. When
// a visible cell is NaN or +Inf, or all of them are -Inf, the visible weights are NaN, as IEEE
// arithmetic says.
// `weights` may be `masked`. With a finite `sink`, a logit beside the keys that takes its share of
// the sum; NaN: none.
void softmax_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                 std::span<float> weights, float sink = std::numeric_limits<float>::quiet_NaN());

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
