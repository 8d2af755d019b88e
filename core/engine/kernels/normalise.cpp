// Table of normalisers: rows of weights, and their derivatives.
#include "engine/kernels/normalise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/enum_table.h"
#include "base/special_numbers.h"

namespace attn {
namespace {

// τ such that Σ max(0, x − τ) = 1 (algorithm 1 of Martins and Astudillo 2016). Precondition: not
// empty; the largest value is 0, so that large scores lose no digits.
double threshold_of(std::vector<double> values) {
  std::ranges::sort(values, std::greater{});
  double sum = 0.0, threshold = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    const auto count = static_cast<double>(i + 1);
    if (!(1.0 + count * values[i] > sum)) break;
    threshold = (sum - 1.0) / count;
  }
  return threshold;
}

namespace of_softmax {

void add(std::span<const float> x, std::span<const HiddenRules> /*rules*/, std::size_t first_key,
         RowSoFar& row) {
  const RowSum sum = chunk_sum(x, first_key);
  if (sum.shift > -kInfinity) return row.chunks.push_back(sum);
  row.has_nan |= std::ranges::any_of(x, [](float cell) { return std::isnan(cell); });
}

RowSum norm(const RowSoFar& row, float sink) {
  const RowSum sum = row_sum(row.chunks, sink);
  return {sum.shift, row.has_nan ? static_cast<double>(kNaN) : sum.total};
}

// Hidden cells are -inf, whose exponential is exactly 0.
void weigh(const RowSum& norm, std::span<const float> x, std::span<const HiddenRules> rules,
           std::span<float> weights) {
  if (norm.is_undefined()) return fill_visible(rules, kNaN, weights);
  row_weights(x, norm, weights);
}

}  // namespace of_softmax

// Computes in double and rounds once; needs no norm.
void sigmoid_weigh(const RowSum& /*norm*/, std::span<const float> in,
                   std::span<const HiddenRules> rules, std::span<float> weights) {
  for (std::size_t k = 0; k < in.size(); ++k) {
    const double x = static_cast<double>(in[k]);
    weights[k] = rules[k] == kVisible ? static_cast<float>(1.0 / (1.0 + std::exp(-x))) : 0.0F;
  }
}

// Projection of the visible cells onto the simplex.
namespace of_sparsemax {

// Keeps only values less than 1 below the largest, as no others can get weight.
void add(std::span<const float> x, std::span<const HiddenRules> rules, std::size_t /*first_key*/,
         RowSoFar& row) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (rules[k] != kVisible) continue;
    row.has_nan |= std::isnan(x[k]);
    row.largest = std::max(row.largest, x[k]);
    if (x[k] >= row.largest - 1.0F) row.values.push_back(static_cast<double>(x[k]));
  }
}

RowSum norm(const RowSoFar& row, float /*sink*/) {
  if (row.has_nan || !std::isfinite(row.largest)) return {row.largest, kNaN};
  std::vector<double> values = row.values;
  for (double& value : values) value -= static_cast<double>(row.largest);
  return {row.largest, threshold_of(std::move(values))};
}

void weigh(const RowSum& norm, std::span<const float> x, std::span<const HiddenRules> rules,
           std::span<float> weights) {
  if (std::isnan(norm.total)) return fill_visible(rules, kNaN, weights);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double share = static_cast<double>(x[k]) - static_cast<double>(norm.shift) - norm.total;
    weights[k] = rules[k] == kVisible ? static_cast<float>(std::max(0.0, share)) : 0.0F;
  }
}

}  // namespace of_sparsemax

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

// Derivatives among keys with weight; those of others are 0.
void sparsemax_back(std::span<const float> weights, std::span<double> by) {
  double mean = 0.0, support = 0.0;
  for (std::size_t i = 0; i < by.size(); ++i) {
    if (weights[i] <= 0.0F) continue;
    mean += by[i];
    support += 1.0;
  }
  if (support > 0.0) mean /= support;
  for (std::size_t i = 0; i < by.size(); ++i) by[i] = weights[i] > 0.0F ? by[i] - mean : 0.0;
}

// Inputs were divided by the temperature.
struct NormaliserKernels {
  Normaliser normaliser;
  void (*add)(std::span<const float> x, std::span<const HiddenRules> rules, std::size_t first_key,
              RowSoFar& row);  // null: needs no norm
  // `sink` NaN: none.
  RowSum (*norm)(const RowSoFar& row, float sink);
  void (*weigh)(const RowSum& norm, std::span<const float> x, std::span<const HiddenRules> rules,
                std::span<float> weights);
  // Turns derivatives by the weights into those by the inputs, in place.
  void (*back)(std::span<const float> weights, std::span<double> by);
};

constexpr std::array<NormaliserKernels, count_of<Normaliser>()> kNormaliserKernels{{
    {Normaliser::Softmax, of_softmax::add, of_softmax::norm, of_softmax::weigh, softmax_back},
    {Normaliser::Sigmoid, nullptr, [](const RowSoFar&, float) { return RowSum{}; }, sigmoid_weigh,
     sigmoid_back},
    {Normaliser::Sparsemax, of_sparsemax::add, of_sparsemax::norm, of_sparsemax::weigh,
     sparsemax_back},
}};
static_assert(is_indexed_by(kNormaliserKernels, &NormaliserKernels::normaliser));

const NormaliserKernels& kernels_of(const Scoring& scoring) {
  return row_of(kNormaliserKernels, scoring.normaliser);
}

// Input of the normaliser; stored in `divided` if the temperature changes it.
std::span<const float> over_temperature(const Scoring& scoring, std::span<const float> masked,
                                        std::vector<float>& divided) {
  const float temperature = scoring.temperature.value_or(1.0F);
  if (temperature == 1.0F) return masked;
  divided.resize(masked.size());
  divide_row(masked, temperature, divided);
  return divided;
}

}  // namespace

void add_chunk(const Scoring& scoring, std::span<const float> masked,
               std::span<const HiddenRules> rules, std::size_t first_key, RowSoFar& row) {
  const auto add = kernels_of(scoring).add;
  if (add == nullptr) return;
  std::vector<float> divided;
  add(over_temperature(scoring, masked, divided), rules, first_key, row);
}

bool sums_exponentials(const Scoring& scoring) { return scoring.normaliser == Normaliser::Softmax; }

float sink_of(const Scoring& scoring, std::size_t head) {
  if (scoring.sinks.empty()) return kNaN;
  return scoring.sinks[scoring.sinks.size() == 1 ? 0 : head] / scoring.temperature.value_or(1.0F);
}

RowSum norm_of(const Scoring& scoring, std::size_t head, const RowSoFar& row) {
  return kernels_of(scoring).norm(row, sink_of(scoring, head));
}

void weigh_cells(const Scoring& scoring, const RowSum& norm, std::span<const float> masked,
                 std::span<const HiddenRules> rules, std::span<float> weights) {
  std::vector<float> divided;
  kernels_of(scoring).weigh(norm, over_temperature(scoring, masked, divided), rules, weights);
}

void normalise_row(const Scoring& scoring, std::size_t head, std::span<const float> masked,
                   std::span<const HiddenRules> rules, std::span<float> weights) {
  RowSoFar row;
  for (std::size_t begin = 0; begin < masked.size(); begin += kChunkKeys) {
    const std::size_t size = std::min(kChunkKeys, masked.size() - begin);
    add_chunk(scoring, masked.subspan(begin, size), rules.subspan(begin, size), begin, row);
  }
  weigh_cells(scoring, norm_of(scoring, head, row), masked, rules, weights);
}

void back_through_normaliser(const Scoring& scoring, std::span<const float> weights,
                             std::span<double> by) {
  kernels_of(scoring).back(weights, by);
  const auto temperature = static_cast<double>(scoring.temperature.value_or(1.0F));
  for (double& value : by) value /= temperature;
}

}  // namespace attn
