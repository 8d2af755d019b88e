// Rows of a linear map x·w + b after an edit: those that it does not reach are copied. Internal to
// the engine.
#pragma once

#include <cstddef>
#include <vector>

#include "base/tensor.h"
#include "engine/kernels/matmul.h"

namespace attn {

// w (depth, width) and b (width) or absent. Borrowed.
struct LinearMap {
  const Tensor& w;
  const Tensor& b;
};

// True when both have the same bits in every row.
bool are_same_rows(const MatrixView& a, const MatrixView& b);

class EditedMap {
 public:
  EditedMap(const LinearMap& before, const LinearMap& after);

  // out = x·w + b for rows of which x is the same as before, from what came out before. False,
  // and nothing done, where most of the map changed.
  bool map_same_rows(const MatrixView& x, const MatrixView& out_before, Sums sums,
                     const MutableMatrix& out) const;

 private:
  std::vector<std::size_t> columns_;  // that changed
  Tensor w_, b_;                      // of these
  bool is_known_ = false;
};

}  // namespace attn
