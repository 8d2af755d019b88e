// Eigen's products with equal bits on all machines.
#include "engine/kernels/linear_algebra.h"

#include <vector>

namespace attn {
namespace {

// Eigen blocks products by cache sizes, which determines the order of sums, so sizes are fixed. Set
// before main, as products may run on several threads.
[[maybe_unused]] const bool kCachesAreFixed = [] {
  Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20);
  return true;
}();

Eigen::Index index(std::size_t value) { return static_cast<Eigen::Index>(value); }

}  // namespace

FloatRows map_of(const MatrixView& matrix) {
  return {matrix.data, index(matrix.rows), index(matrix.cols),
          Eigen::OuterStride<>(index(matrix.row_stride))};
}

Doubles doubles_of(std::span<const float> values) {
  return Eigen::Map<const Eigen::VectorXf>(values.data(), index(values.size())).cast<double>();
}

DoubleRows doubles_of(const MatrixView& matrix) { return map_of(matrix).cast<double>(); }

DoubleRows product(const DoubleRows& a, const DoubleRows& b) {
  if (b.allFinite()) return a * b;
  DoubleRows out = DoubleRows::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index k = 0; k < a.cols(); ++k) {
      if (a(i, k) != 0.0) out.row(i) += a(i, k) * b.row(k);
    }
  }
  return out;
}

Tensor rounded(const DoubleRows& matrix) {
  std::vector<float> values(static_cast<std::size_t>(matrix.size()));
  Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), matrix.rows(), matrix.cols()) = matrix.cast<float>();
  return Tensor({static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())},
                std::move(values));
}

}  // namespace attn
