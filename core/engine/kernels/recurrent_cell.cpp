// Table of recurrent cells, and their shared linear maps.
#include "engine/kernels/recurrent_cell.h"

#include <array>
#include <cmath>

#include "base/enum_table.h"

namespace attn {
namespace {

using Array = Eigen::ArrayXd;

Array sigmoid(const Array& x) {
  return x.unaryExpr([](double value) { return 1.0 / (1.0 + std::exp(-value)); });
}

Array tanh_of(const Array& x) {
  return x.unaryExpr([](double value) { return std::tanh(value); });
}

// Inputs of the gates, concatenated: from the input and from the state.
struct GateSums {
  Array p, u;
  Array from_input(Eigen::Index gate) const { return p.segment(gate * hidden, hidden); }
  Array from_state(Eigen::Index gate) const { return u.segment(gate * hidden, hidden); }
  Array both(Eigen::Index gate) const { return from_input(gate) + from_state(gate); }
  Eigen::Index hidden = 0;
};

CellGates gru_gates(const GateSums& sums, const CellState& before) {
  CellGates gates(sums.hidden, 5);
  gates.col(0) = sigmoid(sums.both(0));
  gates.col(1) = sigmoid(sums.both(1));
  gates.col(2) = tanh_of(sums.from_input(2) + gates.col(0) * sums.from_state(2));
  gates.col(3) = sums.from_state(2);
  gates.col(4) = doubles_of(before.h);
  return gates;
}

CellVectors gru_next(const CellGates& gates) {
  return {(1.0 - gates.col(1)) * gates.col(2) + gates.col(1) * gates.col(4), {}};
}

// Derivatives by the inputs of the gates.
GateSums gru_back(const CellGates& gates, CellVectors& state) {
  const Array r = gates.col(0), z = gates.col(1), n = gates.col(2);
  const Array after = state.h.array();
  const Array by_n = after * (1.0 - z) * (1.0 - n.square());
  const Array by_r = by_n * gates.col(3) * r * (1.0 - r);
  const Array by_z = after * (gates.col(4) - n) * z * (1.0 - z);
  GateSums by{Array(3 * r.size()), Array(3 * r.size()), r.size()};
  by.p << by_r, by_z, by_n;
  by.u << by_r, by_z, by_n * r;
  state.h = after * z;
  return by;
}

CellGates lstm_gates(const GateSums& sums, const CellState& before) {
  CellGates gates(sums.hidden, 6);
  gates.col(0) = sigmoid(sums.both(0));
  gates.col(1) = sigmoid(sums.both(1));
  gates.col(2) = tanh_of(sums.both(2));
  gates.col(3) = sigmoid(sums.both(3));
  gates.col(5) = doubles_of(before.c);
  gates.col(4) = tanh_of(gates.col(1) * gates.col(5) + gates.col(0) * gates.col(2));
  return gates;
}

CellVectors lstm_next(const CellGates& gates) {
  return {gates.col(3) * gates.col(4), gates.col(1) * gates.col(5) + gates.col(0) * gates.col(2)};
}

GateSums lstm_back(const CellGates& gates, CellVectors& state) {
  const Array i = gates.col(0), f = gates.col(1), g = gates.col(2), o = gates.col(3);
  const Array squashed = gates.col(4);
  const Array by_c = state.c.array() + state.h.array() * o * (1.0 - squashed.square());
  GateSums by{Array(4 * i.size()), {}, i.size()};
  by.p << by_c * g * i * (1.0 - i), by_c * gates.col(5) * f * (1.0 - f),
      by_c * i * (1.0 - g.square()), state.h.array() * squashed * o * (1.0 - o);
  by.u = by.p;
  state.h.setZero();
  state.c = by_c * f;
  return by;
}

struct CellKernels {
  CellKind kind;
  CellGates (*gates)(const GateSums& sums, const CellState& before);
  CellVectors (*next)(const CellGates& gates);
  // Leaves in `state` the derivative that bypasses the gates.
  GateSums (*back)(const CellGates& gates, CellVectors& state);
};

constexpr std::array<CellKernels, count_of<CellKind>()> kCellKernels{{
    {CellKind::Gru, gru_gates, gru_next, gru_back},
    {CellKind::Lstm, lstm_gates, lstm_next, lstm_back},
}};
static_assert(is_indexed_by(kCellKernels, &CellKernels::kind));

Doubles bias_of(const Tensor& b, std::size_t width) {
  return b.empty() ? Doubles::Zero(static_cast<Eigen::Index>(width)) : doubles_of(b.values());
}

void write_rounded(const Doubles& values, std::span<float> out) {
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    out[static_cast<std::size_t>(k)] = static_cast<float>(values[k]);
  }
}

}  // namespace

SteppingCell stepping(CellKind kind, const RecurrentCell& cell) {
  const std::size_t width = cell.w_x.extent(1);
  return {kind, doubles_of(matrix_at(cell.w_x, 0)), doubles_of(matrix_at(cell.w_h, 0)),
          bias_of(cell.b_x, width), bias_of(cell.b_h, width)};
}

CellGates gates_of(const SteppingCell& cell, std::span<const float> x, const CellState& before) {
  const GateSums sums{cell.w_x.transpose() * doubles_of(x) + cell.b_x,
                      cell.w_h.transpose() * doubles_of(before.h) + cell.b_h, cell.w_h.rows()};
  return row_of(kCellKernels, cell.kind).gates(sums, before);
}

void step_cell(const SteppingCell& cell, std::span<const float> x, std::span<float> h,
               std::span<float> c) {
  const CellVectors next = row_of(kCellKernels, cell.kind).next(gates_of(cell, x, {h, c}));
  write_rounded(next.h, h);
  write_rounded(next.c, c);
}

CellVectors zero_gradient(CellKind kind, std::size_t hidden) {
  const auto units = static_cast<Eigen::Index>(hidden);
  return {Doubles::Zero(units), Doubles::Zero(cell_info(kind).has_memory ? units : 0)};
}

Doubles step_back(const SteppingCell& cell, const CellGates& gates, CellVectors& state) {
  const GateSums by = row_of(kCellKernels, cell.kind).back(gates, state);
  state.h += cell.w_h * by.u.matrix();
  return cell.w_x * by.p.matrix();
}

}  // namespace attn
