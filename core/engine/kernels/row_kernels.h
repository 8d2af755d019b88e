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

// out = cap · tanh(in / cap), tanh within 3 units in the last place.
void softcap_row(std::span<const float> in, float cap, std::span<float> out);

// out = in + bias (empty: none), then -inf where a rule hides.
void mask_row(std::span<const float> in, std::span<const float> bias,
              std::span<const HiddenRules> rules, std::span<float> out);

// out = in / divisor.
void divide_row(std::span<const float> in, float divisor, std::span<float> out);

// Sums of exponentials are taken in chunks of so many keys, by position: see RowSum.
inline constexpr std::size_t kChunkKeys = 8192;

// Σ e^(x − shift) over some cells, `shift` being the largest of them.
struct RowSum {
  float shift = -std::numeric_limits<float>::infinity();
  double total = 0.0;

  // What e^(x − shift) is multiplied with to become a weight.
  float factor() const { return static_cast<float>(1.0 / total); }
  // Its visible weights are NaN: a visible cell is NaN or +Inf, all are -Inf, or none is visible.
  bool is_undefined() const {
    return shift == -std::numeric_limits<float>::infinity() || total != total;
  }
};

// The sum of one chunk of a row, at most kChunkKeys cells: exponentials are added in float in 16
// lanes, whatever the register, and blocks of 512 in double. Hidden cells hold -Inf. Those at
// either end may be left out: the sum is the same when `first`, a multiple of 16, says where in the
// row the first cell is.
RowSum chunk_sum(std::span<const float> masked, std::size_t first = 0);

// The sum of a row from those of its chunks, in order: Σ total_c · e^(shift_c − shift), in double.
// With a finite `sink`, a logit beside the keys, which takes its share; NaN: none.
RowSum row_sum(std::span<const RowSum> chunks,
               float sink = std::numeric_limits<float>::quiet_NaN());

// Writes e^(in − shift) and returns the sum as chunk_sum takes it. e^x for x ≤ 0 is right within 2
// units in the last place, subnormal results included, exactly 1 at 0, 0 below −104, and NaN for
// NaN. `out` may be `in`, here and below.
double exponentials(std::span<const float> in, float shift, std::span<float> out,
                    std::size_t first = 0);

// Weights of some cells of a row whose sum is known: e^(masked − shift) · factor, which is the
// same as exponentials, then scale_row, in one pass.
void row_weights(std::span<const float> masked, const RowSum& sum, std::span<float> weights);

// chunk_sum and exponentials of it at once; `cells` hold e^(x − shift) afterwards.
RowSum chunk_exponentials(std::span<float> cells, std::size_t first = 0);

// Some cells of a row, the first of which is number `first` in it.
struct RowPart {
  float* cells = nullptr;
  std::size_t size = 0;
  std::size_t first = 0;
};

// The same for some rows, which is faster where they are short. Precondition: as many sums.
void chunk_exponentials(std::span<const RowPart> rows, std::span<RowSum> sums);

// Raises each bin to the largest of its `width` cells; the first cell is `inside` cells after the
// start of the first bin. No cell may be NaN.
void raise_bins(std::span<const float> cells, std::size_t inside, std::size_t width,
                std::span<float> bins);

// `value` where a key is visible, 0 elsewhere.
void fill_visible(std::span<const HiddenRules> rules, float value, std::span<float> out);

// row ·= factor, and the result in `copy` as well. When `streams`, past the caches, for results
// that are larger than they are; other threads may read it after finish_streams.
void scale_row_and_copy(std::span<float> row, float factor, float* copy, bool streams);
void finish_streams();

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
