#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/reference.h"

namespace attn::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> softmax_with_sink(std::vector<double> scores, std::vector<std::uint8_t> visible,
                                      double sink) {
  scores.push_back(sink);
  visible.push_back(1);
  std::vector<double> shares = softmax(scores, visible);
  shares.pop_back();
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (visible[k] == 0) shares[k] = 0.0;
  }
  return shares;
}

// Σ max(0, x − τ).
double mass_above(const std::vector<double>& values, double threshold) {
  double mass = 0.0;
  for (const double value : values) mass += std::max(0.0, value - threshold);
  return mass;
}

// Halves the interval in which the threshold must lie until nothing is left of it. Distances from
// the largest score, so that huge scores lose no digits.
std::vector<double> sparsemax(const std::vector<double>& scores,
                              const std::vector<std::uint8_t>& visible) {
  double largest = -kInfinity;
  bool has_nan = false;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] == 0) continue;
    has_nan = has_nan || std::isnan(scores[k]);
    largest = std::max(largest, scores[k]);
  }
  std::vector<double> shares(scores.size(), 0.0);
  std::vector<double> below;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] != 0) below.push_back(scores[k] - largest);
  }
  double low = -1.0;
  double high = 0.0;
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    (mass_above(below, middle) > 1.0 ? low : high) = middle;
  }
  const bool has_shares = !has_nan && std::isfinite(largest);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] == 0) continue;
    shares[k] = has_shares ? std::max(0.0, scores[k] - largest - low)
                           : std::numeric_limits<double>::quiet_NaN();
  }
  return shares;
}

}  // namespace

std::vector<double> softmax(const std::vector<double>& scores,
                            const std::vector<std::uint8_t>& visible) {
  double largest = -kInfinity;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] != 0 && scores[k] > largest) largest = scores[k];
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] != 0) sum += std::exp(scores[k] - largest);
  }
  std::vector<double> shares;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    shares.push_back(visible[k] != 0 ? std::exp(scores[k] - largest) / sum : 0.0);
  }
  return shares;
}

std::vector<double> normalised(const Scoring& scoring, std::size_t head,
                               const std::vector<double>& scores,
                               const std::vector<std::uint8_t>& visible) {
  const auto temperature = static_cast<double>(scoring.temperature.value_or(1.0F));
  std::vector<double> logits = scores;
  for (double& logit : logits) logit /= temperature;
  switch (scoring.normaliser) {
    case Normaliser::Softmax: {
      if (scoring.sinks.empty()) return softmax(logits, visible);
      const float sink = scoring.sinks[scoring.sinks.size() == 1 ? 0 : head];
      return softmax_with_sink(logits, visible, static_cast<double>(sink) / temperature);
    }
    case Normaliser::Sigmoid: {
      std::vector<double> shares;
      for (std::size_t k = 0; k < logits.size(); ++k) {
        shares.push_back(visible[k] != 0 ? 1.0 / (1.0 + std::exp(-logits[k])) : 0.0);
      }
      return shares;
    }
    case Normaliser::Sparsemax:
      return sparsemax(logits, visible);
  }
  return {};
}

}  // namespace attn::reference
