// Matrices made from others: with rows and columns exchanged, or of some columns. Those of large
// mapped matrices are made when they are read, and all keep the reference to their file.
#pragma once

#include <cstddef>

#include "base/tensor.h"

namespace attn {

// Columns of a part; 0 if these do not exist in a matrix of `cols` columns.
std::size_t count_of(const TensorPart& part, std::size_t cols);

// Exchanges the last two axes. Precondition: there are two.
Tensor turned(const Tensor& tensor);

// Some columns of the last axis. Precondition: they exist.
Tensor columns_of(const Tensor& tensor, const TensorPart& part);

// The rows of a matrix from `first` on, which share its memory. Precondition: there are some.
Tensor rows_after(const Tensor& matrix, std::size_t first);

}  // namespace attn
