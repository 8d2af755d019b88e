// Element counts without overflow, and shapes as text.
#include "base/tensor.h"

#include <limits>

namespace attn {

std::size_t element_count(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) {
    if (extent != 0 && count > std::numeric_limits<std::size_t>::max() / extent) {
      return std::numeric_limits<std::size_t>::max();
    }
    count *= extent;
  }
  return count;
}

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + ")";
}

MatrixView matrix_at(const Tensor& tensor, std::size_t index) {
  const std::size_t rank = tensor.rank();
  assert(rank >= 1);
  const std::size_t cols = tensor.extent(rank - 1), rows = rank >= 2 ? tensor.extent(rank - 2) : 1;
  return {tensor.data() + index * rows * cols, rows, cols, cols};
}

MatrixView view_of(const MutableMatrix& matrix) {
  return {matrix.data, matrix.rows, matrix.cols, matrix.row_stride};
}

MatrixView rows_of(const MatrixView& matrix, std::size_t row, std::size_t rows) {
  return {matrix.data + row * matrix.row_stride, rows, matrix.cols, matrix.row_stride};
}

void copy_rows(const MatrixView& from, const MutableMatrix& to) {
  for (std::size_t r = 0; r < to.rows; ++r) std::ranges::copy(from.row(r), to.row(r));
}

MutableMatrix rows_of(const MutableMatrix& matrix, std::size_t row, std::size_t rows) {
  return {matrix.row(row), rows, matrix.cols, matrix.row_stride};
}

}  // namespace attn
