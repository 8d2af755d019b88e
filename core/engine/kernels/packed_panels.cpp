// Packing: copies columns, or transposes rows four by four, into panels.
#include <algorithm>

#include "engine/kernels/packed_product.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/packed_panels.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t kTransposed = 1;

void transpose_square(const float* from, std::size_t, float* to, std::size_t) { *to = *from; }
#else
constexpr std::size_t kTransposed = 4;

// Registers of four exist on every machine.
void transpose_square(const float* from, std::size_t from_stride, float* to,
                      std::size_t to_stride) {
  const hn::FixedTag<float, 4> tag;
  const hn::RepartitionToWide<decltype(tag)> wide;
  const auto a = hn::LoadU(tag, from);
  const auto b = hn::LoadU(tag, from + from_stride);
  const auto c = hn::LoadU(tag, from + 2 * from_stride);
  const auto d = hn::LoadU(tag, from + 3 * from_stride);
  const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(tag, a, b));
  const auto cd_low = hn::BitCast(wide, hn::InterleaveLower(tag, c, d));
  const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(tag, a, b));
  const auto cd_high = hn::BitCast(wide, hn::InterleaveUpper(tag, c, d));
  const auto put = [&](std::size_t row, auto lanes)
                       HWY_ATTR { hn::StoreU(hn::BitCast(tag, lanes), tag, to + row * to_stride); };
  put(0, hn::InterleaveLower(wide, ab_low, cd_low));
  put(1, hn::InterleaveUpper(wide, ab_low, cd_low));
  put(2, hn::InterleaveLower(wide, ab_high, cd_high));
  put(3, hn::InterleaveUpper(wide, ab_high, cd_high));
}
#endif

// to(c, r) = from(r, c).
void transpose(const float* from, std::size_t from_stride, std::size_t rows, std::size_t cols,
               float* to, std::size_t to_stride) {
  const std::size_t square_rows = rows - rows % kTransposed;
  const std::size_t square_cols = cols - cols % kTransposed;
  for (std::size_t c = 0; c < square_cols; c += kTransposed) {
    for (std::size_t r = 0; r < square_rows; r += kTransposed) {
      transpose_square(from + r * from_stride + c, from_stride, to + c * to_stride + r, to_stride);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = r < square_rows ? square_cols : 0; c < cols; ++c) {
      to[c * to_stride + r] = from[r * from_stride + c];
    }
  }
}

}  // namespace
}  // namespace attn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(transpose);

std::size_t whole_steps(std::size_t cols) {
  return (cols + PackedPanels::kStep - 1) / PackedPanels::kStep * PackedPanels::kStep;
}

}  // namespace

std::size_t PackedPanels::stride_at(std::size_t col) const {
  return std::min(kWidth, whole_steps(cols_) - col / kWidth * kWidth);
}

std::size_t PackedPanels::index(std::size_t row, std::size_t col) const {
  const std::size_t panel = col / kWidth * kWidth;
  return panel * depth_ + row * stride_at(col) + (col - panel);
}

// Pads the last column so that a whole step can be read.
void PackedPanels::reshape(std::size_t depth, std::size_t cols) {
  depth_ = depth;
  cols_ = cols;
  const std::size_t size = depth * whole_steps(cols);
  buffer_.resize(size + kStep);
  std::fill_n(buffer_.data() + size, kStep, 0.0F);
  const std::size_t last = cols / kWidth * kWidth;
  if (cols % kStep != 0) std::fill(buffer_.data() + last * depth, buffer_.data() + size, 0.0F);
}

void PackedPanels::pack_rows(const MatrixView& rows) {
  reshape(rows.cols, rows.rows);
  for (std::size_t col = 0; col < cols_; col += kWidth) {
    HWY_DYNAMIC_DISPATCH(transpose)
    (rows.data + col * rows.row_stride, rows.row_stride, std::min(kWidth, cols_ - col), depth_,
     buffer_.data() + index(0, col), stride_at(col));
  }
}

void PackedPanels::pack_columns(const MatrixView& matrix) {
  reshape(matrix.rows, matrix.cols);
  const bool is_panel = cols_ <= kWidth && cols_ % kStep == 0 && matrix.row_stride == cols_;
  if (is_panel) {
    std::copy_n(matrix.data, depth_ * cols_, buffer_.data());
    return;
  }
  for (std::size_t row = 0; row < depth_; ++row) set_row(row, matrix.row(row).data());
}

void PackedPanels::copy(const PackedPanels& other) {
  depth_ = other.depth_;
  cols_ = other.cols_;
  buffer_.resize(other.buffer_.size());
  std::ranges::copy(other.buffer_.values(), buffer_.data());
}

void PackedPanels::set_column(std::size_t col, const float* values) {
  float* to = buffer_.data() + index(0, col);
  const std::size_t stride = stride_at(col);
  for (std::size_t row = 0; row < depth_; ++row) to[row * stride] = values[row];
}

void PackedPanels::set_row(std::size_t row, const float* values) {
  for (std::size_t col = 0; col < cols_; col += kWidth) {
    std::copy_n(values + col, std::min(kWidth, cols_ - col), buffer_.data() + index(row, col));
  }
}

}  // namespace attn
#endif
