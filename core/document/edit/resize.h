// Tensors brought to other extents: numbers stay where they have a place. Internal to
// core/document.
#pragma once

#include <cassert>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/tensor.h"
#include "document/edit/rearrange.h"
#include "document/edit/rebuilding.h"

namespace attn {

// Where each index of an axis comes from: an old index, or kNewPlace.
using AxisSources = std::vector<std::size_t>;
// Widths of what stands side by side along an axis, such as the columns of heads.
using AxisParts = std::vector<std::size_t>;

// The first indices of each part stay, what is more is new.
AxisSources resized_axis(const AxisParts& from, const AxisParts& to);
inline AxisSources resized_axis(std::size_t from, std::size_t to) {
  return resized_axis(AxisParts{from}, AxisParts{to});
}

bool adds(const AxisSources& axis);
bool cuts(const AxisSources& axis, std::size_t from);

// The numbers of `tensor` at their new places, and elsewhere those of `fresh`, which has the new
// shape, or is null where nothing is new.
template <class T>
BasicTensor<T> resized(const BasicTensor<T>& tensor, const std::vector<AxisSources>& axes,
                       const BasicTensor<T>* fresh) {
  Shape shape, strides(axes.size(), 1), at(axes.size(), 0);
  for (const AxisSources& axis : axes) shape.push_back(axis.size());
  for (std::size_t i = axes.size(); i-- > 1;) strides[i - 1] = strides[i] * tensor.extent(i);
  std::vector<T> values(element_count(shape));
  for (std::size_t flat = 0; flat < values.size(); ++flat) {
    std::size_t source = 0;
    for (std::size_t i = 0; i < axes.size() && source != kNewPlace; ++i) {
      const std::size_t from = axes[i][at[i]];
      source = from == kNewPlace ? kNewPlace : source + from * strides[i];
    }
    assert(source == kNewPlace || source < tensor.size());
    values[flat] = source == kNewPlace ? (*fresh)[flat] : tensor[source];
    for (std::size_t i = axes.size(); i-- > 0 && ++at[i] == shape[i];) at[i] = 0;
  }
  return BasicTensor<T>(std::move(shape), std::move(values));
}

// Resizes one tensor and says so. `fresh` makes a tensor of the new shape.
template <class T, class Fresh>
void resize_tensor(BasicTensor<T>& tensor, const std::vector<AxisSources>& axes,
                   const std::string& label, StructureRemarks& remarks, Fresh fresh) {
  bool grows = false, shrinks = false;
  Shape shape;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    grows = grows || adds(axes[i]);
    shrinks = shrinks || cuts(axes[i], tensor.extent(i));
    shape.push_back(axes[i].size());
  }
  if (!grows && !shrinks) return;
  if (grows) add_label(remarks.extended, label);
  if (shrinks) add_label(remarks.cut, label);
  const BasicTensor<T> new_numbers = grows ? fresh(shape) : BasicTensor<T>();
  tensor = resized(tensor, axes, grows ? &new_numbers : nullptr);
}

// One tensor of the model that is there.
void resize_tensor(Rebuilding& rebuilding, const TensorInfo& info,
                   const std::vector<AxisSources>& axes);

}  // namespace attn
