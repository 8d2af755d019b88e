// Oracle of recurrent encoder–decoders, with derivatives by central differences.
#include <array>
#include <cmath>
#include <functional>

#include "base/enum_table.h"
#include "kinds/recurrent/model.h"
#include "support/oracle/reference.h"

namespace attn::reference {
namespace {

// Balances truncation and rounding errors.
constexpr double kStep = 1e-5;

using Vector = std::vector<double>;

struct State {
  Vector h, c;
};

Vector row_of(const Matrix& a, std::size_t r) {
  const auto begin = a.values.begin() + static_cast<std::ptrdiff_t>(r * a.cols);
  return {begin, begin + static_cast<std::ptrdiff_t>(a.cols)};
}

void append_row(Matrix& a, const Vector& row) {
  a.cols = row.size();
  ++a.rows;
  a.values.insert(a.values.end(), row.begin(), row.end());
}

Vector beside(Vector a, const Vector& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Vector mapped_row(const Vector& x, const Tensor& w, const Tensor& b) {
  return mapped(Matrix{1, x.size(), x}, w, b).values;
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// p and u, the concatenated inputs of the gates, from input and state.
State gru(const Vector& p, const Vector& u, const State& before) {
  const std::size_t n = before.h.size();
  State after = before;
  for (std::size_t k = 0; k < n; ++k) {
    const double reset = sigmoid(p[k] + u[k]);
    const double keep = sigmoid(p[n + k] + u[n + k]);
    const double fresh = std::tanh(p[2 * n + k] + reset * u[2 * n + k]);
    after.h[k] = (1.0 - keep) * fresh + keep * before.h[k];
  }
  return after;
}

State lstm(const Vector& p, const Vector& u, const State& before) {
  const std::size_t n = before.h.size();
  State after = before;
  for (std::size_t k = 0; k < n; ++k) {
    const double enter = sigmoid(p[k] + u[k]);
    const double keep = sigmoid(p[n + k] + u[n + k]);
    const double fresh = std::tanh(p[2 * n + k] + u[2 * n + k]);
    const double show = sigmoid(p[3 * n + k] + u[3 * n + k]);
    after.c[k] = keep * before.c[k] + enter * fresh;
    after.h[k] = show * std::tanh(after.c[k]);
  }
  return after;
}

struct CellOracle {
  CellKind kind;
  State (*step)(const Vector& p, const Vector& u, const State& before);
};

constexpr std::array<CellOracle, count_of<CellKind>()> kCellOracles{{
    {CellKind::Gru, gru},
    {CellKind::Lstm, lstm},
}};
static_assert(is_indexed_by(kCellOracles, &CellOracle::kind));

State step(CellKind kind, const RecurrentCell& cell, const Vector& x, const State& before) {
  return row_of(kCellOracles, kind)
      .step(mapped_row(x, cell.w_x, cell.b_x), mapped_row(before.h, cell.w_h, cell.b_h), before);
}

State zero_state(CellKind kind, std::size_t hidden) {
  return {Vector(hidden, 0.0), Vector(cell_info(kind).has_memory ? hidden : 0, 0.0)};
}

bool is_padded(const Mask& mask, std::size_t sample, std::size_t j) {
  if (mask.key_padding.empty()) return false;
  return mask.key_padding[mask.key_padding.size() == 1 ? 0 : sample][j] == 0;
}

// Concatenated states of both directions for all source tokens.
struct Encoded {
  Matrix h, c;
  Vector fixed;
};

Encoded encode(const AttentionProblem& p, const Matrix& x, std::size_t sample) {
  const Recurrent& m = p.recurrent;
  const auto states_of = [&](const RecurrentCell& cell, bool backwards) {
    std::vector<State> states(x.rows);
    State state = zero_state(m.cell, hidden_columns(cell));
    for (std::size_t i = 0; i < x.rows; ++i) {
      const std::size_t j = backwards ? x.rows - 1 - i : i;
      if (!is_padded(p.mask, sample, j)) state = step(m.cell, cell, row_of(x, j), state);
      states[j] = state;
    }
    return states;
  };
  const std::vector<State> forward = states_of(m.encoder, false);
  std::vector<State> backward(x.rows);
  if (is_bidirectional(m)) backward = states_of(m.backward, true);
  Encoded encoded;
  for (std::size_t j = 0; j < x.rows; ++j) {
    append_row(encoded.h, beside(forward[j].h, backward[j].h));
    append_row(encoded.c, beside(forward[j].c, backward[j].c));
  }
  encoded.fixed = beside(forward.back().h, backward.front().h);
  return encoded;
}

struct Decoded {
  Matrix queries, h, c, outputs;
};

// c_t of the querying state, as the attention of a layer whose queries are the states so far.
Vector context_of(const AttentionProblem& p, const Encoded& source, const Matrix& queries,
                  const HeadAddress& at) {
  Layer layer{p, p.projections, queries, source.h, source.h};
  const std::size_t t = queries.rows - 1;
  for (std::size_t later = queries.rows; later < p.shape.n_q; ++later) {
    append_row(layer.query_input, row_of(queries, t));
  }
  return row_of(compute_in(layer, Stage::Output, at), t);
}

Decoded decode(const AttentionProblem& p, const Matrix& y, const Encoded& source, bool attends,
               const HeadAddress& at) {
  const Recurrent& m = p.recurrent;
  const std::size_t hidden = hidden_columns(m.decoder);
  Decoded decoded;
  State state = zero_state(m.cell, hidden);
  if (m.w_initial.empty()) {
    for (std::size_t k = 0; k < hidden; ++k) state.h[k] = source.fixed[k];
  } else {
    state.h = mapped_row(source.fixed, m.w_initial, m.b_initial);
    for (double& value : state.h) value = std::tanh(value);
  }
  for (std::size_t t = 0; t < y.rows; ++t) {
    const bool before = m.asks == QueryState::Previous;
    Vector context = source.fixed;
    const auto ask = [&] {
      append_row(decoded.queries, state.h);
      if (attends) context = context_of(p, source, decoded.queries, at);
    };
    if (before) ask();
    const Vector read = before ? beside(row_of(y, t), context) : row_of(y, t);
    state = step(m.cell, m.decoder, read, state);
    if (!before) ask();
    append_row(decoded.h, state.h);
    append_row(decoded.c, state.c);
    if (m.w_output.empty()) continue;
    Vector output = mapped_row(beside(state.h, context), m.w_output, m.b_output);
    for (double& value : output) value = std::tanh(value);
    append_row(decoded.outputs, output);
  }
  return decoded;
}

// Function to differentiate.
Matrix outputs_of(const AttentionProblem& p, const Matrix& x, const Matrix& y, bool attends,
                  const HeadAddress& at) {
  const Decoded decoded = decode(p, y, encode(p, x, at.sample), attends, at);
  return p.recurrent.w_output.empty() ? decoded.h : decoded.outputs;
}

// Row r of the result: norms of ∂f_r/∂x_j by central differences.
Matrix norms_of_derivatives(const Matrix& x, const std::function<Matrix(const Matrix&)>& f) {
  Matrix squares;
  for (std::size_t j = 0; j < x.rows; ++j) {
    for (std::size_t c = 0; c < x.cols; ++c) {
      Matrix up = x, down = x;
      up.values[j * x.cols + c] += kStep;
      down.values[j * x.cols + c] -= kStep;
      const Matrix high = f(up), low = f(down);
      if (squares.rows == 0) squares = {high.rows, x.rows, Vector(high.rows * x.rows, 0.0)};
      for (std::size_t i = 0; i < high.values.size(); ++i) {
        const double slope = (high.values[i] - low.values[i]) / (2.0 * kStep);
        squares.values[i / high.cols * x.rows + j] += slope * slope;
      }
    }
  }
  for (double& value : squares.values) value = std::sqrt(value);
  return squares;
}

}  // namespace

Matrix compute_in_cells(const AttentionProblem& p, Stage stage, const HeadAddress& at) {
  const Matrix x = positioned(p.position, p.key_embeddings, at.sample, 0);
  const Matrix y = positioned(p.position, p.query_embeddings, at.sample, 0);
  const Encoded source = encode(p, x, at.sample);
  const bool without =
      stage == Stage::FixedState || stage == Stage::FixedCell || stage == Stage::FixedOutput;
  if (stage == Stage::EncoderCell) return source.c;
  if (stage == Stage::Influence || stage == Stage::FixedInfluence) {
    const bool attends = stage == Stage::Influence;
    return norms_of_derivatives(
        x, [&](const Matrix& moved) { return outputs_of(p, moved, y, attends, at); });
  }
  if (stage == Stage::Survival) {
    Matrix norms = norms_of_derivatives(x, [&](const Matrix& moved) {
      Vector fixed = encode(p, moved, at.sample).fixed;
      return Matrix{1, fixed.size(), std::move(fixed)};
    });
    return {norms.cols, 1, std::move(norms.values)};
  }
  const Decoded decoded = decode(p, y, source, !without, at);
  switch (stage) {
    case Stage::DecoderState:
    case Stage::FixedState:
      return decoded.h;
    case Stage::DecoderCell:
    case Stage::FixedCell:
      return decoded.c;
    case Stage::DecoderOutput:
    case Stage::FixedOutput:
      return decoded.outputs;
    default:
      return compute_in(Layer{p, p.projections, decoded.queries, source.h, source.h}, stage, at);
  }
}

}  // namespace attn::reference
