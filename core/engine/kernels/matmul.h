// Matrix products whose elements have equal bits whatever the shapes around them and however rows,
// heads and threads are split. Internal to the engine.
#pragma once

#include <cstdint>
#include <span>

#include "attention/mask.h"
#include "base/tensor.h"

namespace attn {

// Precision of sums. Double: added in order and rounded once, so bits do not depend on fused
// multiply-add. Float: as packed_product.h describes.
enum class Sums { Double, Float };

// Precision of sums for a whole problem, never for a part of one: double if the problem is so small
// that time does not matter.
Sums sums_for(std::uint64_t multiply_adds);

// out = a · b. Preconditions: a.cols == b.rows, out is (a.rows, b.cols) and overlaps neither. For
// repeated products with b, pack it once (packed_product.h); the bits are those of Float.
void multiply(const MatrixView& a, const MatrixView& b, const MutableMatrix& out,
              Sums sums = Sums::Double);

// out = a · bᵀ. Preconditions: a.cols == b.cols, out is (a.rows, b.rows) and overlaps neither.
void multiply_by_transposed(const MatrixView& a, const MatrixView& b, const MutableMatrix& out,
                            Sums sums = Sums::Double);

// out = weights · b for one row over rows of b whose rules are kVisible, so that hidden NaNs have
// no effect. If b is finite the bits are those of multiply: a weight of 0 adds nothing.
// Precondition: out has b.cols elements.
void multiply_visible_row(std::span<const float> weights, std::span<const HiddenRules> rules,
                          const MatrixView& b, float* out);

}  // namespace attn
