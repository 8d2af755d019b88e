// Softmax of random queries and keys of growing width.
#include "engine/sharpness.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace attn {
namespace {

constexpr std::uint64_t kStream = 0x73686172706e6573;  // separates it from other uses of the seed

// Scores of groups with as many queries as keys; queries meet the keys of their group.
struct Scores {
  std::size_t keys = 1, groups = 1;
  std::vector<double> values;  // (groups, keys, keys)

  explicit Scores(std::size_t keys_wanted)
      : keys(std::clamp<std::size_t>(keys_wanted, 1, kMostSharpnessKeys)),
        groups(std::max<std::size_t>(1, kMostSharpnessKeys / keys)),
        values(groups * keys * keys) {}
  std::size_t tokens() const { return groups * keys; }
};

std::vector<double> drawn(Random& random, std::size_t count, double mean, double deviation) {
  std::vector<double> values(count);
  for (double& value : values) value = mean + deviation * static_cast<double>(random.normal());
  return values;
}

// Adds one column of queries and keys to all dot products.
void add_column(Scores& scores, const std::vector<double>& q, const std::vector<double>& k) {
  double* out = scores.values.data();
  for (std::size_t token = 0; token < scores.tokens(); ++token) {
    const double* keys = k.data() + token / scores.keys * scores.keys;
    for (std::size_t key = 0; key < scores.keys; ++key) *out++ += q[token] * keys[key];
  }
}

double variance_of(std::span<const double> values) {
  double mean = 0.0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

void softmax(std::span<const double> scores, double scale, std::span<double> weights) {
  const double largest = *std::ranges::max_element(scores);
  double sum = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    weights[i] = std::exp((scores[i] - largest) * scale);
    sum += weights[i];
  }
  for (double& weight : weights) weight /= sum;
}

double entropy_of(std::span<const double> weights) {
  double entropy = 0.0;
  for (const double p : weights) {
    if (p > 0.0) entropy -= p * std::log(p);
  }
  return entropy;
}

double softmax_gradient_norm(std::span<const double> weights) {
  // Σᵢ (pᵢ − pᵢ²)² + Σᵢ≠ⱼ pᵢ²pⱼ² = Σ p² − 2 Σ p³ + (Σ p²)².
  double squares = 0.0, cubes = 0.0;
  for (const double p : weights) {
    squares += p * p;
    cubes += p * p * p;
  }
  return std::sqrt(std::max(squares - 2.0 * cubes + squares * squares, 0.0));
}

Sharpness sharpness_of(const Scores& scores, double scale) {
  Sharpness out;
  out.variance = variance_of(scores.values) * scale * scale;
  std::vector<double> weights(scores.keys);
  for (std::size_t row = 0; row < scores.tokens(); ++row) {
    softmax(std::span(scores.values).subspan(row * scores.keys, scores.keys), scale, weights);
    out.largest += *std::ranges::max_element(weights);
    out.entropy += entropy_of(weights);
    out.gradient += softmax_gradient_norm(weights);
  }
  const auto rows = static_cast<double>(scores.tokens());
  out.largest /= rows;
  out.entropy /= rows;
  out.gradient /= rows;
  return out;
}

}  // namespace

std::vector<SharpnessPoint> sharpness_by_width(const SharpnessSetup& setup,
                                               std::span<const std::size_t> widths) {
  Scores scores(setup.keys);
  Random random(mix(setup.seed, kStream));
  std::vector<SharpnessPoint> points;
  std::size_t columns = 0;
  for (const std::size_t width : widths) {
    for (; columns < width; ++columns) {
      const std::vector<double> q = drawn(random, scores.tokens(), setup.q_mean, setup.q_deviation);
      const std::vector<double> k = drawn(random, scores.tokens(), setup.k_mean, setup.k_deviation);
      add_column(scores, q, k);
    }
    points.push_back({width, sharpness_of(scores, 1.0),
                      sharpness_of(scores, 1.0 / std::sqrt(static_cast<double>(width)))});
  }
  return points;
}

}  // namespace attn
