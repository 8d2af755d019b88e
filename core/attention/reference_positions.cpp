// Oracle of positions, by the papers' formulas and independent of the engine.
#include <cmath>

#include "attention/reference.h"

namespace attn::reference {
namespace {

// Frequency i of d columns: 1 / base^(2i/d) (Vaswani et al. 2017).
double frequency(double base, std::size_t i, std::size_t d) {
  return std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(d));
}

double sine_or_cosine(bool is_sine, double angle) {
  return is_sine ? std::sin(angle) : std::cos(angle);
}

double sinusoid(const Position& position, double at, std::size_t col, std::size_t d) {
  const auto base = static_cast<double>(position.base);
  if (position.layout == PositionLayout::Interleaved) {
    return sine_or_cosine(col % 2 == 0, at * frequency(base, col / 2, d));
  }
  const std::size_t sines = d - d / 2;
  const bool is_sine = col < sines;
  return sine_or_cosine(is_sine, at * frequency(base, is_sine ? col : col - sines, d));
}

double learned(const Position& position, std::size_t row, std::size_t col) {
  return static_cast<double>(position.table[row * position.table.extent(1) + col]);
}

// Rotation angle of pair i of d columns.
double turn(const Position& position, double at, std::size_t i, std::size_t d) {
  const auto base = static_cast<double>(position.base);
  const auto factor = static_cast<double>(position.factor);
  switch (position.scaling) {
    case RopeScaling::None:
      break;
    case RopeScaling::Linear:
      return at / factor * frequency(base, i, d);
    case RopeScaling::Ntk:
      if (d == 2) break;
      return at * frequency(base * std::pow(factor, double(d) / double(d - 2)), i, d);
  }
  return at * frequency(base, i, d);
}

void turn_pair(double& x, double& y, double angle) {
  const double turned = x * std::cos(angle) - y * std::sin(angle);
  y = x * std::sin(angle) + y * std::cos(angle);
  x = turned;
}

}  // namespace

void add_positions(const Position& position, std::int64_t first, Matrix& x) {
  const bool is_learned = position.kind == PositionKind::Learned;
  if (!is_learned && position.kind != PositionKind::Sinusoidal) return;
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::int64_t at = position_of_row(first, r);
    for (std::size_t c = 0; c < x.cols; ++c) {
      x.values[r * x.cols + c] += is_learned
                                      ? learned(position, static_cast<std::size_t>(at), c)
                                      : sinusoid(position, static_cast<double>(at), c, x.cols);
    }
  }
}

void turn_rows(const Position& position, std::int64_t first, Matrix& x) {
  if (position.kind != PositionKind::Rope) return;
  const std::size_t d = position.rotary_dim == 0 ? x.cols : position.rotary_dim;
  const bool beside = position.layout == PositionLayout::Interleaved;
  for (std::size_t r = 0; r < x.rows; ++r) {
    const auto at = static_cast<double>(position_of_row(first, r));
    double* row = &x.values[r * x.cols];
    for (std::size_t i = 0; i < d / 2; ++i) {
      double& a = row[beside ? 2 * i : i];
      double& b = row[beside ? 2 * i + 1 : i + d / 2];
      turn_pair(a, b, turn(position, at, i, d));
    }
  }
}

}  // namespace attn::reference
