// A recurrent encoder–decoder: its extents and its list.
#include "model/recurrent_model.h"

namespace attn {
namespace {

StageRole role_of(const RecurrentTensorInfo& info) {
  if (info.cell.empty())
    return info.name.ends_with("output") ? StageRole::Output : StageRole::Query;
  return info.cell == "decoder" ? StageRole::Query : StageRole::Key;
}

std::string label_of(const RecurrentTensorInfo& info) {
  const std::string letter = info.name.starts_with("b_") ? "b_" : "W_";
  if (info.name.ends_with("initial")) return letter + "0";
  if (info.name.ends_with("output")) return letter + "out";
  const std::string cell = info.cell == "encoder"    ? "enc "
                           : info.cell == "backward" ? "back "
                                                     : "dec ";
  return cell + letter + std::string(info.name.substr(2));
}

TensorInfo entry(const RecurrentTensorInfo& info, const Recurrent& model,
                 const RecurrentWidths& widths) {
  const std::string name(info.name);
  const std::string cell(info.cell);
  TensorInfo out;
  out.tensor = &info.read(model);
  out.path = "/recurrent/" + (cell.empty() ? name : cell + "/" + name);
  out.name = cell.empty() ? name : cell + " " + name;
  out.label = label_of(info);
  out.role = role_of(info);
  out.use = name.starts_with("b_") ? TensorUse::Bias : TensorUse::Matrix;
  for (const std::size_t count : recurrent_shape(info, widths)) {
    out.axes.push_back({Extent::One, std::to_string(count), count});
  }
  out.part = cell == "encoder" || cell == "backward" ? "encoder" : "decoder";
  out.null_when_absent = name == "w_output";
  return out;
}

}  // namespace

RecurrentWidths widths_of(const RecurrentModel& model) {
  return widths_of(model.recurrent, model.embeddings.keys().shape().back(),
                   model.embeddings.query.shape().back());
}

AttentionShape shape_of(const RecurrentModel& model) {
  const Recurrent& recurrent = model.recurrent;
  AttentionShape shape = shape_of(model.embeddings);
  shape.value_width = 0;
  shape.d_k = shape.d_v = encoder_width(recurrent);
  const std::size_t d_q = hidden_columns(recurrent.decoder);
  shape.d_q = d_q == shape.d_k ? 0 : d_q;
  shape.d_out = recurrent.w_output.empty() ? 0 : recurrent.w_output.extent(1);
  return shape;
}

TensorList tensors_of(const RecurrentModel& model, const AttentionShape& shape) {
  TensorList list;
  list_embeddings(list, model.embeddings, shape);
  const RecurrentWidths widths = widths_of(model);
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    list.push_back(entry(info, model.recurrent, widths));
  }
  return list;
}

}  // namespace attn
