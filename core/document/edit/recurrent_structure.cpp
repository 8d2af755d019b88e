// Recurrent encoder–decoders: the states of cells are resized gate by gate.
#include <algorithm>
#include <utility>

#include "document/edit/recurrent.h"
#include "document/edit/resize.h"

namespace attn {
namespace {

const Recurrent& recurrent_of(const Rebuilding& rebuilding) {
  return std::get<RecurrentModel>(rebuilding.document.model).recurrent;
}

// Those of the tensors that are there; of new cells nothing.
RecurrentWidths widths_before(const Rebuilding& rebuilding) {
  const Recurrent& model = recurrent_of(rebuilding);
  if (model.encoder.w_h.empty()) return {};
  const AttentionShape& layout = rebuilding.layout;
  return widths_of(model, key_embedding_columns(layout), layout.d_model);
}

RecurrentWidths widths_after(const Rebuilding& rebuilding, const AttentionShape& target) {
  const RecurrentWidths before = widths_before(rebuilding);
  RecurrentWidths after = before;
  after.d_source = key_embedding_columns(target);
  after.d_target = target.d_model;
  if (before.encoder_width() != rebuilding.wanted.d_k) {
    const bool both_ways = before.backward > 0;
    after.encoder = after.decoder = rebuilding.wanted.d_k / (both_ways ? 2 : 1);
    if (both_ways) after.backward = after.encoder;
  }
  if (before.encoder == 0 || before.d_out == before.decoder) after.d_out = after.decoder;
  return after;
}

std::size_t hidden_of(std::string_view cell, const RecurrentWidths& widths) {
  return cell == "encoder" ? widths.encoder : cell == "backward" ? widths.backward : widths.decoder;
}

AxisParts row_parts(const RecurrentTensorInfo& info, const RecurrentWidths& widths) {
  if (info.name == "w_h") return {hidden_of(info.cell, widths)};
  if (!info.cell.empty() && info.cell != "decoder") return {widths.d_source};
  AxisParts parts;
  if (info.name != "w_initial") {
    parts.push_back(info.name == "w_x" ? widths.d_target : widths.decoder);
  }
  if (info.name != "w_x" || widths.asks == AskingState::Previous) {
    parts.insert(parts.end(), {widths.encoder, widths.backward});
  }
  return parts;
}

AxisParts column_parts(const RecurrentTensorInfo& info, const RecurrentWidths& widths) {
  if (info.name.ends_with("output")) return {widths.d_out};
  const bool initial = info.name.ends_with("initial");
  return AxisParts(initial ? 1 : cell_info(widths.cell).gates, hidden_of(info.cell, widths));
}

void resize_present_cells(Rebuilding& rebuilding, const RecurrentWidths& from,
                          const RecurrentWidths& to) {
  const auto& model = std::get<RecurrentModel>(rebuilding.document.model);
  const TensorList list = tensors_of(model, rebuilding.layout);
  const auto tensors = all_recurrent_tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorInfo& info = list[list.size() - tensors.size() + i];
    if (!info.is_there()) continue;
    std::vector<AxisSources> axes{
        resized_axis(column_parts(tensors[i], from), column_parts(tensors[i], to))};
    if (info.tensor->rank() == 2) {
      axes.insert(axes.begin(),
                  resized_axis(row_parts(tensors[i], from), row_parts(tensors[i], to)));
    }
    resize_tensor(rebuilding, info, axes);
  }
}

}  // namespace

const StructureKindInfo kCells{
    StructureKind::Cells, "recurrent", "Recurrent encoder–decoder",
    "Cells that read one sequence, and cells that write the other and attend to the first"};

void adopt_cells(Rebuilding& rebuilding) {
  RecurrentModel model;
  model.embeddings = kept_embeddings(rebuilding);
  model.embeddings.value = Tensor();
  rebuilding.layout.layers = 1;
  rebuilding.layout.value_width = rebuilding.layout.d_ff = 0;
  rebuilding.document.model = std::move(model);
}

AttentionShape target_of_cells(const Rebuilding& rebuilding, AttentionShape target) {
  const RecurrentWidths after = widths_after(rebuilding, target);
  target.value_width = target.d_ff = 0;
  target.d_k = target.d_v = after.encoder_width();
  target.d_q = after.decoder == target.d_k ? 0 : after.decoder;
  target.d_out = after.d_out;
  return target;
}

void resize_cells(Rebuilding& rebuilding, const AttentionShape& target) {
  auto& model = std::get<RecurrentModel>(rebuilding.document.model);
  const RecurrentWidths from = widths_before(rebuilding), to = widths_after(rebuilding, target);
  if (from.encoder > 0) resize_present_cells(rebuilding, from, to);
  std::vector<std::string> made;
  complete_recurrent(model.recurrent, to, rebuilding.document.seed, made, rebuilding.count);
  const TensorList list = tensors_of(model, target);
  for (const std::string& name : made) {
    const auto& info = *std::ranges::find(list, name, &TensorInfo::name);
    rebuilding.remarks.generated.push_back(info.label);
  }
}

std::string reason_against_cells(const Document& document, const Structure& wanted) {
  const auto* model = std::get_if<RecurrentModel>(&document.model);
  if (model == nullptr || !is_bidirectional(model->recurrent)) return "";
  const bool same = wanted.d_k == encoder_width(model->recurrent);
  if (same || wanted.d_k % 2 == 0) return "";
  return "An encoder in both directions has states of an even width, half of each direction";
}

}  // namespace attn
