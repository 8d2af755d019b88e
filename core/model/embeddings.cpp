// Embeddings as part of a model: their extents and their entries in its list.
#include "model/embeddings.h"

namespace attn {
namespace {

std::size_t columns_of(const Tensor& embeddings) {
  return embeddings.extent(embeddings.rank() - 1);
}
std::size_t rows_of(const Tensor& embeddings) { return embeddings.extent(embeddings.rank() - 2); }

Tensor with_sample_axis(const Tensor& embeddings) {
  if (embeddings.rank() == 3) return embeddings;
  return embeddings.reshaped({1, embeddings.extent(0), embeddings.extent(1)});
}

}  // namespace

AttentionShape shape_of(const Embeddings& embeddings) {
  const std::size_t d_key = columns_of(embeddings.keys());
  const std::size_t d_value = columns_of(embeddings.values());
  AttentionShape shape;
  shape.samples = embeddings.query.rank() == 3 ? embeddings.query.extent(0) : 1;
  shape.n_q = rows_of(embeddings.query);
  shape.n_k = rows_of(embeddings.keys());
  shape.d_model = columns_of(embeddings.query);
  shape.key_width = d_key == shape.d_model ? 0 : d_key;
  shape.value_width = d_value == d_key ? 0 : d_value;
  return shape;
}

void list_embeddings(TensorList& list, const Embeddings& embeddings, const AttentionShape& shape) {
  const auto add = [&](const Tensor& tensor, const std::string& name, const char* label,
                       StageRole role, Extent rows, Extent columns) {
    std::vector<TensorAxis> axes = axes_of(shape, {rows, columns});
    if (tensor.rank() == 3) axes.insert(axes.begin(), axis_of(shape, Extent::Samples));
    list.push_back({&tensor, "/" + name, name, label, role, TensorUse::Input, std::move(axes)});
  };
  add(embeddings.query, embeddings.key.empty() ? "embeddings" : "query_embeddings", "X",
      StageRole::Query, Extent::Queries, Extent::ModelWidth);
  add(embeddings.key, "key_embeddings", "X_K", StageRole::Key, Extent::Keys, Extent::KeyInputWidth);
  add(embeddings.value, "value_embeddings", "X_V", StageRole::Value, Extent::Keys,
      Extent::ValueInputWidth);
}

Embeddings complete(const Embeddings& embeddings) {
  return {with_sample_axis(embeddings.query), with_sample_axis(embeddings.keys()),
          with_sample_axis(embeddings.values())};
}

}  // namespace attn
