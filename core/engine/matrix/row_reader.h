// Goes through the rows of a range, reading several at a time: rows that are computed when they are
// read come cheaper together.
#pragma once

#include <span>
#include <vector>

#include "engine/matrix/matrix.h"

namespace attn {

class RowReader {
 public:
  // `matrix` is borrowed.
  RowReader(const Matrix& matrix, const CellRange& range);

  // Moves to the first row, then to the one after; false when there is none.
  bool next();

  // Which row of the matrix it is.
  std::size_t row() const { return range_.row_at(at_); }
  // What may be changed, as nobody else sees it.
  std::span<float> cells();
  // What hides each cell; kVisible where no mask touches the matrix.
  std::span<const HiddenRules> rules() const { return rules_; }

 private:
  const Matrix& matrix_;
  CellRange range_;
  std::size_t rows_at_once_;
  std::size_t at_ = 0, begin_ = 0, end_ = 0;  // numbers of rows: this one, and those in memory
  bool began_ = false;
  std::vector<float> cells_;
  std::vector<HiddenRules> rules_;
};

}  // namespace attn
