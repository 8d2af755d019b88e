// Table of scoring functions.
#include "engine/kernels/score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/enum_table.h"
#include "engine/kernels/parallel.h"

namespace attn {
namespace {

namespace dot {

void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores) {
  multiply_by_transposed(queries, keys, scores, in.sums);
}

VectorPair factors(const HeadScoring& /*no matrices*/, const Doubles& query, const Doubles& key) {
  return {query, key};
}

VectorPair slopes(const HeadScoring& /*no matrices*/, const Doubles& query, const Doubles& key) {
  return {key, query};
}

}  // namespace dot

namespace general {

void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores) {
  const MatrixView w = in.matrix(&Scoring::w);
  std::vector<float> values(queries.rows * w.cols);
  const MutableMatrix mapped{values.data(), queries.rows, w.cols, w.cols};
  multiply(queries, w, mapped, in.sums);
  multiply_by_transposed(view_of(mapped), keys, scores, in.sums);
}

VectorPair factors(const HeadScoring& in, const Doubles& query, const Doubles& key) {
  return {doubles_of(in.matrix(&Scoring::w)).transpose() * query, key};
}

VectorPair slopes(const HeadScoring& in, const Doubles& query, const Doubles& key) {
  const DoubleRows w = doubles_of(in.matrix(&Scoring::w));
  return {w * key, w.transpose() * query};
}

}  // namespace general

namespace location {

void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores) {
  multiply_by_transposed(queries, rows_of(in.matrix(&Scoring::w), in.first_key, keys.rows), scores,
                         in.sums);
}

VectorPair factors(const HeadScoring& in, const Doubles& query, const Doubles& /*key*/) {
  return {query, doubles_of(in.matrix(&Scoring::w).row(in.first_key))};
}

VectorPair slopes(const HeadScoring& in, const Doubles& /*query*/, const Doubles& key) {
  return {doubles_of(in.matrix(&Scoring::w).row(in.first_key)), Doubles::Zero(key.size())};
}

}  // namespace location

// Networks of one hidden layer: v·tanh(W_query q + W_key k + b), from one matrix or two.

// Keys per block of hidden units, so that memory does not grow with n_k.
constexpr std::size_t kKeyBlock = 64;

// Matrices of one head's scoring network. Borrowed.
struct NetworkUnits {
  MatrixView w_query;        // (d_a, d_q)
  MatrixView w_key;          // (d_a, d_k)
  std::span<const float> v;  // d_a
  std::span<const float> b;  // d_a, or empty
};

MatrixView columns_of(const MatrixView& matrix, std::size_t first, std::size_t count) {
  return {matrix.data + first, matrix.rows, count, matrix.row_stride};
}

// One matrix reads [q; k], or two read q and k.
NetworkUnits units_of(const HeadScoring& in, std::size_t d_q, std::size_t d_k) {
  if (in.scoring.function == ScoringFunction::Additive) {
    return {in.matrix(&Scoring::w_query), in.matrix(&Scoring::w_key), in.vector(&Scoring::v),
            in.vector(&Scoring::b)};
  }
  const MatrixView w = in.matrix(&Scoring::w);
  return {columns_of(w, 0, d_q), columns_of(w, d_q, d_k), in.vector(&Scoring::v), {}};
}

NetworkUnits units_of(const HeadScoring& in, const Doubles& query, const Doubles& key) {
  return units_of(in, static_cast<std::size_t>(query.size()), static_cast<std::size_t>(key.size()));
}

float network_score(const float* from_query, const float* from_key, std::span<const float> v) {
  double sum = 0.0;
  for (std::size_t a = 0; a < v.size(); ++a) {
    const float unit = std::tanh(from_query[a] + from_key[a]);
    sum += static_cast<double>(v[a]) * static_cast<double>(unit);
  }
  return static_cast<float>(sum);
}

Doubles tanh_of_units(const NetworkUnits& units, const Doubles& query, const Doubles& key) {
  Doubles sums = doubles_of(units.w_query) * query + doubles_of(units.w_key) * key;
  if (!units.b.empty()) sums += doubles_of(units.b);
  return sums.unaryExpr([](double x) { return std::tanh(x); });
}

namespace network {

void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores) {
  const NetworkUnits units = units_of(in, queries.cols, keys.cols);
  const std::size_t d_a = units.w_query.rows;
  std::vector<float> of_queries(queries.rows * d_a), of_keys(std::min(kKeyBlock, keys.rows) * d_a);
  const MutableMatrix from_queries{of_queries.data(), queries.rows, d_a, d_a};
  multiply_by_transposed(queries, units.w_query, from_queries);
  for (std::size_t first = 0; first < keys.rows; first += kKeyBlock) {
    const std::size_t count = std::min(kKeyBlock, keys.rows - first);
    const MutableMatrix block{of_keys.data(), count, d_a, d_a};
    multiply_by_transposed(rows_of(keys, first, count), units.w_key, block);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t a = 0; a < units.b.size(); ++a) block.row(k)[a] += units.b[a];
    }
    for (std::size_t q = 0; q < queries.rows; ++q) {
      stop_if_cancelled();
      for (std::size_t k = 0; k < count; ++k) {
        scores.row(q)[first + k] = network_score(from_queries.row(q), block.row(k), units.v);
      }
    }
  }
}

VectorPair factors(const HeadScoring& in, const Doubles& query, const Doubles& key) {
  const NetworkUnits units = units_of(in, query, key);
  return {doubles_of(units.v), tanh_of_units(units, query, key)};
}

VectorPair slopes(const HeadScoring& in, const Doubles& query, const Doubles& key) {
  const NetworkUnits units = units_of(in, query, key);
  const Doubles tanh = tanh_of_units(units, query, key);
  const Doubles by_unit = doubles_of(units.v).array() * (1.0 - tanh.array().square());
  return {doubles_of(units.w_query).transpose() * by_unit,
          doubles_of(units.w_key).transpose() * by_unit};
}

}  // namespace network

constexpr std::array<ScoringKernels, count_of<ScoringFunction>()> kScoringKernels{{
    {ScoringFunction::ScaledDot, dot::scores, dot::factors, dot::slopes},
    {ScoringFunction::Dot, dot::scores, dot::factors, dot::slopes},
    {ScoringFunction::General, general::scores, general::factors, general::slopes},
    {ScoringFunction::Concat, network::scores, network::factors, network::slopes},
    {ScoringFunction::Additive, network::scores, network::factors, network::slopes},
    {ScoringFunction::Location, location::scores, location::factors, location::slopes},
}};
static_assert(is_indexed_by(kScoringKernels, &ScoringKernels::function));

}  // namespace

MatrixView HeadScoring::matrix(Tensor Scoring::*tensor) const {
  return scoring_matrix(scoring.*tensor, 2, head);
}

std::span<const float> HeadScoring::vector(Tensor Scoring::*tensor) const {
  if ((scoring.*tensor).empty()) return {};
  return scoring_matrix(scoring.*tensor, 1, head).row(0);
}

const ScoringKernels& scoring_kernels(ScoringFunction function) {
  return row_of(kScoringKernels, function);
}

bool scores_are_products(ScoringFunction function) {
  return scoring_kernels(function).scores == dot::scores;
}

}  // namespace attn
