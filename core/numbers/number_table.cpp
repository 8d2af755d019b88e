// Cuts blocks out of matrices.
#include "numbers/number_table.h"

namespace attn {

NumberTable cut_table(const MatrixView& matrix, std::size_t row, std::size_t col, std::size_t rows,
                      std::size_t cols) {
  NumberTable table;
  table.rows = rows;
  table.cols = cols;
  table.values.reserve(rows * cols);
  for (std::size_t r = row; r < row + rows; ++r) {
    const auto cells = matrix.row(r).subspan(col, cols);
    table.values.insert(table.values.end(), cells.begin(), cells.end());
  }
  return table;
}

}  // namespace attn
