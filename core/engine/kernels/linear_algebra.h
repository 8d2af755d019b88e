// Eigen, for the linear algebra that is not a hot kernel: in double, on one thread, the same bits
// on every machine. docs/design/kernels.md says what is ours instead. Internal to the engine.
#pragma once

#include <Eigen/Core>
#include <span>

#include "base/tensor.h"

namespace attn {

using Doubles = Eigen::VectorXd;
using DoubleRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Numbers of the engine as Eigen reads them; borrowed.
using FloatRows =
    Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>,
               Eigen::Unaligned, Eigen::OuterStride<>>;
FloatRows map_of(const MatrixView& matrix);

// Copies in double.
Doubles doubles_of(std::span<const float> values);
DoubleRows doubles_of(const MatrixView& matrix);

// a · b. A cell of 0 in `a` carries nothing, not even what is not finite.
DoubleRows product(const DoubleRows& a, const DoubleRows& b);

// (rows, cols), each cell rounded once.
Tensor rounded(const DoubleRows& matrix);

}  // namespace attn
