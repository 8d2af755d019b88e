#include "engine/normalise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "engine/row_kernels.h"

namespace attn {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// τ such that Σ max(0, x − τ) = 1 (algorithm 1 of Martins and Astudillo 2016). Precondition: not
// empty; the largest value is 0, so that large scores lose no digits.
double threshold_of(std::vector<double> values) {
  std::ranges::sort(values, std::greater{});
  double sum = 0.0;
  double threshold = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    const auto count = static_cast<double>(i + 1);
    if (!(1.0 + count * values[i] > sum)) break;
    threshold = (sum - 1.0) / count;
  }
  return threshold;
}

}  // namespace

void sigmoid_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                 std::span<float> weights) {
  for (std::size_t k = 0; k < masked.size(); ++k) {
    const double x = static_cast<double>(masked[k]);
    weights[k] = rules[k] == kVisible ? static_cast<float>(1.0 / (1.0 + std::exp(-x))) : 0.0F;
  }
}

void sparsemax_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                   std::span<float> weights) {
  double largest = -std::numeric_limits<double>::infinity();
  bool has_nan = false;
  for (std::size_t k = 0; k < masked.size(); ++k) {
    if (rules[k] != kVisible) continue;
    largest = std::max(largest, static_cast<double>(masked[k]));
    has_nan |= std::isnan(masked[k]);
  }
  const bool has_shares = !has_nan && std::isfinite(largest);
  std::vector<double> below;
  for (std::size_t k = 0; has_shares && k < masked.size(); ++k) {
    if (rules[k] == kVisible) below.push_back(static_cast<double>(masked[k]) - largest);
  }
  const double threshold = has_shares ? threshold_of(std::move(below)) : 0.0;
  for (std::size_t k = 0; k < masked.size(); ++k) {
    const double share = static_cast<double>(masked[k]) - largest - threshold;
    const float visible = has_shares ? static_cast<float>(std::max(0.0, share)) : kNaN;
    weights[k] = rules[k] == kVisible ? visible : 0.0F;
  }
}

void normalise_row(const Scoring& scoring, std::size_t head, std::span<const float> masked,
                   std::span<const HiddenRules> rules, std::span<float> weights) {
  const float temperature = scoring.temperature.value_or(1.0F);
  std::span<const float> in = masked;
  if (temperature != 1.0F) {
    for (std::size_t k = 0; k < masked.size(); ++k) weights[k] = masked[k] / temperature;
    in = weights;
  }
  switch (scoring.normaliser) {
    case Normaliser::Softmax: {
      if (scoring.sinks.empty()) return softmax_row(in, rules, weights);
      const float sink = scoring.sinks[scoring.sinks.size() == 1 ? 0 : head];
      return softmax_row(in, rules, weights, sink / temperature);
    }
    case Normaliser::Sigmoid:
      return sigmoid_row(in, rules, weights);
    case Normaliser::Sparsemax:
      return sparsemax_row(in, rules, weights);
  }
}

}  // namespace attn
