// Positions, norms, linear maps and activations of rows.
#include "engine/kernels/block_rows.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/panel_store.h"
#include "engine/kernels/row_kernels.h"

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

// Factors of the columns.
std::vector<double> weights_of(const Norm& norm, const NormRules& rules, std::size_t cols) {
  std::vector<double> weights(norm.weight.empty() ? cols : 0, 1.0);
  for (const float given : norm.weight.values()) {
    // Adding 0 would change −0.
    const auto weight = static_cast<double>(given);
    const auto offset = static_cast<double>(rules.weight_offset);
    weights.push_back(offset == 0.0 ? weight : weight + offset);
  }
  return weights;
}

void add_bias(const Tensor& b, const MutableMatrix& out) {
  if (b.empty()) return;
  for (std::size_t r = 0; r < out.rows; ++r) {
    for (std::size_t c = 0; c < out.cols; ++c) out.row(r)[c] += b[c];
  }
}

// x σ(z) in float with powers of e below 1 alone, which keep their digits: e^(−|z|) / (1 +
// e^(−|z|)) for z < 0, else 1 / (1 + e^(−|z|)). Rows of `gate` are x where there are such, and
// multiplied by those of `hidden`.
void activate_by_sigmoids(const ActivationInfo& info, const MatrixView& hidden,
                          const MatrixView& gate, const MutableMatrix& out) {
  const MatrixView& inputs = gate.rows == 0 ? hidden : gate;
  std::vector<float> z(out.cols), power(out.cols);
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::span<const float> x = inputs.row(r), factor = hidden.row(r);
    std::ranges::copy(x, z.begin());
    info.take_sigmoid_argument(z);
    std::ranges::transform(z, power.begin(), [](float at) { return -std::abs(at); });
    row_weights(power, {.shift = 0.0F, .total = 1.0}, power);
    for (std::size_t c = 0; c < out.cols; ++c) {
      const float made = x[c] * (z[c] < 0.0F ? power[c] : 1.0F) / (1.0F + power[c]);
      out.row(r)[c] = gate.rows == 0 ? made : made * factor[c];
    }
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

RowRotation::RowRotation(const Position& position, std::size_t cols, std::int64_t first,
                         std::size_t rows)
    : position_(position),
      width_(rotary_width(position, cols) / 2 * 2),
      turns_(rows * (width_ / 2)) {
  const std::size_t pairs = width_ / 2;
  const double gain = rope_gain(position);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const double frequency = rope_frequency(position, pair, width_);
    for (std::size_t r = 0; r < rows; ++r) {
      const double angle = static_cast<double>(position_of_row(first, r)) * frequency;
      turns_[r * pairs + pair] = {static_cast<float>(gain * std::cos(angle)),
                                  static_cast<float>(gain * std::sin(angle))};
    }
  }
}

void RowRotation::operator()(const MatrixView& x, const MutableMatrix& out) const {
  const Turn* turn = turns_.data();
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::span<const float> in = x.row(r);
    float* turned = out.row(r);
    std::copy(in.begin() + static_cast<std::ptrdiff_t>(width_), in.end(), turned + width_);
    for (std::size_t pair = 0; pair < width_ / 2; ++pair, ++turn) {
      const auto columns = rope_pair(position_.layout, pair, width_);
      const float a = in[columns.first], b = in[columns.second];
      turned[columns.first] = a * turn->cosine - b * turn->sine;
      turned[columns.second] = b * turn->cosine + a * turn->sine;
    }
  }
}

void norm_rows(const MatrixView& x, const NormRules& rules, const Norm& norm,
               const MutableMatrix& out) {
  if (norm.none) return copy_rows(x, out);
  const std::vector<double> weights = weights_of(norm, rules, x.cols);
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::span<const float> row = x.row(r);
    const double mean = rules.norm == NormKind::Rms ? 0.0 : mean_of(row);
    const double deviation = deviation_of(row, mean, rules.eps);
    for (std::size_t c = 0; c < x.cols; ++c) {
      const double unit = (static_cast<double>(row[c]) - mean) / deviation;
      out.row(r)[c] = static_cast<float>(unit * weights[c] + element(norm.bias, c, 0.0));
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

void RowMap::lay_out(unsigned threads) const {
  if (sums_ == Sums::Double || w_.empty()) return;
  std::call_once(once_, [&] {
    if (store_ != nullptr) {
      packed_ = store_->panels_of(w_, threads);
      return;
    }
    auto packed = std::make_shared<PackedPanels>();
    pack_map(w_, *packed, threads);
    packed_ = std::move(packed);
  });
}

void RowMap::operator()(const MatrixView& x, const MutableMatrix& out) const {
  if (sums_ == Sums::Double) return map_rows(x, w_, b_, out, Sums::Double);
  lay_out();
  map_rows(x, *packed_, b_, out);
}

void put_head(const MatrixView& rows, std::size_t head, const MutableMatrix& concat) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    std::copy_n(rows.row(r).data(), rows.cols, concat.row(r) + head * rows.cols);
  }
}

void gate_rows(std::span<const float> factors, const MutableMatrix& concat) {
  for (std::size_t r = 0; r < concat.rows; ++r) {
    for (std::size_t c = 0; c < concat.cols; ++c) {
      concat.row(r)[c] *= factors[c * factors.size() / concat.cols];
    }
  }
}

void add_rows(const MatrixView& a, const MatrixView& b, const MutableMatrix& out) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    for (std::size_t c = 0; c < a.cols; ++c) out.row(r)[c] = a.at(r, c) + b.at(r, c);
  }
}

void activate_rows(Activation activation, const MatrixView& hidden, const MatrixView& gate,
                   const MutableMatrix& out, Sums sums) {
  const ActivationInfo& info = activation_info(activation);
  const bool gated = info.gated;
  if (sums == Sums::Float && info.take_sigmoid_argument != nullptr) {
    return activate_by_sigmoids(info, hidden, gate, out);
  }
  for (std::size_t r = 0; r < hidden.rows; ++r) {
    for (std::size_t c = 0; c < hidden.cols; ++c) {
      const double open = gated ? static_cast<double>(gate.at(r, c)) : 0.0;
      out.row(r)[c] =
          static_cast<float>(activated(activation, static_cast<double>(hidden.at(r, c)), open));
    }
  }
}

}  // namespace attn
