// One layer of attention: its extents and its list.
#include "model/attention_layer.h"

namespace attn {

void set_head_extents(AttentionShape& shape, const Projections& projections, std::size_t heads) {
  shape.heads = heads;
  shape.d_k = projections.w_q.extent(1) / heads;
  shape.kv_heads = projections.w_k.extent(1) / shape.d_k;
  shape.d_v = projections.w_v.extent(1) / shape.kv_heads;
  shape.d_out = projections.w_o.empty() ? 0 : projections.w_o.extent(1);
}

AttentionShape shape_of(const AttentionLayer& model) {
  AttentionShape shape = shape_of(model.embeddings);
  set_head_extents(shape, model.projections, model.heads);
  return shape;
}

void list_projections(TensorList& list, const Projections& p, const AttentionShape& shape,
                      const ProjectionPlace& place) {
  const auto add = [&](const Tensor& tensor, const std::string& name, const std::string& label,
                       StageRole role, std::initializer_list<Extent> extents) {
    const bool matrix = extents.size() == 2;
    list.push_back({&tensor, place.path + "/" + name, place.name + name, place.label + label, role,
                    matrix ? TensorUse::Matrix : TensorUse::Bias, axes_of(shape, extents),
                    place.part, place.block, name == "w_o"});
  };
  add(p.w_q, "w_q", "W_Q", StageRole::Query, {Extent::ModelWidth, Extent::AllQueryWidths});
  add(p.w_k, "w_k", "W_K", StageRole::Key, {place.key_rows, Extent::AllKeyWidths});
  add(p.w_v, "w_v", "W_V", StageRole::Value, {place.value_rows, Extent::AllValueWidths});
  add(p.w_o, "w_o", "W_O", StageRole::Output, {Extent::ConcatWidth, place.outputs});
  add(p.b_q, "b_q", "b_Q", StageRole::Query, {Extent::AllQueryWidths});
  add(p.b_k, "b_k", "b_K", StageRole::Key, {Extent::AllKeyWidths});
  add(p.b_v, "b_v", "b_V", StageRole::Value, {Extent::AllValueWidths});
  add(p.b_o, "b_o", "b_O", StageRole::Output, {place.outputs});
}

TensorList tensors_of(const AttentionLayer& model, const AttentionShape& shape) {
  TensorList list;
  list_embeddings(list, model.embeddings, shape);
  list_projections(list, model.projections, shape,
                   {.path = "/projections", .name = "", .label = ""});
  return list;
}

}  // namespace attn
