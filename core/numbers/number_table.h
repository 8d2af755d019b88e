// A block of numbers with the names of its rows and columns, as it is copied and pasted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/tensor.h"

namespace attn {

// What reading does with NaN and infinities.
enum class NonFinite { Refused, Read };

struct NumberTable {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values{};               // row-major
  std::vector<std::string> row_labels{};     // any texts, one for each row, or none at all
  std::vector<std::string> column_labels{};  // the same for columns

  float at(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
};

// `rows` × `cols` numbers of the matrix from (row, col) on, without labels.
// Precondition: the matrix has them.
NumberTable cut_table(const MatrixView& matrix, std::size_t row, std::size_t col, std::size_t rows,
                      std::size_t cols);

}  // namespace attn
