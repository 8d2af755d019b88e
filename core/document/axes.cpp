// Transposition of tensors with named axes into canonical order.
#include "document/axes.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace attn {

template <class T>
BasicTensor<T> with_sorted_axes(const BasicTensor<T>& tensor, std::span<const std::size_t> axes,
                                const std::vector<std::string>& names) {
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
  std::vector<T> values;
  values.reserve(tensor.size());
  each_place(shape, steps, [&](std::size_t place) { values.push_back(tensor.data()[place]); });
  BasicTensor<T> sorted(shape, std::move(values));
  const TensorOrigin* const origin = tensor.origin();
  if (origin == nullptr || names.empty() || !origin->axes.empty()) return sorted;
  auto moved = std::make_shared<TensorOrigin>(*origin);
  moved->axes = names;
  moved->shape = shape;
  return sorted.with_origin(std::move(moved));
}

template Tensor with_sorted_axes(const Tensor&, std::span<const std::size_t>,
                                 const std::vector<std::string>&);
template BoolTensor with_sorted_axes(const BoolTensor&, std::span<const std::size_t>,
                                     const std::vector<std::string>&);

}  // namespace attn
