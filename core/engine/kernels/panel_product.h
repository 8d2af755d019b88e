// The inner loop of matrix products, compiled for every instruction set of the kernels. Internal to
// the engine.
#pragma once

#include <cstddef>

namespace attn {

inline constexpr std::size_t kPanelCols = 8;

// sums(r, c) += rows(r, 0) · panel(0, c) + rows(r, 1) · panel(1, c) + …, one product after the
// other. Numbers that were floats have exact products in double, so that the bits are the same with
// every instruction set, with or without fused multiply-add. `rows` is (count, depth), `panel`
// (depth, kPanelCols), `sums` (count, kPanelCols), all without gaps.
void add_products(const double* rows, std::size_t count, const double* panel, std::size_t depth,
                  double* sums);

}  // namespace attn
