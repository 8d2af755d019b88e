// Names and canonical order of tensor axes. Internal to core/document.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/enum_table.h"
#include "base/tensor.h"
#include "kinds/given_weights/model.h"

namespace attn {

struct AxisInfo {
  Axis axis;
  std::string_view name;
};

// Axes of given weights, in canonical order.
inline constexpr std::array<AxisInfo, 5> kAxes{{{Axis::Layer, "layer"},
                                                {Axis::Sample, "sample"},
                                                {Axis::Head, "head"},
                                                {Axis::Query, "query"},
                                                {Axis::Key, "key"}}};
static_assert(is_indexed_by(kAxes, &AxisInfo::axis));

// Names of kAxes, in canonical order.
inline constexpr auto kAttentionAxes = [] {
  std::array<std::string_view, kAxes.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kAxes[i].name;
  return names;
}();
inline constexpr std::string_view kQkvAxes[] = {"sample", "head", "token", "feature"};

// Transposes axes into ascending order of `axes`, which holds one distinct number per axis.
Tensor with_sorted_axes(const Tensor& tensor, std::span<const std::size_t> axes);

}  // namespace attn
