// Kernels for a row of scores on its way to weights, and its summaries. Internal to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "attention/mask.h"
#include "base/tensor.h"

namespace attn {

// out = in · scale. Rows have equal sizes here and below.
void scale_row(std::span<const float> in, float scale, std::span<float> out);

// out = cap · tanh(in / cap), tanh within 3 units in the last place.
void softcap_row(std::span<const float> in, float cap, std::span<float> out);

// out = in + bias (empty: none), then -inf for hidden cells.
void mask_row(std::span<const float> in, std::span<const float> bias,
              std::span<const HiddenRules> rules, std::span<float> out);

// out = in / divisor.
void divide_row(std::span<const float> in, float divisor, std::span<float> out);

// Sums of exponentials are taken in chunks of this many keys, by position: see RowSum.
inline constexpr std::size_t kChunkKeys = 8192;

// Σ e^(x − shift) over some cells, with `shift` their largest.
struct RowSum {
  float shift = -std::numeric_limits<float>::infinity();
  double total = 0.0;

  // Factor that turns e^(x − shift) into a weight.
  float factor() const { return static_cast<float>(1.0 / total); }
  // True if visible weights are NaN: a visible cell is NaN or +Inf, all are -Inf, or none exists.
  bool is_undefined() const {
    return shift == -std::numeric_limits<float>::infinity() || total != total;
  }
};

// Sum of one chunk of a row, at most kChunkKeys cells: exponentials are added in float in 16 lanes,
// whatever the register, and blocks of 512 in double. Hidden cells hold -Inf; those at either end
// may be left out without changing the sum if `first`, a multiple of 16, is the index in the row of
// the first cell.
RowSum chunk_sum(std::span<const float> masked, std::size_t first = 0);

// Sum of a row from those of its chunks, in order: Σ total_c · e^(shift_c − shift), in double. A
// finite `sink` is a further logit; NaN: none.
RowSum row_sum(std::span<const RowSum> chunks,
               float sink = std::numeric_limits<float>::quiet_NaN());

// Writes e^(in − shift) and returns the sum as chunk_sum does. For x ≤ 0, e^x is right within 2
// units in the last place, subnormal results included, exactly 1 at 0, 0 below −104, and NaN for
// NaN. `out` may alias `in`, here and below.
double exponentials(std::span<const float> in, float shift, std::span<float> out,
                    std::size_t first = 0);

// Weights of some cells of a row with known sum: e^(masked − shift) · factor; equals exponentials,
// then scale_row, in one pass.
void row_weights(std::span<const float> masked, const RowSum& sum, std::span<float> weights);

// Cells of a row from index `first` on.
struct RowPart {
  float* cells = nullptr;
  std::size_t size = 0;
  std::size_t first = 0;
};

// chunk_sum and exponentials in one pass; `rows` hold e^(x − shift) afterwards. Several rows at
// once are faster if they are short. Precondition: equal counts.
void chunk_exponentials(std::span<const RowPart> rows, std::span<RowSum> sums);

// Raises each bin to the largest of its `width` cells; the first cell is `inside` cells after the
// start of the first bin. Precondition: no NaN.
void raise_bins(std::span<const float> cells, std::size_t inside, std::size_t width,
                std::span<float> bins);

// `value` for visible keys, else 0.
void fill_visible(std::span<const HiddenRules> rules, float value, std::span<float> out);

// Finite extremes and number of NaN or ±Inf cells. Merging is order-independent.
struct CellSummary {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  std::uint64_t non_finite = 0;

  void merge(const CellSummary& other);
};

CellSummary summary_of(std::span<const float> cells);

CellSummary summary_of_matrix(const MatrixView& cells);

// Extremes of the visible cells; non_finite counts all cells.
CellSummary summary_of_visible(std::span<const float> cells, std::span<const HiddenRules> rules);

}  // namespace attn
