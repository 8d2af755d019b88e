// Eigen for linear algebra outside of hot kernels: in double, on one thread, with equal bits on all
// machines. docs/design/kernels.md lists what is written by hand. Internal to the engine.
#pragma once

#include <Eigen/Core>
#include <span>

#include "base/tensor.h"

namespace attn {

using Doubles = Eigen::VectorXd;
using DoubleRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Eigen's views of the engine's numbers; borrowed.
using FloatRows =
    Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>,
               Eigen::Unaligned, Eigen::OuterStride<>>;
FloatRows map_of(const MatrixView& matrix);

// Copies into double.
Doubles doubles_of(std::span<const float> values);
DoubleRows doubles_of(const MatrixView& matrix);

// a · b, skipping cells of 0 in `a`, so that they hide NaN and infinity.
DoubleRows product(const DoubleRows& a, const DoubleRows& b);

// (rows, cols), each cell rounded once.
Tensor rounded(const DoubleRows& matrix);

}  // namespace attn
