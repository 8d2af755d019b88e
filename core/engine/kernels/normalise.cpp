// The table of normalisers of the engine: rows of weights, and derivatives back through them.
#include "engine/kernels/normalise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/enum_table.h"
#include "base/special_numbers.h"
#include "engine/kernels/row_kernels.h"

namespace attn {
namespace {

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

// In double, rounded once. Here and below `weights` may be `masked`.
void sigmoid_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                 std::span<float> weights, float /*no sink*/) {
  for (std::size_t k = 0; k < masked.size(); ++k) {
    const double x = static_cast<double>(masked[k]);
    weights[k] = rules[k] == kVisible ? static_cast<float>(1.0 / (1.0 + std::exp(-x))) : 0.0F;
  }
}

// The point of the simplex nearest to the visible cells. When one of them is NaN or +Inf, or all
// are -Inf, the visible weights are NaN, as for softmax.
void sparsemax_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                   std::span<float> weights, float /*no sink*/) {
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

void softmax_back(std::span<const float> weights, std::span<double> by) {
  double mean = 0.0;
  for (std::size_t i = 0; i < by.size(); ++i) mean += by[i] * static_cast<double>(weights[i]);
  for (std::size_t i = 0; i < by.size(); ++i) {
    by[i] = static_cast<double>(weights[i]) * (by[i] - mean);
  }
}

void sigmoid_back(std::span<const float> weights, std::span<double> by) {
  for (std::size_t i = 0; i < by.size(); ++i) {
    const auto w = static_cast<double>(weights[i]);
    by[i] *= w * (1.0 - w);
  }
}

// Among the keys that get something; nothing moves the others.
void sparsemax_back(std::span<const float> weights, std::span<double> by) {
  double mean = 0.0;
  double support = 0.0;
  for (std::size_t i = 0; i < by.size(); ++i) {
    if (weights[i] <= 0.0F) continue;
    mean += by[i];
    support += 1.0;
  }
  if (support > 0.0) mean /= support;
  for (std::size_t i = 0; i < by.size(); ++i) by[i] = weights[i] > 0.0F ? by[i] - mean : 0.0;
}

struct NormaliserKernels {
  Normaliser normaliser;
  // `sink` NaN: none.
  void (*weights)(std::span<const float> masked, std::span<const HiddenRules> rules,
                  std::span<float> weights, float sink);
  // From the derivatives by the weights to those by what goes in, in place.
  void (*back)(std::span<const float> weights, std::span<double> by);
};

constexpr std::array<NormaliserKernels, kNormalisers> kNormaliserKernels{{
    {Normaliser::Softmax, softmax_row, softmax_back},
    {Normaliser::Sigmoid, sigmoid_row, sigmoid_back},
    {Normaliser::Sparsemax, sparsemax_row, sparsemax_back},
}};
static_assert(is_indexed_by(kNormaliserKernels, &NormaliserKernels::normaliser));

}  // namespace

void normalise_row(const Scoring& scoring, std::size_t head, std::span<const float> masked,
                   std::span<const HiddenRules> rules, std::span<float> weights) {
  const float temperature = scoring.temperature.value_or(1.0F);
  std::span<const float> in = masked;
  if (temperature != 1.0F) {
    for (std::size_t k = 0; k < masked.size(); ++k) weights[k] = masked[k] / temperature;
    in = weights;
  }
  float sink = kNaN;
  if (!scoring.sinks.empty()) {
    sink = scoring.sinks[scoring.sinks.size() == 1 ? 0 : head] / temperature;
  }
  row_of(kNormaliserKernels, scoring.normaliser).weights(in, rules, weights, sink);
}

void back_through_normaliser(const Scoring& scoring, std::span<const float> weights,
                             std::span<double> by) {
  row_of(kNormaliserKernels, scoring.normaliser).back(weights, by);
  const auto temperature = static_cast<double>(scoring.temperature.value_or(1.0F));
  for (double& value : by) value /= temperature;
}

}  // namespace attn
