#include "engine/matmul.h"

#include <algorithm>
#include <array>

#include "engine/lanes.h"

namespace attn {
namespace {

constexpr std::size_t kPanelCols = 2 * kLanes;
constexpr std::size_t kTileRows = 4;

// Some columns of the right-hand matrix, kPanelCols beside each other for each step of depth; zeros
// fill up a panel that is narrower.
using Panel = std::array<float, kDepthChunk * kPanelCols>;

struct Chunk {
  std::size_t begin = 0;
  std::size_t size = 0;
};

void pack_columns(const MatrixView& b, Chunk depth, std::size_t col, std::size_t cols,
                  Panel& panel) {
  for (std::size_t p = 0; p < depth.size; ++p) {
    const float* from = b.data + (depth.begin + p) * b.row_stride + col;
    float* to = &panel[p * kPanelCols];
    if (cols == kPanelCols) {
      std::copy_n(from, kPanelCols, to);
    } else {
      std::fill(std::copy_n(from, cols, to), to + kPanelCols, 0.0F);
    }
  }
}

void pack_rows(const MatrixView& b, Chunk depth, std::size_t row, std::size_t rows, Panel& panel) {
  if (rows < kPanelCols) std::fill_n(panel.begin(), depth.size * kPanelCols, 0.0F);
  for (std::size_t r = 0; r < rows; ++r) {
    const float* from = b.data + (row + r) * b.row_stride + depth.begin;
    for (std::size_t p = 0; p < depth.size; ++p) panel[p * kPanelCols + r] = from[p];
  }
}

void put_tile_row(Lanes left, Lanes right, bool add, std::size_t cols, float* out) {
  std::array<float, kPanelCols> sums;
  put_lanes(left, sums.data());
  put_lanes(right, sums.data() + kLanes);
  for (std::size_t c = 0; c < cols; ++c) out[c] = add ? out[c] + sums[c] : sums[c];
}

// Rows × kPanelCols sums of products, kept in registers over the depth of one chunk.
template <std::size_t Rows>
void multiply_tile(const float* a, std::size_t a_stride, const Panel& panel, Chunk depth, bool add,
                   const MutableMatrix& out) {
  std::array<Lanes, Rows> left{};
  std::array<Lanes, Rows> right{};
  for (std::size_t p = 0; p < depth.size; ++p) {
    const Lanes b_left = lanes_at(&panel[p * kPanelCols]);
    const Lanes b_right = lanes_at(&panel[p * kPanelCols + kLanes]);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Lanes factor = all_lanes(a[r * a_stride + p]);
      left[r] += factor * b_left;
      right[r] += factor * b_right;
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) put_tile_row(left[r], right[r], add, out.cols, out.row(r));
}

// `out` is as many columns wide as the panel is filled.
void multiply_panel(const MatrixView& a, const Panel& panel, Chunk depth,
                    const MutableMatrix& out) {
  const bool add = depth.begin > 0;
  for (std::size_t row = 0; row < out.rows; row += kTileRows) {
    const float* from = a.data + row * a.row_stride + depth.begin;
    const MutableMatrix tile{out.row(row), std::min(kTileRows, out.rows - row), out.cols,
                             out.row_stride};
    switch (tile.rows) {
      case 1:
        multiply_tile<1>(from, a.row_stride, panel, depth, add, tile);
        break;
      case 2:
        multiply_tile<2>(from, a.row_stride, panel, depth, add, tile);
        break;
      case 3:
        multiply_tile<3>(from, a.row_stride, panel, depth, add, tile);
        break;
      default:
        multiply_tile<4>(from, a.row_stride, panel, depth, add, tile);
        break;
    }
  }
}

template <class Pack>
void multiply_packed(const MatrixView& a, const MatrixView& b, const MutableMatrix& out,
                     Pack pack) {
  Panel panel;
  std::size_t begin = 0;
  do {  // once even without depth: an empty sum is 0
    const Chunk depth{begin, std::min(kDepthChunk, a.cols - begin)};
    for (std::size_t col = 0; col < out.cols; col += kPanelCols) {
      const std::size_t cols = std::min(kPanelCols, out.cols - col);
      pack(b, depth, col, cols, panel);
      multiply_panel(a, panel, depth, {out.data + col, out.rows, cols, out.row_stride});
    }
    begin += kDepthChunk;
  } while (begin < a.cols);
}

}  // namespace

MatrixView rows_of(const MatrixView& matrix, std::size_t row, std::size_t rows) {
  return {matrix.data + row * matrix.row_stride, rows, matrix.cols, matrix.row_stride};
}

MutableMatrix rows_of(const MutableMatrix& matrix, std::size_t row, std::size_t rows) {
  return {matrix.row(row), rows, matrix.cols, matrix.row_stride};
}

void multiply(const MatrixView& a, const MatrixView& b, const MutableMatrix& out) {
  multiply_packed(a, b, out, pack_columns);
}

void multiply_by_transposed(const MatrixView& a, const MatrixView& b, const MutableMatrix& out) {
  multiply_packed(a, b, out, pack_rows);
}

void multiply_visible_row(std::span<const float> weights, std::span<const HiddenRules> rules,
                          const MatrixView& b, float* out) {
  for (std::size_t col = 0; col < b.cols; ++col) {
    float total = 0.0F;
    for (std::size_t begin = 0; begin < b.rows; begin += kDepthChunk) {
      float sum = 0.0F;
      for (std::size_t k = begin; k < std::min(begin + kDepthChunk, b.rows); ++k) {
        if (rules[k] == kVisible) sum += weights[k] * b.at(k, col);
      }
      total = begin > 0 ? total + sum : sum;
    }
    out[col] = total;
  }
}

}  // namespace attn
