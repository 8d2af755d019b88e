// Matrix products whose every element has the same bits whatever the shapes around it and wherever
// rows, heads and threads are cut. Internal to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/mask.h"
#include "base/tensor.h"

namespace attn {

// How a product is summed. In double from the first product to the last, then rounded once: the
// same bits with and without fused multiply-add. Or in float, as packed_product.h says.
enum class Sums { Double, Float };

// For a whole problem, never for a part of one: in double where it is so small that its time does
// not matter.
Sums sums_for(std::uint64_t multiply_adds);

// out = a · b. Preconditions: a.cols == b.rows, out is (a.rows, b.cols) and overlaps neither. Who
// multiplies by the same b again packs it once (packed_product.h): the bits are those of Float.
void multiply(const MatrixView& a, const MatrixView& b, const MutableMatrix& out,
              Sums sums = Sums::Double);

// out = a · bᵀ. Preconditions: a.cols == b.cols, out is (a.rows, b.rows) and overlaps neither.
void multiply_by_transposed(const MatrixView& a, const MatrixView& b, const MutableMatrix& out,
                            Sums sums = Sums::Double);

// out = weights · b for one row, taking only the rows of b whose rules are kVisible, so that a NaN
// in another one cannot enter. Where b is finite the bits are those of multiply: a weight of
// exactly 0 adds nothing. Precondition: out has b.cols elements.
void multiply_visible_row(std::span<const float> weights, std::span<const HiddenRules> rules,
                          const MatrixView& b, float* out);

// The inner loop of sums in double (panel_product.cpp), compiled for every instruction set.
inline constexpr std::size_t kPanelCols = 8;

// sums(r, c) += rows(r, 0) · panel(0, c) + rows(r, 1) · panel(1, c) + …, one product after the
// other. Numbers that were floats have exact products in double, so that the bits are the same with
// every instruction set, with or without fused multiply-add. `rows` is (count, depth), `panel`
// (depth, kPanelCols), `sums` (count, kPanelCols), all without gaps.
void add_products(const double* rows, std::size_t count, const double* panel, std::size_t depth,
                  double* sums);

}  // namespace attn
