// Oracle of the normalisers, one row each.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "attention/reference.h"
#include "base/enum_table.h"
#include "base/special_numbers.h"

namespace attn::reference {
namespace {

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

// Bisects the interval of the threshold to nothing. Uses distances from the largest score, so that
// large scores lose no digits.
std::vector<double> sparsemax(const std::vector<double>& scores,
                              const std::vector<std::uint8_t>& visible,
                              std::optional<double> /*none*/) {
  double largest = -static_cast<double>(kInfinity);
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

std::vector<double> sigmoid(const std::vector<double>& scores,
                            const std::vector<std::uint8_t>& visible,
                            std::optional<double> /*none*/) {
  std::vector<double> shares;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    shares.push_back(visible[k] != 0 ? 1.0 / (1.0 + std::exp(-scores[k])) : 0.0);
  }
  return shares;
}

std::vector<double> softmax_or_sink(const std::vector<double>& scores,
                                    const std::vector<std::uint8_t>& visible,
                                    std::optional<double> sink) {
  return sink ? softmax_with_sink(scores, visible, *sink) : softmax(scores, visible);
}

struct NormaliserOracle {
  Normaliser normaliser;
  std::vector<double> (*shares)(const std::vector<double>& scores,
                                const std::vector<std::uint8_t>& visible,
                                std::optional<double> sink);
};

constexpr std::array<NormaliserOracle, count_of<Normaliser>()> kNormaliserOracles{{
    {Normaliser::Softmax, softmax_or_sink},
    {Normaliser::Sigmoid, sigmoid},
    {Normaliser::Sparsemax, sparsemax},
}};
static_assert(is_indexed_by(kNormaliserOracles, &NormaliserOracle::normaliser));

}  // namespace

std::vector<double> softmax(const std::vector<double>& scores,
                            const std::vector<std::uint8_t>& visible) {
  double largest = -static_cast<double>(kInfinity);
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
  std::optional<double> sink;
  if (!scoring.sinks.empty()) {
    const float logit = scoring.sinks[scoring.sinks.size() == 1 ? 0 : head];
    sink = static_cast<double>(logit) / temperature;
  }
  return row_of(kNormaliserOracles, scoring.normaliser).shares(logits, visible, sink);
}

}  // namespace attn::reference
