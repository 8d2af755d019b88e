// Matrix products whose every element is one sum in double, from the first product to the last,
// then rounded once: whatever the shapes around it, wherever rows, heads and threads are cut, with
// or without fused multiply-add, the bits are the same. Internal to the engine.
#pragma once

#include <cstddef>
#include <span>

#include "attention/mask.h"
#include "base/tensor.h"

namespace attn {

// A row-major matrix to write; row r starts at data + r · row_stride.
struct MutableMatrix {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row_stride = 0;

  float* row(std::size_t r) const { return data + r * row_stride; }
};

// What is written there, to read.
MatrixView view_of(const MutableMatrix& matrix);

// Rows [row, row + rows).
MatrixView rows_of(const MatrixView& matrix, std::size_t row, std::size_t rows);
MutableMatrix rows_of(const MutableMatrix& matrix, std::size_t row, std::size_t rows);

// out = a · b. Preconditions: a.cols == b.rows, out is (a.rows, b.cols) and overlaps neither.
void multiply(const MatrixView& a, const MatrixView& b, const MutableMatrix& out);

// out = a · bᵀ. Preconditions: a.cols == b.cols, out is (a.rows, b.rows) and overlaps neither.
void multiply_by_transposed(const MatrixView& a, const MatrixView& b, const MutableMatrix& out);

// out = weights · b for one row, taking only the rows of b whose rules are kVisible, so that a NaN
// in another one cannot enter. Where b is finite the bits are those of multiply: a weight of
// exactly 0 adds nothing. Precondition: out has b.cols elements.
void multiply_visible_row(std::span<const float> weights, std::span<const HiddenRules> rules,
                          const MatrixView& b, float* out);

}  // namespace attn
