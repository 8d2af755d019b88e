// Completion of recurrent encoder–decoders.
#include <algorithm>
#include <utility>

#include "document/draft/draft.h"
#include "document/generate.h"
#include "document/tensors/matrix_parts.h"

namespace attn {
namespace {

bool refuse_either(Draft& draft, const std::string& pointer, const std::string& found) {
  return draft.refuse(pointer, "two keys exclude each other", found, "one of them");
}

// Refuses contradictory keys.
bool check_choices(Draft& draft, const RecurrentText& fields) {
  if (fields.bidirectional == false && fields.backward != RecurrentCell{}) {
    return refuse_either(draft, "/recurrent/bidirectional", "bidirectional false and backward");
  }
  if (fields.no_w_output && (fields.d_out || !fields.b_output.empty())) {
    return refuse_either(draft, "/recurrent/w_output",
                         std::string("w_output null and ") + (fields.d_out ? "d_out" : "b_output"));
  }
  return true;
}

void turn_round(Draft& draft, RecurrentText& fields) {
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    Tensor& tensor = info.write(fields);
    if (tensor.rank() == 2) tensor = turned(tensor);
  }
  draft.notes.push_back("the recurrent matrices are given as (outputs, inputs) and transposed");
}

// Number of hidden units, from the cell's tensors or as requested.
std::size_t hidden_of(const RecurrentText& fields, const RecurrentCell& cell) {
  const std::size_t gates = cell_info(fields.cell).gates;
  if (!cell.w_h.empty()) return cell.w_h.extent(0);
  for (const Tensor* tensor : {&cell.w_x, &cell.b_x, &cell.b_h}) {
    if (!tensor->empty()) return std::max<std::size_t>(1, tensor->shape().back() / gates);
  }
  return fields.hidden.value_or(kDefaultModelWidth);
}

RecurrentWidths planned_widths(const RecurrentText& fields, const Embeddings& embeddings) {
  const Recurrent& model = fields;
  RecurrentWidths widths;
  widths.cell = model.cell;
  widths.asks = model.asks;
  widths.d_source = embeddings.keys().shape().back();
  widths.d_target = embeddings.query.shape().back();
  widths.encoder = hidden_of(fields, model.encoder);
  const bool backward = fields.bidirectional.value_or(model.backward != RecurrentCell{});
  widths.backward = backward ? hidden_of(fields, model.backward) : 0;
  widths.decoder = hidden_of(fields, model.decoder);
  const std::size_t given =
      model.w_output.empty() ? model.b_output.size() : model.w_output.extent(1);
  widths.d_out = given > 0 ? given : fields.d_out.value_or(widths.decoder);
  if (fields.no_w_output) widths.d_out = 0;
  return widths;
}

// Given tensors are checked before missing ones are generated to fit.
bool check_given(Draft& draft, const Recurrent& model, const RecurrentWidths& widths) {
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const Tensor& tensor = info.read(model);
    const Shape shape = recurrent_shape(info, widths);
    if (tensor.empty() || tensor.shape() == shape) continue;
    draft.errors.push_back(refused_recurrent_shape(info, tensor.shape(), shape));
  }
  return draft.errors.empty();
}

// Requested extents must match the given tensors.
bool check_extents(Draft& draft, const RecurrentText& fields, const RecurrentWidths& widths) {
  const std::optional<std::uint64_t>&hidden = fields.hidden, &d_out = fields.d_out;
  if (hidden && *hidden != widths.encoder && *hidden != widths.backward &&
      *hidden != widths.decoder) {
    return draft.refuse("/recurrent/hidden", "no cell has this number of hidden units",
                        std::to_string(*hidden),
                        std::to_string(widths.decoder) + ", as the decoder has");
  }
  return !d_out || *d_out == widths.d_out ||
         draft.refuse("/recurrent/d_out", "d_out does not fit w_output", std::to_string(*d_out),
                      std::to_string(widths.d_out));
}

bool fits_memory(Draft& draft, const Recurrent& model, const RecurrentWidths& widths) {
  const std::string pointer = draft.text.recurrent->hidden ? "/recurrent/hidden" : "/recurrent";
  return std::ranges::all_of(all_recurrent_tensors(), [&](const RecurrentTensorInfo& info) {
    const Shape shape = recurrent_shape(info, widths);
    const bool bias = info.name.starts_with("b_");  // not generated
    if (bias || shape.empty() || !info.read(model).empty()) return true;
    return fits_memory(draft, {float_bytes(shape)}, pointer, "generating the recurrent model");
  });
}

}  // namespace

bool unify_recurrent(Draft& draft) {
  RecurrentText& fields = *draft.text.recurrent;
  if (!check_choices(draft, fields)) return false;
  if (fields.out_in) turn_round(draft, fields);
  return true;
}

std::size_t recurrent_input_width(const Draft& draft, StageRole role) {
  const RecurrentText& fields = *draft.text.recurrent;
  const Recurrent& model = fields;
  if (role != StageRole::Query && !model.encoder.w_x.empty()) return model.encoder.w_x.extent(0);
  if (role == StageRole::Query && !model.decoder.w_x.empty()) {
    const bool backward = fields.bidirectional.value_or(model.backward != RecurrentCell{});
    const std::size_t context =
        model.asks == QueryState::Current
            ? 0
            : hidden_of(fields, model.encoder) + (backward ? hidden_of(fields, model.backward) : 0);
    const std::size_t inputs = model.decoder.w_x.extent(0);
    if (inputs > context) return inputs - context;
  }
  return draft.text.d_model.value_or(kDefaultModelWidth);
}

bool set_recurrent(Draft& draft, Embeddings embeddings) {
  RecurrentText& fields = *draft.text.recurrent;
  const RecurrentWidths widths = planned_widths(fields, embeddings);
  if (!check_given(draft, fields, widths) || !check_extents(draft, fields, widths) ||
      !fits_memory(draft, fields, widths)) {
    return false;
  }
  complete_recurrent(fields, widths, draft.document.seed, draft.generated);
  draft.document.model =
      RecurrentModel{std::move(embeddings), static_cast<std::size_t>(draft.text.heads.value_or(1)),
                     std::move(fields)};
  if (!draft.text.scoring) draft.document.scoring.function = kScoringOfAnyWidths;
  return true;
}

}  // namespace attn
