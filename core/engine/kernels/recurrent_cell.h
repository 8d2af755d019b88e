// One step of a GRU or LSTM, forwards and back. Internal to the engine.
#pragma once

#include <span>

#include "attention/recurrent.h"
#include "engine/kernels/linear_algebra.h"

namespace attn {

// State before or after a step; `c` is the LSTM's memory, empty for a GRU.
struct CellState {
  std::span<const float> h, c;
};
struct MutableCellState {
  std::span<float> h, c;
};

// A cell in double, ready for many steps. A value.
struct SteppingCell {
  CellKind kind{};
  DoubleRows w_x, w_h;  // (input width, gates · hidden), (hidden, gates · hidden)
  Doubles b_x, b_h;     // zeros where the cell has none
};
// Precondition: the cell is there.
SteppingCell stepping(CellKind kind, const RecurrentCell& cell);

// after = cell(x, before) by the formulas of CellKind, in double, rounded once. `after` may be
// `before`.
void step_cell(const SteppingCell& cell, std::span<const float> x, const CellState& before,
               const MutableCellState& after);

// What the derivative of one step needs: the gates at that step, one column each, (hidden, parts).
// GRU: r, z, n, the state's part of n, h before. LSTM: i, f, g, o, tanh(c after), c before.
using CellGates = Eigen::ArrayXXd;
CellGates gates_of(const SteppingCell& cell, std::span<const float> x, const CellState& before);

// Derivatives of something by a state; `c` is empty for a GRU.
struct CellGradient {
  Doubles h, c;
};
CellGradient zero_gradient(CellKind kind, std::size_t hidden);

// From the derivatives by the state after a step to those by the state before it, in place. Returns
// those by the input. Formulas: the chain rule on CellKind's.
Doubles step_back(const SteppingCell& cell, const CellGates& gates, CellGradient& state);

}  // namespace attn
