// Recurrent encoder–decoder with attention (Cho et al. 2014; Bahdanau et al. 2015; Luong et al.
// 2015).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/tensor.h"

namespace attn {

// Cells, with p = x·W_x + b_x and u = h·W_h + b_h, each the concatenation of its gates:
enum class CellKind {
  Gru,   // r, z, n: r = σ(p+u), z = σ(p+u), n = tanh(p + r·u), h' = (1 − z)·n + z·h
  Lstm,  // i, f, g, o: c' = σ(f)·c + σ(i)·tanh(g), h' = σ(o)·tanh(c'), each of p+u
};

// State of the decoder that is the query: the one before the step, whose context enters the step
// (Bahdanau), or the step's own, whose context enters only the output (Luong).
enum class QueryState { Previous, Current };

// Matrices are stored (in, out). Absent biases are 0; an absent cell has no matrices.
struct RecurrentCell {
  Tensor w_x, w_h;  // (input width, gates · hidden), (hidden, gates · hidden)
  Tensor b_x, b_h;  // (gates · hidden)
  friend bool operator==(const RecurrentCell&, const RecurrentCell&) = default;
};

// The encoder reads the source from left to right and, with a backward cell, also from right to
// left; the concatenated states are keys and values of every step. The fixed vector concatenates
// the last forward state and the backward state of the first token.
struct Recurrent {
  CellKind cell = CellKind::Gru;
  QueryState asks = QueryState::Previous;
  RecurrentCell encoder, backward;  // backward absent: one direction
  RecurrentCell decoder;  // reads [y_t; c_t] if the previous state is the query, else y_t alone
  // s_0 = tanh(fixed vector · w_initial + b_initial); absent: the last forward state. The memory of
  // an LSTM decoder begins at 0.
  Tensor w_initial, b_initial;  // (encoder width, decoder hidden), (decoder hidden)
  Tensor w_output, b_output;    // o_t = tanh([s_t; c_t]·W + b); absent: no outputs
  friend bool operator==(const Recurrent&, const Recurrent&) = default;
};

struct CellInfo {
  CellKind kind;
  std::string_view name;  // name in JSON: "gru"
  std::string_view label;
  std::string_view formula;  // of the next state
  std::size_t gates;
  bool has_memory;  // has a cell state c in addition to h
};
std::span<const CellInfo> all_cells();
const CellInfo& cell_info(CellKind kind);

struct QueryStateInfo {
  QueryState asks;
  std::string_view name;  // name in JSON: "previous"
  std::string_view label;
  std::string_view sentence;
};
std::span<const QueryStateInfo> all_query_states();
const QueryStateInfo& query_state_info(QueryState asks);

// Columns of a state. Precondition: the cell is given.
std::size_t hidden_columns(const RecurrentCell& cell);
bool is_bidirectional(const Recurrent& model);
// Columns of an encoder state, both directions together.
std::size_t encoder_width(const Recurrent& model);
// A tensor of the model with its name in documents, present or not.
struct RecurrentTensorInfo {
  std::string_view cell;  // "encoder", "backward", "decoder"; empty: outside of the cells
  std::string_view name;  // "w_x"
  const Tensor& (*read)(const Recurrent&);
  Tensor& (*write)(Recurrent&);
};
std::span<const RecurrentTensorInfo> all_recurrent_tensors();

// Widths that determine the extents of the tensors.
struct RecurrentWidths {
  CellKind cell = CellKind::Gru;
  QueryState asks = QueryState::Previous;
  std::size_t d_source = 0, d_target = 0;              // columns of the embeddings
  std::size_t encoder = 0, backward = 0, decoder = 0;  // hidden units; backward 0: one direction
  std::size_t d_out = 0;                               // 0: no outputs
  std::size_t encoder_width() const { return encoder + backward; }
};
// Widths of a model's tensors. Precondition: encoder and decoder are given.
RecurrentWidths widths_of(const Recurrent& model, std::size_t d_source, std::size_t d_target);
// Widths of the concatenated parts of an axis, such as the gates of a cell.
using AxisParts = std::vector<std::size_t>;
// Parts of every axis of the tensor; empty if the widths do not allow any.
std::vector<AxisParts> recurrent_axes(const RecurrentTensorInfo& info,
                                      const RecurrentWidths& widths);
// Shape with those axes, each as long as its parts together.
Shape recurrent_shape(const RecurrentTensorInfo& info, const RecurrentWidths& widths);
// True if the model works without the tensor: biases, and w_initial if the decoder can begin with
// the encoder's last state.
bool may_be_absent(const RecurrentTensorInfo& info, const RecurrentWidths& widths);

}  // namespace attn
