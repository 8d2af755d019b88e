// Sample of rows that represents a tensor too large to be read whole.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "base/tensor.h"

namespace attn {

// Larger tensors are read whole only on request.
inline constexpr std::size_t kMostReadInPassing = std::size_t{1} << 24U;

// `count` of the rows along the last axis, in ascending order.
struct RowSample {
  std::size_t rows = 0, count = 0;
  bool is_all() const { return count == rows; }
  // Number of the i-th row of the sample.
  std::size_t row(std::size_t i) const;
  // "4,096 rows sampled of 1,048,576"; "12 rows".
  std::string words() const;
  // " in the 4,096 rows sampled of 1,048,576"; "" of all.
  std::string where() const;
};

// All rows of a tensor of at most kMostReadInPassing numbers, or if `all`; else rows with a
// sixteenth as many numbers, spread evenly over all matrices of the last two axes and over their
// rows.
RowSample sample_of_rows(const Tensor& tensor, bool all = false);

// Calls look(row, numbers) for each row of the sample, until it returns false; then false. Gives
// back the memory of large mapped files.
bool visit_rows(const Tensor& tensor, const RowSample& sample,
                const std::function<bool(std::size_t, std::span<const float>)>& look);

}  // namespace attn
