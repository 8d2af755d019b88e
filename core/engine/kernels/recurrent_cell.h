// One step of a GRU or LSTM, forward and backward. Internal to the engine.
#pragma once

#include <span>

#include "attention/recurrent.h"
#include "engine/kernels/linear_algebra.h"

namespace attn {

// State before a step; `c` is the LSTM's memory, empty for a GRU.
struct CellState {
  std::span<const float> h, c;
};

// Weights of a cell in double, for many steps.
struct SteppingCell {
  CellKind kind{};
  DoubleRows w_x, w_h;  // (input width, gates · hidden), (hidden, gates · hidden)
  Doubles b_x, b_h;     // zeros if absent
};
// Precondition: the cell is given.
SteppingCell stepping(CellKind kind, const RecurrentCell& cell);

// Turns the state before a step into that after it, in place, by the formulas of CellKind in
// double, rounded once.
void step_cell(const SteppingCell& cell, std::span<const float> x, std::span<float> h,
               std::span<float> c);

// Gates of one step, which its derivative needs, one column each, (hidden, parts). GRU: r, z, n,
// the state's part of n, h before. LSTM: i, f, g, o, tanh(c after), c before.
using CellGates = Eigen::ArrayXXd;
CellGates gates_of(const SteppingCell& cell, std::span<const float> x, const CellState& before);

// A state in double, or derivatives by one; `c` is empty for a GRU.
struct CellVectors {
  Doubles h, c;
};
CellVectors zero_gradient(CellKind kind, std::size_t hidden);

// Turns derivatives by the state after a step into those by the state before, in place. Returns
// those by the input. Chain rule of CellKind's formulas.
Doubles step_back(const SteppingCell& cell, const CellGates& gates, CellVectors& state);

}  // namespace attn
