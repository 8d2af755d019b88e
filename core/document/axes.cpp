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
  Shape shape, steps;
  for (const std::size_t axis : source) {
    shape.push_back(tensor.extent(axis));
    steps.push_back(strides[axis]);
  }
  std::vector<float> values;
  values.reserve(tensor.size());
  each_place(shape, steps, [&](std::size_t place) { values.push_back(tensor.data()[place]); });
  return Tensor(std::move(shape), std::move(values));
}

}  // namespace attn
