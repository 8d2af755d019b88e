// Products with a packed matrix in float: fused multiply-adds in a fixed order. Internal to the
// engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/mask.h"
#include "base/tensor.h"
#include "engine/kernels/packed_panels.h"

namespace attn {

// A sum over depth is the sum of its blocks, in order, and a block's the sum of its products, one
// fused multiply-add after the other; blocks lie at multiples of this. So a cell's bits depend on
// its row and its column alone: not on the shapes around it, on how rows and columns are cut, on
// threads, nor on the instruction set, as far as that has fused multiply-add. Where it has not,
// products are rounded before they are added.
inline constexpr std::size_t kSumBlock = 256;

// out = factor · (rows · columns [first_col, first_col + out.cols) of `right`). Preconditions:
// rows.cols == right.depth(), out.rows == rows.rows, the columns are there, out overlaps nothing.
void multiply_packed(const MatrixView& rows, const PackedPanels& right, std::size_t first_col,
                     const MutableMatrix& out, float factor = 1.0F);

// out += rows · rows [first_row, first_row + rows.cols) of `right`, all columns. Continues a sum:
// one that starts with zeros in `out` and is cut at multiples of kSumBlock of `right` has the bits
// of multiply_packed, and so has one without parts in which `rows` is 0 and `right` finite.
void add_packed(const MatrixView& rows, const PackedPanels& right, std::size_t first_row,
                const MutableMatrix& out);

// out = weights · right for one row, taking only rows of `right` whose rules are kVisible, so that
// a NaN in another one cannot enter. Where `right` is finite the bits are those of multiply_packed
// with weights of 0 where hidden. Preconditions: weights and rules have right.depth() elements,
// out right.cols().
void multiply_visible_packed(std::span<const float> weights, std::span<const HiddenRules> rules,
                             const PackedPanels& right, float* out);

// What the inner loop works on: out(r, c) = factor · (before + Σ rows(r, p) · panel(p, c)), with
// `before` what `out` holds, or 0.
struct PanelStep {
  const float* rows;
  std::size_t row_stride;
  std::size_t row_count;
  const float* panel;
  std::size_t panel_stride;
  std::size_t depth;
  float* out;
  std::size_t out_stride;
  std::size_t cols;
  float factor;
  bool adds;
};

}  // namespace attn
