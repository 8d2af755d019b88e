// Transposition of tensors with named axes into canonical order.
#include "document/axes.h"

#include <algorithm>
#include <numeric>

namespace attn {

Tensor with_sorted_axes(const Tensor& tensor, std::span<const std::size_t> axes) {
  if (std::is_sorted(axes.begin(), axes.end())) return tensor;
  const std::size_t rank = tensor.rank();
  std::vector<std::size_t> source(rank);  // source axis of each result axis
  std::iota(source.begin(), source.end(), std::size_t{0});
  std::sort(source.begin(), source.end(),
            [&](std::size_t a, std::size_t b) { return axes[a] < axes[b]; });
  std::vector<std::size_t> strides(rank, 1);
  for (std::size_t axis = rank - 1; axis > 0; --axis) {
    strides[axis - 1] = strides[axis] * tensor.extent(axis);
  }
  Shape shape(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) shape[axis] = tensor.extent(source[axis]);

  std::vector<float> values(tensor.size());
  Shape index(rank, 0);
  for (float& value : values) {
    std::size_t from = 0;
    for (std::size_t axis = 0; axis < rank; ++axis) from += index[axis] * strides[source[axis]];
    value = tensor[from];
    for (std::size_t axis = rank; axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return Tensor(std::move(shape), std::move(values));
}

}  // namespace attn
