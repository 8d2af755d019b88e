// Queries, keys and values: their extents and their list.
#include "model/given_qkv.h"

namespace attn {

AttentionShape shape_of(const GivenQkv& model) {
  const std::size_t rank = model.q.rank();
  AttentionShape shape;
  shape.samples = rank == 4 ? model.q.extent(0) : 1;
  shape.heads = rank >= 3 ? model.q.extent(rank - 3) : 1;
  shape.kv_heads = rank >= 3 ? model.k.extent(rank - 3) : 1;
  shape.n_q = model.q.extent(rank - 2);
  shape.n_k = model.k.extent(rank - 2);
  shape.d_k = model.k.extent(rank - 1);
  shape.d_v = model.v.extent(rank - 1);
  const std::size_t d_q = model.q.extent(rank - 1);
  shape.d_q = d_q == shape.d_k ? 0 : d_q;
  return shape;
}

TensorList tensors_of(const GivenQkv& model, const AttentionShape& shape) {
  TensorList list;
  const auto add = [&](const Tensor& tensor, const char* name, const char* label, StageRole role,
                       Extent heads, Extent rows, Extent columns) {
    std::vector<TensorAxis> axes = axes_of(shape, {rows, columns});
    if (tensor.rank() >= 3) axes.insert(axes.begin(), axis_of(shape, heads));
    if (tensor.rank() == 4) axes.insert(axes.begin(), axis_of(shape, Extent::Samples));
    const std::string path = "/" + std::string(name);
    list.push_back({&tensor, path, name, label, role, TensorUse::Input, std::move(axes)});
  };
  add(model.q, "q", "Q", StageRole::Query, Extent::Heads, Extent::Queries, Extent::QueryWidth);
  add(model.k, "k", "K", StageRole::Key, Extent::KeyHeads, Extent::Keys, Extent::KeyWidth);
  add(model.v, "v", "V", StageRole::Value, Extent::KeyHeads, Extent::Keys, Extent::ValueWidth);
  return list;
}

}  // namespace attn
