// Names and canonical order of tensor axes. Internal to core/document.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/tensor.h"
#include "kinds/given_weights/model.h"

namespace attn {

// Of finished weights, as kWeightAxes.
inline constexpr std::array<std::string_view, kWeightAxes.size()> kAttentionAxes = {
    "layer", "sample", "head", "query", "key"};
inline constexpr std::string_view kQkvAxes[] = {"sample", "head", "token", "feature"};

// Transposes axes into ascending order of `axes`, which holds one distinct number per axis.
Tensor with_sorted_axes(const Tensor& tensor, std::span<const std::size_t> axes);

}  // namespace attn
