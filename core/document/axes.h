// Names and canonical order of tensor axes. Internal to core/document.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor.h"
#include "kinds/given_weights/model.h"

namespace attn {

// Axes of finished weights, in the order of kWeightAxes.
inline constexpr std::array<std::string_view, kWeightAxes.size()> kAttentionAxes = {
    "layer", "sample", "head", "query", "key"};
// Axes of queries, keys and values, the first ones in the order of kQkvOuterAxes.
inline constexpr std::string_view kQkvAxes[] = {"layer", "sample", "head", "token", "feature"};

// All axes, each after those that may precede it.
inline constexpr std::string_view kAllAxes[] = {"layer", "sample", "head",   "query",
                                                "key",   "token",  "feature"};

// Calls visit(place) for all elements of the shape in row-major order; an element's place is the
// sum of its indices times the strides.
template <class Visit>
void each_place(const Shape& shape, const Shape& strides, Visit&& visit) {
  Shape index(shape.size(), 0);
  std::size_t place = 0;
  for (std::size_t left = element_count(shape); left > 0; --left) {
    visit(place);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      place += strides[axis];
      if (++index[axis] < shape[axis]) break;
      place -= index[axis] * strides[axis];
      index[axis] = 0;
    }
  }
}

// Transposes axes into ascending order of `axes`, which holds one distinct number per axis. The
// numbers keep their origin in a file if `names`, the names of the axes in the order of the file,
// are given.
template <class T>
BasicTensor<T> with_sorted_axes(const BasicTensor<T>& tensor, std::span<const std::size_t> axes,
                                const std::vector<std::string>& names = {});

}  // namespace attn
