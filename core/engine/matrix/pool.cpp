// Pooling: cells made few by taking the largest or the mean.
#include "engine/matrix/pool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/special_numbers.h"
#include "engine/matrix/matrix.h"

namespace attn {
namespace {

std::size_t step_for(std::size_t cells, std::size_t most) {
  most = std::max<std::size_t>(most, 1);
  return std::max<std::size_t>((cells + most - 1) / most, 1);
}

std::size_t steps(std::size_t cells, std::size_t step) { return (cells + step - 1) / step; }

// The cells seen so far under one output cell.
class PooledCell {
 public:
  void add(float value, HiddenRules rules) {
    common_ &= rules;
    any_ |= rules;
    if (rules != kVisible) return;
    visible_ = true;
    if (std::isnan(value)) return;
    if (!(value <= most_)) most_ = value;
    sum_ += static_cast<double>(value);
    ++count_;
  }

  float value(Pooling pooling) const {
    if (count_ == 0 || pooling == Pooling::Maximum) return most_;
    const double mean = sum_ / static_cast<double>(count_);
    // Infinities of both signs have no mean, and NaN would say that nothing is there.
    return std::isnan(mean) ? std::numeric_limits<float>::infinity() : static_cast<float>(mean);
  }

  HiddenRules hidden() const {
    if (visible_) return kVisible;
    return common_ != kVisible ? common_ : any_;
  }

 private:
  double sum_ = 0.0;
  std::size_t count_ = 0;
  float most_ = kNaN;
  HiddenRules common_ = 0xFF;
  HiddenRules any_ = kVisible;
  bool visible_ = false;
};

// Reads the rows of a range one at a time, with the rules that hide their cells.
class RangeRows {
 public:
  RangeRows(const Matrix& matrix, const CellRange& range)
      : matrix_(matrix),
        range_(range),
        cells_(range.cols),
        rules_(matrix.extents().cols, HiddenRules{kVisible}) {}

  void read(std::size_t row) {
    matrix_.read({range_.row + row, range_.col, 1, range_.cols}, cells_.data());
    if (matrix_.is_masked()) matrix_.hidden_row(range_.row + row, rules_);
  }

  std::span<const float> cells() const { return cells_; }
  std::span<const HiddenRules> rules() const {
    return std::span(rules_).subspan(range_.col, range_.cols);
  }

 private:
  const Matrix& matrix_;
  CellRange range_;
  std::vector<float> cells_;
  std::vector<HiddenRules> rules_;  // of the whole row of the matrix
};

void copy_rows(RangeRows& rows, const CellRange& range, PooledCells& out) {
  for (std::size_t row = 0; row < range.rows; ++row) {
    rows.read(row);
    std::ranges::copy(rows.cells(),
                      out.values.begin() + static_cast<std::ptrdiff_t>(row * out.cols));
    std::ranges::copy(rows.rules(),
                      out.hidden.begin() + static_cast<std::ptrdiff_t>(row * out.cols));
  }
}

void add_row(std::span<const float> cells, std::span<const HiddenRules> rules, std::size_t step,
             std::vector<PooledCell>& pooled) {
  for (std::size_t out_col = 0; out_col < pooled.size(); ++out_col) {
    PooledCell cell = pooled[out_col];
    const std::size_t end = std::min((out_col + 1) * step, cells.size());
    for (std::size_t col = out_col * step; col < end; ++col) cell.add(cells[col], rules[col]);
    pooled[out_col] = cell;
  }
}

void pool_rows(RangeRows& rows, const CellRange& range, Pooling pooling, PooledCells& out) {
  std::vector<PooledCell> pooled(out.cols);
  for (std::size_t out_row = 0; out_row < out.rows; ++out_row) {
    std::ranges::fill(pooled, PooledCell{});
    const std::size_t end = std::min((out_row + 1) * out.row_step, range.rows);
    for (std::size_t row = out_row * out.row_step; row < end; ++row) {
      rows.read(row);
      add_row(rows.cells(), rows.rules(), out.col_step, pooled);
    }
    for (std::size_t col = 0; col < out.cols; ++col) {
      out.values[out_row * out.cols + col] = pooled[col].value(pooling);
      out.hidden[out_row * out.cols + col] = pooled[col].hidden();
    }
  }
}

}  // namespace

PooledCells pooled_by_rows(const Matrix& matrix, const CellRange& range, std::size_t max_rows,
                           std::size_t max_cols, Pooling pooling) {
  PooledCells out;
  out.row_step = step_for(range.rows, max_rows);
  out.col_step = step_for(range.cols, max_cols);
  out.rows = steps(range.rows, out.row_step);
  out.cols = steps(range.cols, out.col_step);
  out.values.resize(out.rows * out.cols);
  out.hidden.resize(out.rows * out.cols);
  RangeRows rows(matrix, range);
  if (out.row_step == 1 && out.col_step == 1) {
    copy_rows(rows, range, out);
  } else {
    pool_rows(rows, range, pooling, out);
  }
  return out;
}

PooledCells read_pooled(const AttentionResult& result, Stage stage, const HeadAddress& head,
                        const CellRange& range, std::size_t max_rows, std::size_t max_cols,
                        Pooling pooling) {
  const MatrixPtr matrix = stage_matrix(borrowed(result), {stage, head});
  return matrix->read_pooled(range, max_rows, max_cols, pooling);
}

PooledCells Matrix::read_pooled(const CellRange& range, std::size_t max_rows, std::size_t max_cols,
                                Pooling pooling) const {
  return pooled_by_rows(*this, range, max_rows, max_cols, pooling);
}

}  // namespace attn
