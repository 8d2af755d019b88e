// Finished weights: their extents and their one tensor.
#include "model/given_weights.h"

#include <algorithm>

namespace attn {
namespace {

Extent extent_along(Axis axis) {
  switch (axis) {
    case Axis::Layer:
      return Extent::Layers;
    case Axis::Sample:
      return Extent::Samples;
    case Axis::Head:
      return Extent::Heads;
    case Axis::Query:
      return Extent::Queries;
    case Axis::Key:
      return Extent::Keys;
  }
  return Extent::One;
}

}  // namespace

AttentionShape shape_of(const GivenWeights& model) {
  const auto extent = [&](Axis axis) -> std::size_t {
    const auto at = std::ranges::find(model.axes, axis);
    if (at == model.axes.end()) return 1;
    return model.weights.extent(static_cast<std::size_t>(at - model.axes.begin()));
  };
  AttentionShape shape;
  shape.layers = extent(Axis::Layer);
  shape.samples = extent(Axis::Sample);
  shape.heads = shape.kv_heads = extent(Axis::Head);
  shape.n_q = extent(Axis::Query);
  shape.n_k = extent(Axis::Key);
  return shape;
}

TensorList tensors_of(const GivenWeights& model, const AttentionShape& shape) {
  TensorInfo info{&model.weights,    "/attention",  "attention", "A",
                  StageRole::Scores, TensorUse::Map};
  for (const Axis axis : model.axes) info.axes.push_back(axis_of(shape, extent_along(axis)));
  return {info};
}

}  // namespace attn
