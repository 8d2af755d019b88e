// Products of packed panels with sums in double; sums in float are delegated to packed_product.
#include "engine/kernels/matmul.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/kernels/packed_product.h"

namespace attn {
namespace {

constexpr std::size_t kPanelDepth = 256;
constexpr std::size_t kGroupRows = 64;

// kPanelCols adjacent columns of the right-hand matrix for each step of depth, padded with zeros.
// In double, where products of floats are exact.
using Panel = std::array<double, kPanelDepth * kPanelCols>;

// Sums of kGroupRows rows and one panel.
using PanelSums = std::array<std::array<double, kPanelCols>, kGroupRows>;

// `depth`: steps of the sums, here and below.
void pack_columns(const MatrixView& b, RowSpan depth, std::size_t col, std::size_t cols,
                  Panel& panel) {
  if (cols < kPanelCols) panel.fill(0.0);
  for (std::size_t p = 0; p < depth.end - depth.begin; ++p) {
    const float* from = b.data + (depth.begin + p) * b.row_stride + col;
    for (std::size_t c = 0; c < cols; ++c) panel[p * kPanelCols + c] = static_cast<double>(from[c]);
  }
}

void pack_rows(const MatrixView& b, RowSpan depth, std::size_t row, std::size_t rows,
               Panel& panel) {
  if (rows < kPanelCols) panel.fill(0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    const float* from = b.data + (row + r) * b.row_stride + depth.begin;
    for (std::size_t p = 0; p < depth.end - depth.begin; ++p) {
      panel[p * kPanelCols + r] = static_cast<double>(from[p]);
    }
  }
}

// Rows of the left-hand matrix as doubles, cached per depth.
class WideRows {
 public:
  const double* at(const MatrixView& a, RowSpan depth) {
    if (begin_ == depth.begin) return values_.data();
    begin_ = depth.begin;
    double* to = values_.data();
    for (std::size_t r = 0; r < a.rows; ++r) {
      const float* from = a.row(r).data() + depth.begin;
      for (std::size_t p = 0; p < depth.end - depth.begin; ++p)
        *to++ = static_cast<double>(from[p]);
    }
    return values_.data();
  }

 private:
  std::optional<std::size_t> begin_;
  std::array<double, kGroupRows * kPanelDepth> values_;
};

// Multiplies at most kGroupRows rows.
template <class Pack>
void multiply_group(const MatrixView& a, const MatrixView& b, const MutableMatrix& out, Pack pack) {
  Panel panel;
  WideRows wide;
  for (std::size_t col = 0; col < out.cols; col += kPanelCols) {
    const std::size_t cols = std::min(kPanelCols, out.cols - col);
    PanelSums sums{};
    for (std::size_t begin = 0; begin < a.cols; begin += kPanelDepth) {
      const RowSpan depth{begin, std::min(begin + kPanelDepth, a.cols)};
      pack(b, depth, col, cols, panel);
      add_products(wide.at(a, depth), a.rows, panel.data(), depth.end - begin, sums[0].data());
    }
    for (std::size_t r = 0; r < out.rows; ++r) {
      for (std::size_t c = 0; c < cols; ++c) out.row(r)[col + c] = static_cast<float>(sums[r][c]);
    }
  }
}

template <class Pack>
void multiply_in_double(const MatrixView& a, const MatrixView& b, const MutableMatrix& out,
                        Pack pack) {
  for (std::size_t row = 0; row < a.rows; row += kGroupRows) {
    const std::size_t rows = std::min(kGroupRows, a.rows - row);
    multiply_group(rows_of(a, row, rows), b, rows_of(out, row, rows), pack);
  }
}

}  // namespace

Sums sums_for(std::uint64_t multiply_adds) {
  return multiply_adds <= std::uint64_t{1} << 19 ? Sums::Double : Sums::Float;
}

void multiply(const MatrixView& a, const MatrixView& b, const MutableMatrix& out, Sums sums) {
  if (sums == Sums::Double) return multiply_in_double(a, b, out, pack_columns);
  PackedPanels packed;
  packed.pack_columns(b);
  multiply_packed(a, packed, 0, out);
}

void multiply_by_transposed(const MatrixView& a, const MatrixView& b, const MutableMatrix& out,
                            Sums sums) {
  if (sums == Sums::Double) return multiply_in_double(a, b, out, pack_rows);
  PackedPanels packed;
  packed.pack_rows(b);
  multiply_packed(a, packed, 0, out);
}

void multiply_visible_row(std::span<const float> weights, std::span<const HiddenRules> rules,
                          const MatrixView& b, float* out) {
  for (std::size_t col = 0; col < b.cols; ++col) {
    double sum = 0.0;
    for (std::size_t k = 0; k < b.rows; ++k) {
      if (rules[k] != kVisible) continue;
      sum += static_cast<double>(weights[k]) * static_cast<double>(b.at(k, col));
    }
    out[col] = static_cast<float>(sum);
  }
}

}  // namespace attn
