#include "engine/recurrent_cell.h"

#include <cmath>
#include <cstddef>

namespace attn {
namespace {

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// x·W + b in double.
std::vector<double> mapped(std::span<const float> x, const Tensor& w, const Tensor& b) {
  const std::size_t cols = w.extent(1);
  std::vector<double> out(cols);
  for (std::size_t j = 0; j < cols && !b.empty(); ++j) out[j] = static_cast<double>(b[j]);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto value = static_cast<double>(x[i]);
    const float* row = w.data() + i * cols;
    for (std::size_t j = 0; j < cols; ++j) out[j] += value * static_cast<double>(row[j]);
  }
  return out;
}

// One unit of a cell: its gates and what becomes of it.
struct GruUnit {
  double r, z, n, from_state;
  double next(double h) const { return (1.0 - z) * n + z * h; }
};

GruUnit gru_unit(const std::vector<double>& p, const std::vector<double>& u, std::size_t hidden,
                 std::size_t k) {
  GruUnit unit{};
  unit.r = sigmoid(p[k] + u[k]);
  unit.z = sigmoid(p[hidden + k] + u[hidden + k]);
  unit.from_state = u[2 * hidden + k];
  unit.n = std::tanh(p[2 * hidden + k] + unit.r * unit.from_state);
  return unit;
}

struct LstmUnit {
  double i, f, g, o;
  double memory(double c) const { return f * c + i * g; }
};

LstmUnit lstm_unit(const std::vector<double>& p, const std::vector<double>& u, std::size_t hidden,
                   std::size_t k) {
  const auto sum = [&](std::size_t gate) { return p[gate * hidden + k] + u[gate * hidden + k]; };
  return {sigmoid(sum(0)), sigmoid(sum(1)), std::tanh(sum(2)), sigmoid(sum(3))};
}

// Derivatives by the gates' sums, and those by the state's part of them where they differ.
struct GateGradient {
  std::vector<double> p, u;
};

GateGradient gru_back(const CellGates& gates, std::size_t hidden, CellGradient& state) {
  GateGradient by{std::vector<double>(3 * hidden), std::vector<double>(3 * hidden)};
  for (std::size_t k = 0; k < hidden; ++k) {
    const double r = gates[k], z = gates[hidden + k], n = gates[2 * hidden + k];
    const double from_state = gates[3 * hidden + k], h = gates[4 * hidden + k];
    const double after = state.h[k];
    const double by_n = after * (1.0 - z) * (1.0 - n * n);
    by.p[k] = by.u[k] = by_n * from_state * r * (1.0 - r);
    by.p[hidden + k] = by.u[hidden + k] = after * (h - n) * z * (1.0 - z);
    by.p[2 * hidden + k] = by_n;
    by.u[2 * hidden + k] = by_n * r;
    state.h[k] = after * z;
  }
  return by;
}

GateGradient lstm_back(const CellGates& gates, std::size_t hidden, CellGradient& state) {
  GateGradient by{std::vector<double>(4 * hidden), {}};
  for (std::size_t k = 0; k < hidden; ++k) {
    const double i = gates[k], f = gates[hidden + k], g = gates[2 * hidden + k];
    const double o = gates[3 * hidden + k], squashed = gates[4 * hidden + k];
    const double c = gates[5 * hidden + k];
    const double by_c = state.c[k] + state.h[k] * o * (1.0 - squashed * squashed);
    by.p[k] = by_c * g * i * (1.0 - i);
    by.p[hidden + k] = by_c * c * f * (1.0 - f);
    by.p[2 * hidden + k] = by_c * i * (1.0 - g * g);
    by.p[3 * hidden + k] = state.h[k] * squashed * o * (1.0 - o);
    state.h[k] = 0.0;
    state.c[k] = by_c * f;
  }
  by.u = by.p;
  return by;
}

}  // namespace

void step_cell(CellKind kind, const RecurrentCell& cell, std::span<const float> x,
               const CellState& before, const MutableCellState& after) {
  const std::size_t hidden = hidden_columns(cell);
  const std::vector<double> p = mapped(x, cell.w_x, cell.b_x);
  const std::vector<double> u = mapped(before.h, cell.w_h, cell.b_h);
  for (std::size_t k = 0; k < hidden; ++k) {
    if (kind == CellKind::Gru) {
      const double h = gru_unit(p, u, hidden, k).next(static_cast<double>(before.h[k]));
      after.h[k] = static_cast<float>(h);
      continue;
    }
    const LstmUnit unit = lstm_unit(p, u, hidden, k);
    const double memory = unit.memory(static_cast<double>(before.c[k]));
    after.c[k] = static_cast<float>(memory);
    after.h[k] = static_cast<float>(unit.o * std::tanh(memory));
  }
}

CellGates gates_of(CellKind kind, const RecurrentCell& cell, std::span<const float> x,
                   const CellState& before) {
  const std::size_t hidden = hidden_columns(cell);
  const std::vector<double> p = mapped(x, cell.w_x, cell.b_x);
  const std::vector<double> u = mapped(before.h, cell.w_h, cell.b_h);
  CellGates gates((kind == CellKind::Gru ? 5 : 6) * hidden);
  const auto put = [&](std::size_t part, std::size_t k, double value) {
    gates[part * hidden + k] = value;
  };
  for (std::size_t k = 0; k < hidden; ++k) {
    if (kind == CellKind::Gru) {
      const GruUnit unit = gru_unit(p, u, hidden, k);
      put(0, k, unit.r);
      put(1, k, unit.z);
      put(2, k, unit.n);
      put(3, k, unit.from_state);
      put(4, k, static_cast<double>(before.h[k]));
      continue;
    }
    const LstmUnit unit = lstm_unit(p, u, hidden, k);
    const auto c = static_cast<double>(before.c[k]);
    put(0, k, unit.i);
    put(1, k, unit.f);
    put(2, k, unit.g);
    put(3, k, unit.o);
    put(4, k, std::tanh(unit.memory(c)));
    put(5, k, c);
  }
  return gates;
}

void add_back_through(const Tensor& w, std::span<const double> out, std::span<double> in) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float* row = w.data() + i * out.size();
    double sum = 0.0;
    for (std::size_t j = 0; j < out.size(); ++j) sum += static_cast<double>(row[j]) * out[j];
    in[i] += sum;
  }
}

void step_back(CellKind kind, const RecurrentCell& cell, const CellGates& gates,
               CellGradient& state, std::span<double> x) {
  const std::size_t hidden = hidden_columns(cell);
  const GateGradient by =
      kind == CellKind::Gru ? gru_back(gates, hidden, state) : lstm_back(gates, hidden, state);
  add_back_through(cell.w_x, by.p, x);
  add_back_through(cell.w_h, by.u, state.h);
}

}  // namespace attn
