// Keeps a few rows in memory.
#include "engine/matrix/row_reader.h"

#include <algorithm>

namespace attn {
namespace {

constexpr std::size_t kCellsRead = std::size_t{1} << 19U;

}  // namespace

RowReader::RowReader(const Matrix& matrix, const CellRange& range)
    : matrix_(matrix),
      range_(range),
      rows_at_once_(std::clamp<std::size_t>(kCellsRead / std::max<std::size_t>(range.cols, 1), 1,
                                            std::max<std::size_t>(range.rows, 1))),
      cells_(rows_at_once_ * range.cols),
      rules_(range.cols, HiddenRules{kVisible}) {}

bool RowReader::next() {
  at_ += began_ ? 1 : 0;
  began_ = true;
  if (at_ >= range_.rows) return false;
  if (at_ >= end_) {
    begin_ = at_;
    end_ = std::min(at_ + rows_at_once_, range_.rows);
    matrix_.read(part_of(range_, begin_, end_ - begin_), cells_.data());
  }
  if (matrix_.is_masked()) matrix_.hidden_row(row(), rules_, range_.col);
  return true;
}

std::span<float> RowReader::cells() {
  return std::span(cells_).subspan((at_ - begin_) * range_.cols, range_.cols);
}

}  // namespace attn
