// Positions, norms, linear maps and activations of rows.
#include "engine/kernels/block_rows.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

double mean_of(std::span<const float> row) {
  double sum = 0.0;
  for (const float value : row) sum += static_cast<double>(value);
  return sum / static_cast<double>(row.size());
}

double deviation_of(std::span<const float> row, double mean, float eps) {
  double squares = 0.0;
  for (const float value : row) {
    const double off = static_cast<double>(value) - mean;
    squares += off * off;
  }
  return std::sqrt(squares / static_cast<double>(row.size()) + static_cast<double>(eps));
}

double element(const Tensor& tensor, std::size_t index, double absent) {
  return tensor.empty() ? absent : static_cast<double>(tensor[index]);
}

void add_bias(const Tensor& b, const MutableMatrix& out) {
  if (b.empty()) return;
  for (std::size_t r = 0; r < out.rows; ++r) {
    for (std::size_t c = 0; c < out.cols; ++c) out.row(r)[c] += b[c];
  }
}

}  // namespace

void add_position_rows(const MatrixView& x, const Position& position, std::int64_t first,
                       const MutableMatrix& out) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::int64_t at = position_of_row(first, r);
    for (std::size_t c = 0; c < x.cols; ++c) {
      out.row(r)[c] = x.at(r, c) + static_cast<float>(position_value(position, at, c, x.cols));
    }
  }
}

void rotate_rows(const MatrixView& x, const Position& position, std::int64_t first,
                 const MutableMatrix& out) {
  const std::size_t width = rotary_width(position, x.cols);
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::int64_t at = position_of_row(first, r);
    const std::span<const float> in = x.row(r);
    float* turned = out.row(r);
    std::copy(in.begin() + static_cast<std::ptrdiff_t>(width), in.end(), turned + width);
    for (std::size_t pair = 0; pair < width / 2; ++pair) {
      const double angle = rope_angle(position, at, pair, width);
      const auto cosine = static_cast<float>(std::cos(angle));
      const auto sine = static_cast<float>(std::sin(angle));
      const auto columns = rope_pair(position.layout, pair, width);
      const float a = in[columns.first];
      const float b = in[columns.second];
      turned[columns.first] = a * cosine - b * sine;
      turned[columns.second] = b * cosine + a * sine;
    }
  }
}

void norm_rows(const MatrixView& x, NormKind kind, float eps, const Norm& norm,
               const MutableMatrix& out) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::span<const float> row = x.row(r);
    const double mean = kind == NormKind::Rms ? 0.0 : mean_of(row);
    const double deviation = deviation_of(row, mean, eps);
    for (std::size_t c = 0; c < x.cols; ++c) {
      const double unit = (static_cast<double>(row[c]) - mean) / deviation;
      out.row(r)[c] =
          static_cast<float>(unit * element(norm.weight, c, 1.0) + element(norm.bias, c, 0.0));
    }
  }
}

void map_rows(const MatrixView& x, const Tensor& w, const Tensor& b, const MutableMatrix& out,
              Sums sums) {
  multiply(x, matrix_at(w, 0), out, sums);
  add_bias(b, out);
}

void map_rows(const MatrixView& x, const PackedPanels& w, const Tensor& b,
              const MutableMatrix& out) {
  multiply_packed(x, w, 0, out);
  add_bias(b, out);
}

void RowMap::lay_out() const {
  if (sums_ == Sums::Double || w_.empty()) return;
  std::call_once(once_, [this] { packed_.pack_columns(matrix_at(w_, 0)); });
}

void RowMap::operator()(const MatrixView& x, const MutableMatrix& out) const {
  if (sums_ == Sums::Double) return map_rows(x, w_, b_, out, Sums::Double);
  lay_out();
  map_rows(x, packed_, b_, out);
}

void add_rows(const MatrixView& a, const MatrixView& b, const MutableMatrix& out) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    for (std::size_t c = 0; c < a.cols; ++c) out.row(r)[c] = a.at(r, c) + b.at(r, c);
  }
}

void activate_rows(Activation activation, const MatrixView& hidden, const MatrixView& gate,
                   const MutableMatrix& out) {
  const bool gated = activation_info(activation).gated;
  for (std::size_t r = 0; r < hidden.rows; ++r) {
    for (std::size_t c = 0; c < hidden.cols; ++c) {
      const double open = gated ? static_cast<double>(gate.at(r, c)) : 0.0;
      out.row(r)[c] =
          static_cast<float>(activated(activation, static_cast<double>(hidden.at(r, c)), open));
    }
  }
}

}  // namespace attn
