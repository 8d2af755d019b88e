// Reads and writes the cells and tensors of a recurrent model.
#include "document/json/recurrent.h"

#include "document/json/values.h"

namespace attn {
namespace {

bool read_cell_kind(JsonValue json, RecurrentFields& fields) {
  return read_named(json, all_cells(), "cell", &CellInfo::kind, fields.cell);
}

bool read_asking(JsonValue json, RecurrentFields& fields) {
  return read_named(json, all_asking_states(), "asking state", &AskingInfo::asks, fields.asks);
}

constexpr Row<RecurrentCell> kCellRows[] = {
    {"w_x", into<&RecurrentCell::w_x, tensor<2, 2, float>>},
    {"w_h", into<&RecurrentCell::w_h, tensor<2, 2, float>>},
    {"b_x", into<&RecurrentCell::b_x, tensor_or_null<1, 1>>},
    {"b_h", into<&RecurrentCell::b_h, tensor_or_null<1, 1>>},
};

bool read_cell(JsonValue json, RecurrentCell& cell) {
  return read_object<RecurrentCell>(json, kCellRows, cell);
}

bool read_output(JsonValue json, RecurrentFields& fields) {
  fields.no_w_output = json.kind() == JsonValue::Kind::Null;
  return tensor_or_null<2, 2>(json, fields.w_output);
}

constexpr Row<RecurrentFields> kRecurrentRows[] = {
    {"cell", read_cell_kind},
    {"asks", read_asking},
    {"bidirectional", into_optional<&RecurrentFields::bidirectional, read_flag>},
    {"hidden", into_optional<&RecurrentFields::hidden, count_from<1>>},
    {"d_out", into_optional<&RecurrentFields::d_out, count_from<1>>},
    {"order", into<&RecurrentFields::out_in, choice<kMatrixOrders>>},
    {"encoder", into<&Recurrent::encoder, read_cell>},
    {"backward", into<&Recurrent::backward, read_cell>},
    {"decoder", into<&Recurrent::decoder, read_cell>},
    {"w_initial", into<&Recurrent::w_initial, tensor<2, 2, float>>},
    {"b_initial", into<&Recurrent::b_initial, tensor_or_null<1, 1>>},
    {"w_output", read_output},
    {"b_output", into<&Recurrent::b_output, tensor_or_null<1, 1>>},
};

}  // namespace

bool read_recurrent(JsonValue json, DocumentFields& fields) {
  return read_object<RecurrentFields>(json, kRecurrentRows, fields.recurrent.emplace());
}

void write_recurrent_settings(ObjectWriter& object, const Model& model, std::string_view place) {
  const auto* kind = std::get_if<RecurrentModel>(&model);
  if (kind == nullptr || place != "/recurrent") return;
  object.text("cell", cell_info(kind->recurrent.cell).name);
  object.text("asks", asking_info(kind->recurrent.asks).name);
}

}  // namespace attn
