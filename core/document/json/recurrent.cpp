// Reads and writes the cells and tensors of a recurrent model.
#include "document/json/recurrent.h"

#include "document/json/object.h"
#include "document/json/values.h"

namespace attn {
namespace {

using Kind = JsonCursor::Kind;

bool read_cell_kind(JsonCursor& cursor, RecurrentFields& fields) {
  const CellInfo* info = nullptr;
  if (!read_named(cursor, all_cells(), "cell", info)) return false;
  fields.model.cell = info->kind;
  return true;
}

bool read_asking(JsonCursor& cursor, RecurrentFields& fields) {
  const AskingInfo* info = nullptr;
  if (!read_named(cursor, all_asking_states(), "asking state", info)) return false;
  fields.model.asks = info->asks;
  return true;
}

bool read_bidirectional(JsonCursor& cursor, RecurrentFields& fields) {
  return read_flag(cursor, fields.bidirectional.emplace());
}

template <auto Member>
bool read_width(JsonCursor& cursor, RecurrentFields& fields) {
  return read_count(cursor, 1, (fields.*Member).emplace());
}

bool read_matrix_order(JsonCursor& cursor, RecurrentFields& fields) {
  return read_choice(cursor, kMatrixOrders, "order of inputs and outputs", fields.out_in);
}

constexpr KeyReader<RecurrentCell> kCellKeys[] = {
    {"w_x", read_tensor_into<&RecurrentCell::w_x, 2, 2>},
    {"w_h", read_tensor_into<&RecurrentCell::w_h, 2, 2>},
    {"b_x", read_tensor_or_null<&RecurrentCell::b_x, 1, 1>},
    {"b_h", read_tensor_or_null<&RecurrentCell::b_h, 1, 1>},
};

template <auto Member>
bool read_cell(JsonCursor& cursor, RecurrentFields& fields) {
  return read_object<RecurrentCell>(cursor, kCellKeys, fields.model.*Member);
}

template <auto Member, std::size_t Rank>
bool read_model_tensor(JsonCursor& cursor, RecurrentFields& fields) {
  return read_tensor_into<Member, Rank, Rank>(cursor, fields.model);
}

template <auto Member>
bool read_model_bias(JsonCursor& cursor, RecurrentFields& fields) {
  return read_tensor_or_null<Member, 1, 1>(cursor, fields.model);
}

bool read_output(JsonCursor& cursor, RecurrentFields& fields) {
  if (cursor.kind() != Kind::Null) {
    return read_model_tensor<&Recurrent::w_output, 2>(cursor, fields);
  }
  fields.no_w_output = true;
  return cursor.read_null();
}

constexpr KeyReader<RecurrentFields> kRecurrentKeys[] = {
    {"cell", read_cell_kind},
    {"asks", read_asking},
    {"bidirectional", read_bidirectional},
    {"hidden", read_width<&RecurrentFields::hidden>},
    {"d_out", read_width<&RecurrentFields::d_out>},
    {"order", read_matrix_order},
    {"encoder", read_cell<&Recurrent::encoder>},
    {"backward", read_cell<&Recurrent::backward>},
    {"decoder", read_cell<&Recurrent::decoder>},
    {"w_initial", read_model_tensor<&Recurrent::w_initial, 2>},
    {"b_initial", read_model_bias<&Recurrent::b_initial>},
    {"w_output", read_output},
    {"b_output", read_model_bias<&Recurrent::b_output>},
};

}  // namespace

bool read_recurrent(JsonCursor& cursor, DocumentFields& fields) {
  return read_object<RecurrentFields>(cursor, kRecurrentKeys, fields.recurrent.emplace());
}

void write_recurrent_settings(ObjectWriter& object, const Model& model, std::string_view place) {
  const auto* kind = std::get_if<RecurrentModel>(&model);
  if (kind == nullptr || place != "/recurrent") return;
  object.text("cell", cell_info(kind->recurrent.cell).name);
  object.text("asks", asking_info(kind->recurrent.asks).name);
}

}  // namespace attn
