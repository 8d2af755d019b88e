// Sums in double, with a tile of sums in registers.
#include "engine/kernels/matmul.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/panel_product.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, kPanelCols>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kVectors = kPanelCols / kLanes;
// With factors and a row of the panel, tiles fill 16 registers, or keep two multipliers busy.
constexpr std::size_t kTileRows = kLanes == 8 ? 12 : kLanes == 4 ? 6 : 3;

template <std::size_t Rows>
void add_tile(const double* rows, const double* panel, std::size_t depth, double* sums) {
  const Tag tag;
  Vector tile[Rows][kVectors];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      tile[r][v] = hn::LoadU(tag, sums + r * kPanelCols + v * kLanes);
    }
  }
  for (std::size_t p = 0; p < depth; ++p) {
    Vector beside[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      beside[v] = hn::LoadU(tag, panel + p * kPanelCols + v * kLanes);
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      const Vector factor = hn::Set(tag, rows[r * depth + p]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        tile[r][v] = hn::MulAdd(factor, beside[v], tile[r][v]);
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(tile[r][v], tag, sums + r * kPanelCols + v * kLanes);
    }
  }
}

void add_rows(const double* rows, std::size_t count, const double* panel, std::size_t depth,
              double* sums) {
  std::size_t row = 0;
  for (; row + kTileRows <= count; row += kTileRows) {
    add_tile<kTileRows>(rows + row * depth, panel, depth, sums + row * kPanelCols);
  }
  for (; row + 3 <= count; row += 3) {
    add_tile<3>(rows + row * depth, panel, depth, sums + row * kPanelCols);
  }
  for (; row < count; ++row) {
    add_tile<1>(rows + row * depth, panel, depth, sums + row * kPanelCols);
  }
}

}  // namespace
}  // namespace attn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(add_rows);

}  // namespace

void add_products(const double* rows, std::size_t count, const double* panel, std::size_t depth,
                  double* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows)(rows, count, panel, depth, sums);
}

}  // namespace attn
#endif
