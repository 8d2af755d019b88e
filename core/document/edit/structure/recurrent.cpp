// Recurrent encoder–decoders: the states of cells are resized gate by gate.
#include "document/edit/structure/recurrent.h"

#include <algorithm>
#include <utility>

#include "attention/problem.h"
#include "document/edit.h"
#include "document/edit/recurrent.h"
#include "document/edit/structure/attention_layer.h"
#include "document/edit/structure/refit.h"
#include "document/generate.h"

namespace attn {
namespace {

constexpr std::string_view kFieldsOfCells[] = {"d_k", "d_model", "samples", "cross"};

std::size_t directions(const RecurrentWidths& widths) { return widths.backward > 0 ? 2 : 1; }

Status adopt_cells(Rebuilding& rebuilding) {
  RecurrentModel model;
  model.embeddings = kept_embeddings(rebuilding);
  model.embeddings.value = Tensor();
  rebuilding.layout.layers = 1;
  rebuilding.layout.value_width = rebuilding.layout.d_ff = 0;
  rebuilding.document.model = std::move(model);
  return ok_status();
}

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
  const bool is_new = before.encoder == 0;
  RecurrentWidths after = before;
  after.d_source = key_embedding_columns(target);
  after.d_target = target.d_model;
  if (before.encoder_width() != rebuilding.wanted.d_k) {
    after.encoder = after.decoder = rebuilding.wanted.d_k / directions(before);
    if (before.backward > 0) after.backward = after.encoder;
  }
  if (is_new || before.d_out == before.decoder) after.d_out = after.decoder;
  return after;
}

AttentionShape target_of_cells(const Rebuilding& rebuilding) {
  AttentionShape target = embedded_target(rebuilding);
  const RecurrentWidths after = widths_after(rebuilding, target);
  target.value_width = target.d_ff = 0;
  target.d_k = target.d_v = after.encoder_width();
  target.d_q = after.decoder == target.d_k ? 0 : after.decoder;
  target.d_out = after.d_out;
  return target;
}

// The two widths of every tensor.
struct WidthChange {
  const RecurrentWidths &from, &to;
  AxisPart of(std::size_t RecurrentWidths::*width) const { return {from.*width, to.*width}; }
  // Nothing where the tensor has no such part.
  AxisPart of(std::size_t RecurrentWidths::*width, bool there) const {
    return there ? of(width) : AxisPart{};
  }
};

using CellWidths = RecurrentWidths;

std::size_t CellWidths::*hidden_width_of(std::string_view cell) {
  return cell == "encoder"    ? &CellWidths::encoder
         : cell == "backward" ? &CellWidths::backward
                              : &CellWidths::decoder;
}

AxisSources rows_of(const RecurrentTensorInfo& info, const WidthChange& change) {
  if (info.name == "w_h") return joined_axis({change.of(hidden_width_of(info.cell))});
  if (!info.cell.empty() && info.cell != "decoder")
    return joined_axis({change.of(&CellWidths::d_source)});
  const bool context = info.name != "w_x" || change.to.asks == AskingState::Previous;
  const bool begins = info.name == "w_initial";
  const AxisPart own =
      change.of(info.name == "w_x" ? &CellWidths::d_target : &CellWidths::decoder, !begins);
  return joined_axis(
      {own, change.of(&CellWidths::encoder, context), change.of(&CellWidths::backward, context)});
}

AxisSources columns_of(const RecurrentTensorInfo& info, const WidthChange& change) {
  if (info.name.ends_with("output")) return joined_axis({change.of(&CellWidths::d_out)});
  const AxisPart hidden = change.of(hidden_width_of(info.cell));
  if (info.name.ends_with("initial")) return joined_axis({hidden});
  const std::size_t gates = cell_info(change.to.cell).gates;
  return resized_axis(gates, hidden.from, gates, hidden.to);
}

std::string name_of(const RecurrentTensorInfo& info) {
  return (info.cell.empty() ? "" : std::string(info.cell) + " ") + std::string(info.name);
}

Tensor fresh_of(const Rebuilding& rebuilding, const RecurrentTensorInfo& info, const Shape& shape) {
  if (shape.size() == 2) {
    return generated_projection(rebuilding.document.seed, name_of(info), shape[0], shape[1],
                                rebuilding.count);
  }
  return Tensor(shape, std::vector<float>(shape[0], 0.0F));
}

// What is said by names, by labels.
void label_names(std::vector<std::string>& names, const TensorList& list) {
  for (std::string& name : names) {
    const auto found = std::ranges::find(list, name, &TensorInfo::name);
    if (found != list.end()) name = found->label;
  }
}

void refit_cells(Rebuilding& rebuilding, const AttentionShape& target) {
  refit_embeddings(rebuilding, target);
  const RecurrentWidths from = widths_before(rebuilding), to = widths_after(rebuilding, target);
  const WidthChange change{from, to};
  auto& model = std::get<RecurrentModel>(rebuilding.document.model);
  StructureRemarks& remarks = rebuilding.remarks;
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    Tensor& tensor = info.write(model.recurrent);
    if (tensor.empty()) continue;
    std::vector<AxisSources> axes{columns_of(info, change)};
    if (tensor.rank() == 2) axes.insert(axes.begin(), rows_of(info, change));
    refit_tensor(tensor, axes, name_of(info), remarks,
                 [&](const Shape& shape) { return fresh_of(rebuilding, info, shape); });
  }
  complete_recurrent(model.recurrent, to, rebuilding.document.seed, remarks.generated,
                     rebuilding.count);
  const TensorList list = tensors_of(model, target);
  for (auto* names : {&remarks.generated, &remarks.extended, &remarks.cut}) {
    label_names(*names, list);
  }
}

std::uint64_t numbers_of_cells(const AttentionShape& s) {
  constexpr std::size_t kMostGates = 4, kCells = 3;
  const std::size_t inputs = std::max(s.d_model, key_embedding_columns(s));
  return saturating_sum(numbers_of_embeddings(s),
                        element_count({kCells, kMostGates, inputs + 2 * s.d_k, s.d_k}));
}

std::string reason_against_cells(const Document& document, const Structure& wanted) {
  const auto* model = std::get_if<RecurrentModel>(&document.model);
  if (model == nullptr || !is_bidirectional(model->recurrent)) return "";
  const bool same = wanted.d_k == encoder_width(model->recurrent);
  if (same || wanted.d_k % 2 == 0) return "";
  return "An encoder in both directions has states of an even width, half of each direction";
}

}  // namespace

const KindStructure kRecurrentStructure{
    {StructureKind::Cells, "recurrent", "Recurrent encoder–decoder",
     "Cells that read one sequence, and cells that write the other and attend to the first"},
    kFieldsOfCells,
    std::holds_alternative<RecurrentModel>,
    adopt_cells,
    target_of_cells,
    refit_cells,
    outline_layer,  // what cells keep beside it is as long as the tokens
    numbers_of_cells,
    reason_against_cells};

}  // namespace attn
