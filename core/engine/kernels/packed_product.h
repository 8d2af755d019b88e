// Products in float with a matrix packed once for many products: fused multiply-adds in a fixed
// order. Internal to the engine.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "attention/mask.h"
#include "base/large_memory.h"
#include "base/tensor.h"

namespace attn {

// Owns floats in large memory. Values are indeterminate until written. Movable.
class FloatBuffer {
 public:
  FloatBuffer() = default;
  explicit FloatBuffer(std::size_t size) { resize(size); }

  // Allocates only if `size` exceeds all earlier ones, which loses the content. Throws
  // std::bad_alloc.
  void resize(std::size_t size) {
    if (size > capacity_) {
      *this = {};
      memory_ = allocate_large_of<float>(size);
      capacity_ = size;
    }
    size_ = size;
  }

  float* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }
  std::span<float> values() const { return {data(), size_}; }

 private:
  LargeMemory<float> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// A (depth, cols) matrix in panels of kWidth columns, row after row within a panel. The last panel
// is as wide as its columns need, in steps of kStep, and padded with zeros. The layout does not
// depend on the instruction set. Thread-safe for reading; memory is reused when another matrix is
// packed.
class PackedPanels {
 public:
  static constexpr std::size_t kWidth = 64;
  static constexpr std::size_t kStep = 16;  // widest register

  // Packs the transpose of `rows`: keys, for scores. Each panel gives back the memory of its rows
  // if `gives_back`, so that few numbers on demand are there at once.
  void pack_rows(const MatrixView& rows, bool gives_back = false, unsigned threads = 1);

  // Packs `matrix`: values, or the weights of a map.
  void pack_columns(const MatrixView& matrix, unsigned threads = 1);

  // Copies the numbers into memory of its own.
  void copy(const PackedPanels& other);

  // Replaces one column of depth() numbers after an edit.
  void set_column(std::size_t col, const float* values);

  std::size_t depth() const { return depth_; }
  std::size_t cols() const { return cols_; }
  std::size_t bytes() const { return buffer_.size() * sizeof(float); }

  // Pointer to the element at (row, col), followed by its neighbours in the row; the panel's next
  // row starts stride_at(col) floats later. kStep floats may be read at any column.
  const float* at(std::size_t row, std::size_t col) const {
    return buffer_.data() + index(row, col);
  }
  std::size_t stride_at(std::size_t col) const;

 private:
  std::size_t index(std::size_t row, std::size_t col) const;
  void reshape(std::size_t depth, std::size_t cols);

  FloatBuffer buffer_;
  std::size_t depth_ = 0;
  std::size_t cols_ = 0;
};

// A sum over depth is the sum of its blocks in order, and a block's sum that of its products in
// order by fused multiply-add; blocks begin at multiples of this. So a cell's bits depend only on
// its row and column: not on surrounding shapes, splits, threads or the instruction set, if it has
// fused multiply-add. Without it, products are rounded before they are added.
inline constexpr std::size_t kSumBlock = 256;

// out = factor · (rows · columns [first_col, first_col + out.cols) of `right`). Preconditions:
// rows.cols == right.depth(), out.rows == rows.rows, the columns exist, out overlaps nothing.
void multiply_packed(const MatrixView& rows, const PackedPanels& right, std::size_t first_col,
                     const MutableMatrix& out, float factor = 1.0F);

// out += rows · rows [first_row, first_row + rows.cols) of `right`, all columns. Continues a sum:
// starting with zeros and split at multiples of kSumBlock of `right`, the bits are those of
// multiply_packed; parts in which `rows` is 0 and `right` finite may be left out.
void add_packed(const MatrixView& rows, const PackedPanels& right, std::size_t first_row,
                const MutableMatrix& out);

// out = weights · right for one row over rows of `right` whose rules are kVisible, so that hidden
// NaNs have no effect. If `right` is finite the bits are those of multiply_packed with weights of 0
// where hidden. Preconditions: weights and rules have right.depth() elements, out right.cols().
void multiply_visible_packed(std::span<const float> weights, std::span<const HiddenRules> rules,
                             const PackedPanels& right, float* out);

// Operands of the inner loop: out(r, c) = factor · (before + Σ rows(r, p) · panel(p, c)), where
// `before` is the content of `out`, or 0.
struct PanelStep {
  const float* rows;
  std::size_t row_stride;
  std::size_t row_count;
  const float* panel;
  std::size_t panel_stride;
  std::size_t depth;
  float* out;
  std::size_t out_stride;
  std::size_t cols;
  float factor;
  bool adds;
};

// Inner loop of sums in double (matmul.h), compiled for every instruction set.
inline constexpr std::size_t kPanelCols = 8;

// sums(r, c) += rows(r, 0) · panel(0, c) + rows(r, 1) · panel(1, c) + …, in this order. Products of
// floats are exact in double, so the bits are equal with every instruction set, with or without
// fused multiply-add. `rows` is (count, depth), `panel` (depth, kPanelCols), `sums` (count,
// kPanelCols), all contiguous.
void add_products(const double* rows, std::size_t count, const double* panel, std::size_t depth,
                  double* sums);

}  // namespace attn
