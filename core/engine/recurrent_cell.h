// One step of a GRU or LSTM, forwards and back. Internal to the engine.
#pragma once

#include <span>
#include <vector>

#include "attention/recurrent.h"

namespace attn {

// State before or after a step; `c` is the LSTM's memory, empty for a GRU.
struct CellState {
  std::span<const float> h, c;
};
struct MutableCellState {
  std::span<float> h, c;
};

// after = cell(x, before) by the formulas of CellKind, in double, rounded once. `after` may be
// `before`.
void step_cell(CellKind kind, const RecurrentCell& cell, std::span<const float> x,
               const CellState& before, const MutableCellState& after);

// What the derivative of one step needs: the gates at that step, (parts, hidden) one after another.
// GRU: r, z, n, the state's part of n, h before. LSTM: i, f, g, o, tanh(c after), c before.
using CellGates = std::vector<double>;
CellGates gates_of(CellKind kind, const RecurrentCell& cell, std::span<const float> x,
                   const CellState& before);

// Derivatives of something by a state.
struct CellGradient {
  std::vector<double> h, c;
};

// From the derivatives by the state after a step to those by the state before it, in place; what
// the input's derivatives get is added to `x`. Formulas: the chain rule on CellKind's.
void step_back(CellKind kind, const RecurrentCell& cell, const CellGates& gates,
               CellGradient& state, std::span<double> x);

// in += w · out for w (in, out): derivatives through x·W.
void add_back_through(const Tensor& w, std::span<const double> out, std::span<double> in);

}  // namespace attn
