// The right-hand matrix of products in float, laid out once for the inner loop of many. Internal to
// the engine.
#pragma once

#include <cstddef>

#include "base/tensor.h"
#include "engine/kernels/float_buffer.h"

namespace attn {

// A (depth, cols) matrix in panels of kWidth columns, row after row within a panel. The last panel
// is as wide as its columns need, in steps of kStep, and filled up with zeros. The layout is the
// same for every instruction set. Reading from several threads is safe; memory is kept when another
// matrix is packed.
class PackedPanels {
 public:
  static constexpr std::size_t kWidth = 64;
  static constexpr std::size_t kStep = 16;  // the widest register

  // The matrix is `rows` transposed: keys, for scores.
  void pack_rows(const MatrixView& rows);

  // The matrix is `matrix`: values, or the weights of a map.
  void pack_columns(const MatrixView& matrix);

  // The same numbers in memory of its own.
  void copy(const PackedPanels& other);

  // After an edit: one column, of depth() numbers.
  void set_column(std::size_t col, const float* values);

  std::size_t depth() const { return depth_; }
  std::size_t cols() const { return cols_; }
  std::size_t bytes() const { return buffer_.size() * sizeof(float); }

  // Numbers of the panel that column `col` is in: that column at `row`, its neighbours after it;
  // the next row of the panel starts stride_at(col) floats later. kStep floats may be read at any
  // column.
  const float* at(std::size_t row, std::size_t col) const {
    return buffer_.data() + index(row, col);
  }
  std::size_t stride_at(std::size_t col) const;

 private:
  std::size_t index(std::size_t row, std::size_t col) const;
  void reshape(std::size_t depth, std::size_t cols);
  void set_row(std::size_t row, const float* values);

  FloatBuffer buffer_;
  std::size_t depth_ = 0;
  std::size_t cols_ = 0;
};

}  // namespace attn
