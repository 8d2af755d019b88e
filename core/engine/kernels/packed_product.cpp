// Packing, which copies columns or transposes rows four by four into panels, and products of panels
// with a tile of sums in registers: in float, and in double for matmul.
#include "engine/kernels/packed_product.h"

#include <hwy/cache_control.h>

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/packed_product.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
#include <hwy/highway.h>

#include "base/mapped_file.h"
#include "base/quotient_up.h"
#include "engine/kernels/parallel.h"

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

using Tag = hn::CappedTag<float, PackedPanels::kStep>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
// With a row of the panel and a factor, tiles fill 32 or 16 registers.
constexpr std::size_t kTileRows = kLanes >= 8 ? 6 : 4;
constexpr std::size_t kTileVectors = kLanes == 16 ? 4 : 2;

// Stays in registers if all loops over it are unrolled and it is never passed on.
template <std::size_t Rows, std::size_t Vectors>
using Tile = Vector[Rows][Vectors];

template <std::size_t Rows, std::size_t Vectors>
HWY_INLINE void put(const Tile<Rows, Vectors>& sums, const PanelStep& step, float* out) {
  const Tag tag;
  const Vector factor = hn::Set(tag, step.factor);
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < Rows; ++r) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < Vectors; ++v) {
      float* at = out + r * step.out_stride + v * kLanes;
      const Vector before = step.adds ? hn::LoadU(tag, at) : hn::Zero(tag);
      hn::StoreU(hn::Mul(hn::Add(before, sums[r][v]), factor), tag, at);
    }
  }
}

// Copies cell by cell if `out` is narrower than the tile of `rows` × `width` sums.
void put_part(const float* sums, std::size_t rows, std::size_t width, const PanelStep& step,
              float* out, std::size_t cols) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      float& cell = out[r * step.out_stride + c];
      cell = ((step.adds ? cell : 0.0F) + sums[r * width + c]) * step.factor;
    }
  }
}

// Rows [row, row + Rows) and the columns of Vectors registers from `col` on.
template <std::size_t Rows, std::size_t Vectors>
void multiply_tile(const PanelStep& step, std::size_t row, std::size_t col) {
  const Tag tag;
  const float* rows[Rows];
  Tile<Rows, Vectors> sums;
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < Rows; ++r) {
    rows[r] = step.rows + (row + r) * step.row_stride;
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < Vectors; ++v) sums[r][v] = hn::Zero(tag);
  }
  const float* panel = step.panel + col;
  // Each row prefetches a part of the next panel.
  const float* ahead = step.panel + step.depth * step.panel_stride + row / Rows % Vectors * kLanes;
  for (std::size_t p = 0; p < step.depth; ++p, panel += step.panel_stride) {
    hwy::Prefetch(ahead + p * step.panel_stride);
    Vector beside[Vectors];
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < Vectors; ++v) beside[v] = hn::LoadU(tag, panel + v * kLanes);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < Rows; ++r) {
      const Vector factor = hn::Set(tag, rows[r][p]);
      HWY_UNROLL(8)
      for (std::size_t v = 0; v < Vectors; ++v) {
        sums[r][v] = hn::MulAdd(factor, beside[v], sums[r][v]);
      }
    }
  }
  float* out = step.out + row * step.out_stride + col;
  const std::size_t cols = step.cols - col;
  if (cols >= Vectors * kLanes) return put<Rows, Vectors>(sums, step, out);
  HWY_ALIGN float cells[Rows * Vectors * kLanes];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < Rows; ++r) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < Vectors; ++v) {
      hn::Store(sums[r][v], tag, cells + (r * Vectors + v) * kLanes);
    }
  }
  put_part(cells, Rows, Vectors * kLanes, step, out, cols);
}

template <std::size_t Vectors>
void multiply_columns(const PanelStep& step, std::size_t col) {
  std::size_t row = 0;
  for (; row + kTileRows <= step.row_count; row += kTileRows) {
    multiply_tile<kTileRows, Vectors>(step, row, col);
  }
  for (; row + 4 <= step.row_count; row += 4) multiply_tile<4, Vectors>(step, row, col);
  for (; row + 2 <= step.row_count; row += 2) multiply_tile<2, Vectors>(step, row, col);
  if (row < step.row_count) multiply_tile<1, Vectors>(step, row, col);
}

void multiply_panel(const PanelStep& step) {
  std::size_t col = 0;
  for (; col + kTileVectors * kLanes <= step.cols; col += kTileVectors * kLanes) {
    multiply_columns<kTileVectors>(step, col);
  }
  const std::size_t vectors = quotient_up(step.cols - col, kLanes);
  if (vectors == 4) multiply_columns<kTileVectors>(step, col);
  if (vectors == 3) multiply_columns < kTileVectors<3 ? kTileVectors : 3>(step, col);
  if (vectors == 2) multiply_columns<2>(step, col);
  if (vectors == 1) multiply_columns<1>(step, col);
}

// sums[c] += Σ weights[k] · panel(k, c) over visible k, for one step of columns.
void add_visible(const float* weights, const std::uint8_t* rules, std::size_t depth,
                 const float* panel, std::size_t stride, float* sums) {
  const Tag tag;
  for (std::size_t c = 0; c < PackedPanels::kStep; c += kLanes) {
    Vector sum = hn::Zero(tag);
    for (std::size_t k = 0; k < depth; ++k) {
      if (rules[k] != kVisible) continue;
      sum = hn::MulAdd(hn::Set(tag, weights[k]), hn::LoadU(tag, panel + k * stride + c), sum);
    }
    hn::StoreU(hn::Add(hn::LoadU(tag, sums + c), sum), tag, sums + c);
  }
}

// Sums in double.
using WideTag = hn::CappedTag<double, kPanelCols>;
using WideVector = hn::Vec<WideTag>;
constexpr std::size_t kWideLanes = hn::MaxLanes(WideTag());
constexpr std::size_t kWideVectors = kPanelCols / kWideLanes;
// With factors and a row of the panel, tiles fill 16 registers, or keep two multipliers busy.
constexpr std::size_t kWideTileRows = kWideLanes == 8 ? 12 : kWideLanes == 4 ? 6 : 3;

template <std::size_t Rows>
void add_tile(const double* rows, const double* panel, std::size_t depth, double* sums) {
  const WideTag tag;
  WideVector tile[Rows][kWideVectors];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < kWideVectors; ++v) {
      tile[r][v] = hn::LoadU(tag, sums + r * kPanelCols + v * kWideLanes);
    }
  }
  for (std::size_t p = 0; p < depth; ++p) {
    WideVector beside[kWideVectors];
    for (std::size_t v = 0; v < kWideVectors; ++v) {
      beside[v] = hn::LoadU(tag, panel + p * kPanelCols + v * kWideLanes);
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      const WideVector factor = hn::Set(tag, rows[r * depth + p]);
      for (std::size_t v = 0; v < kWideVectors; ++v) {
        tile[r][v] = hn::MulAdd(factor, beside[v], tile[r][v]);
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < kWideVectors; ++v) {
      hn::StoreU(tile[r][v], tag, sums + r * kPanelCols + v * kWideLanes);
    }
  }
}

void add_rows(const double* rows, std::size_t count, const double* panel, std::size_t depth,
              double* sums) {
  std::size_t row = 0;
  for (; row + kWideTileRows <= count; row += kWideTileRows) {
    add_tile<kWideTileRows>(rows + row * depth, panel, depth, sums + row * kPanelCols);
  }
  for (; row + 3 <= count; row += 3) {
    add_tile<3>(rows + row * depth, panel, depth, sums + row * kPanelCols);
  }
  for (; row < count; ++row) add_tile<1>(rows + row * depth, panel, depth, sums + row * kPanelCols);
}

}  // namespace
}  // namespace attn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(transpose);
HWY_EXPORT(multiply_panel);
HWY_EXPORT(add_visible);
HWY_EXPORT(add_rows);

std::size_t whole_steps(std::size_t cols) {
  return (cols + PackedPanels::kStep - 1) / PackedPanels::kStep * PackedPanels::kStep;
}

// Rows of the right-hand matrix from `row` to the end of its block.
std::size_t rest_of_block(std::size_t row, std::size_t end) {
  return std::min(kSumBlock - row % kSumBlock, end - row);
}

// All blocks of rows [first_row, first_row + rows.cols) of `right`.
void multiply_cut(PanelStep step, const MatrixView& rows, const PackedPanels& right,
                  std::size_t first_row, std::size_t right_col, float factor) {
  const std::size_t end = first_row + rows.cols;
  for (std::size_t row = first_row; row < end; row += step.depth) {
    step.depth = rest_of_block(row, end);
    step.rows = rows.data + (row - first_row);
    step.panel = right.at(row, right_col);
    step.factor = row + step.depth == end ? factor : 1.0F;
    HWY_DYNAMIC_DISPATCH(multiply_panel)(step);
    step.adds = true;
  }
}

void multiply_part(const MatrixView& rows, const PackedPanels& right, std::size_t first_row,
                   std::size_t first_col, const MutableMatrix& out, float factor, bool adds) {
  PanelStep step{};
  step.row_stride = rows.row_stride;
  step.row_count = rows.rows;
  step.out_stride = out.row_stride;
  for (std::size_t col = 0; col < out.cols; col += step.cols) {
    const std::size_t in_panel = (first_col + col) % PackedPanels::kWidth;
    step.out = out.data + col;
    step.cols = std::min(PackedPanels::kWidth - in_panel, out.cols - col);
    step.panel_stride = right.stride_at(first_col + col);
    step.adds = adds;
    multiply_cut(step, rows, right, first_row, first_col + col, factor);
  }
}

// Calls body(job) for each job; small matrices are packed often, and by one thread at once.
template <class Body>
void for_jobs(std::size_t count, unsigned threads, const Body& body) {
  if (threads != 1) {
    parallel_for(count, threads, nullptr, body);
    return;
  }
  for (std::size_t job = 0; job < count; ++job) body(job);
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

void PackedPanels::pack_rows(const MatrixView& rows, bool gives_back, unsigned threads) {
  reshape(rows.cols, rows.rows);
  for_jobs(quotient_up(cols_, kWidth), threads, [&](std::size_t panel) {
    const std::size_t col = panel * kWidth;
    const float* const from = rows.data + col * rows.row_stride;
    const std::size_t count = std::min(kWidth, cols_ - col);
    HWY_DYNAMIC_DISPATCH(transpose)
    (from, rows.row_stride, count, depth_, buffer_.data() + index(0, col), stride_at(col));
    if (gives_back) give_back(from, count * rows.row_stride * sizeof(float));
  });
}

void PackedPanels::pack_columns(const MatrixView& matrix, unsigned threads) {
  reshape(matrix.rows, matrix.cols);
  const bool is_panel = cols_ <= kWidth && cols_ % kStep == 0 && matrix.row_stride == cols_;
  if (is_panel) {
    std::copy_n(matrix.data, depth_ * cols_, buffer_.data());
    return;
  }
  constexpr std::size_t kRowsOfAJob = 32;
  for_jobs(quotient_up(depth_, kRowsOfAJob), threads, [&](std::size_t job) {
    const std::size_t first = job * kRowsOfAJob, end = std::min(first + kRowsOfAJob, depth_);
    for (std::size_t row = first; row < end; ++row) {
      const float* values = matrix.row(row).data();
      for (std::size_t col = 0; col < cols_; col += kWidth) {
        std::copy_n(values + col, std::min(kWidth, cols_ - col), buffer_.data() + index(row, col));
      }
    }
  });
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

void multiply_packed(const MatrixView& rows, const PackedPanels& right, std::size_t first_col,
                     const MutableMatrix& out, float factor) {
  if (rows.cols > 0) return multiply_part(rows, right, 0, first_col, out, factor, false);
  for (std::size_t r = 0; r < out.rows; ++r) std::fill_n(out.row(r), out.cols, 0.0F);
}

void add_packed(const MatrixView& rows, const PackedPanels& right, std::size_t first_row,
                const MutableMatrix& out) {
  multiply_part(rows, right, first_row, 0, out, 1.0F, true);
}

void multiply_visible_packed(std::span<const float> weights, std::span<const HiddenRules> rules,
                             const PackedPanels& right, float* out) {
  for (std::size_t col = 0; col < right.cols(); col += PackedPanels::kStep) {
    float sums[PackedPanels::kStep] = {};
    for (std::size_t row = 0, depth = 0; row < weights.size(); row += depth) {
      depth = rest_of_block(row, weights.size());
      HWY_DYNAMIC_DISPATCH(add_visible)
      (&weights[row], &rules[row], depth, right.at(row, col), right.stride_at(col), sums);
    }
    std::copy_n(sums, std::min(PackedPanels::kStep, right.cols() - col), out + col);
  }
}

void add_products(const double* rows, std::size_t count, const double* panel, std::size_t depth,
                  double* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows)(rows, count, panel, depth, sums);
}

}  // namespace attn
#endif
