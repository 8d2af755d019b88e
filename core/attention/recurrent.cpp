// Tables of cells and of the tensors of a recurrent model.
#include "attention/recurrent.h"

#include <array>
#include <numeric>

#include "base/enum_table.h"

namespace attn {
namespace {

constexpr std::array<CellInfo, count_of<CellKind>()> kCells{{
    {CellKind::Gru, "gru", "GRU", "(1 − z)·n + z·h", 3, false},
    {CellKind::Lstm, "lstm", "LSTM", "σ(o)·tanh(c)", 4, true},
}};
static_assert(is_indexed_by(kCells, &CellInfo::kind));

constexpr std::array<QueryStateInfo, 2> kQueryStates{{
    {QueryState::Previous, "previous", "State before the step",
     "s_{t−1} is the query; its context enters the step (Bahdanau)"},
    {QueryState::Current, "current", "State of the step",
     "s_t is the query; its context enters only the output (Luong)"},
}};
static_assert(is_indexed_by(kQueryStates, &QueryStateInfo::asks));

template <auto Cell, auto Member>
constexpr RecurrentTensorInfo in_cell(std::string_view cell, std::string_view name) {
  return {cell, name, [](const Recurrent& m) -> const Tensor& { return m.*Cell.*Member; },
          [](Recurrent& m) -> Tensor& { return m.*Cell.*Member; }};
}

template <auto Member>
constexpr RecurrentTensorInfo beside_cells(std::string_view name) {
  return {"", name, [](const Recurrent& m) -> const Tensor& { return m.*Member; },
          [](Recurrent& m) -> Tensor& { return m.*Member; }};
}

constexpr std::array<RecurrentTensorInfo, 16> kTensors{{
    in_cell<&Recurrent::encoder, &RecurrentCell::w_x>("encoder", "w_x"),
    in_cell<&Recurrent::encoder, &RecurrentCell::w_h>("encoder", "w_h"),
    in_cell<&Recurrent::encoder, &RecurrentCell::b_x>("encoder", "b_x"),
    in_cell<&Recurrent::encoder, &RecurrentCell::b_h>("encoder", "b_h"),
    in_cell<&Recurrent::backward, &RecurrentCell::w_x>("backward", "w_x"),
    in_cell<&Recurrent::backward, &RecurrentCell::w_h>("backward", "w_h"),
    in_cell<&Recurrent::backward, &RecurrentCell::b_x>("backward", "b_x"),
    in_cell<&Recurrent::backward, &RecurrentCell::b_h>("backward", "b_h"),
    in_cell<&Recurrent::decoder, &RecurrentCell::w_x>("decoder", "w_x"),
    in_cell<&Recurrent::decoder, &RecurrentCell::w_h>("decoder", "w_h"),
    in_cell<&Recurrent::decoder, &RecurrentCell::b_x>("decoder", "b_x"),
    in_cell<&Recurrent::decoder, &RecurrentCell::b_h>("decoder", "b_h"),
    beside_cells<&Recurrent::w_initial>("w_initial"),
    beside_cells<&Recurrent::b_initial>("b_initial"),
    beside_cells<&Recurrent::w_output>("w_output"),
    beside_cells<&Recurrent::b_output>("b_output"),
}};

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
  if (info.name != "w_x" || widths.asks == QueryState::Previous) {
    parts.insert(parts.end(), {widths.encoder, widths.backward});
  }
  return parts;
}

AxisParts column_parts(const RecurrentTensorInfo& info, const RecurrentWidths& widths) {
  if (info.name.ends_with("output")) return {widths.d_out};
  const bool initial = info.name.ends_with("initial");
  return AxisParts(initial ? 1 : cell_info(widths.cell).gates, hidden_of(info.cell, widths));
}

}  // namespace

std::span<const CellInfo> all_cells() { return kCells; }
const CellInfo& cell_info(CellKind kind) { return kCells[static_cast<std::size_t>(kind)]; }

std::span<const QueryStateInfo> all_query_states() { return kQueryStates; }
const QueryStateInfo& query_state_info(QueryState asks) {
  return kQueryStates[static_cast<std::size_t>(asks)];
}

std::size_t hidden_columns(const RecurrentCell& cell) { return cell.w_h.extent(0); }

bool is_bidirectional(const Recurrent& model) { return !model.backward.w_h.empty(); }

std::size_t encoder_width(const Recurrent& model) {
  const std::size_t forward = hidden_columns(model.encoder);
  return is_bidirectional(model) ? forward + hidden_columns(model.backward) : forward;
}

std::span<const RecurrentTensorInfo> all_recurrent_tensors() { return kTensors; }

RecurrentWidths widths_of(const Recurrent& model, std::size_t d_source, std::size_t d_target) {
  RecurrentWidths widths{model.cell, model.asks, d_source, d_target, 0, 0, 0, 0};
  widths.encoder = hidden_columns(model.encoder);
  widths.backward = is_bidirectional(model) ? hidden_columns(model.backward) : 0;
  widths.decoder = hidden_columns(model.decoder);
  widths.d_out = model.w_output.empty() ? 0 : model.w_output.extent(1);
  return widths;
}

std::vector<AxisParts> recurrent_axes(const RecurrentTensorInfo& info,
                                      const RecurrentWidths& widths) {
  const AxisParts columns = column_parts(info, widths);
  if (columns.front() == 0) return {};
  if (info.name.starts_with("b_")) return {columns};
  return {row_parts(info, widths), columns};
}

Shape recurrent_shape(const RecurrentTensorInfo& info, const RecurrentWidths& widths) {
  Shape shape;
  for (const AxisParts& parts : recurrent_axes(info, widths)) {
    shape.push_back(std::accumulate(parts.begin(), parts.end(), std::size_t{0}));
  }
  return shape;
}

bool may_be_absent(const RecurrentTensorInfo& info, const RecurrentWidths& widths) {
  return info.name.starts_with("b_") ||
         (info.name == "w_initial" && widths.encoder == widths.decoder);
}

}  // namespace attn
