#include "engine/score.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {
namespace {

// Keys whose hidden units are kept at a time, so that the memory for them does not grow with n_k.
constexpr std::size_t kKeyBlock = 64;

// A matrix of its own.
struct Scratch {
  std::vector<float> values;
  std::size_t cols = 0;

  Scratch(std::size_t rows, std::size_t columns) : values(rows * columns), cols(columns) {}
  MutableMatrix rows(std::size_t count) { return {values.data(), count, cols, cols}; }
  const float* row(std::size_t r) const { return values.data() + r * cols; }
};

MatrixView columns_of(const MatrixView& matrix, std::size_t first, std::size_t count) {
  return {matrix.data + first, matrix.rows, count, matrix.row_stride};
}

float network_score(const float* from_query, const float* from_key, const float* v,
                    std::size_t d_a) {
  double sum = 0.0;
  for (std::size_t a = 0; a < d_a; ++a) {
    const float unit = std::tanh(from_query[a] + from_key[a]);
    sum += static_cast<double>(v[a]) * static_cast<double>(unit);
  }
  return static_cast<float>(sum);
}

void score_by_network(const HiddenUnits& units, const MatrixView& queries, const MatrixView& keys,
                      const MutableMatrix& scores) {
  const std::size_t d_a = units.w_query.rows;
  Scratch from_queries(queries.rows, d_a);
  Scratch from_keys(std::min(kKeyBlock, keys.rows), d_a);
  multiply_by_transposed(queries, units.w_query, from_queries.rows(queries.rows));
  for (std::size_t first = 0; first < keys.rows; first += kKeyBlock) {
    const std::size_t count = std::min(kKeyBlock, keys.rows - first);
    const MutableMatrix block = from_keys.rows(count);
    multiply_by_transposed(rows_of(keys, first, count), units.w_key, block);
    for (std::size_t k = 0; units.b != nullptr && k < count; ++k) {
      for (std::size_t a = 0; a < d_a; ++a) block.row(k)[a] += units.b[a];
    }
    for (std::size_t q = 0; q < queries.rows; ++q) {
      for (std::size_t k = 0; k < count; ++k) {
        scores.row(q)[first + k] = network_score(from_queries.row(q), block.row(k), units.v, d_a);
      }
    }
  }
}

void score_by_map(const MatrixView& w, const MatrixView& queries, const MatrixView& keys,
                  const MutableMatrix& scores) {
  Scratch mapped(queries.rows, w.cols);
  multiply(queries, w, mapped.rows(queries.rows));
  multiply_by_transposed(view_of(mapped.rows(queries.rows)), keys, scores);
}

}  // namespace

HiddenUnits hidden_units_of(const Scoring& scoring, std::size_t head, std::size_t d_q,
                            std::size_t d_k) {
  HiddenUnits units;
  units.v = scoring_matrix(scoring.v, 1, head).data;
  if (scoring.function == ScoringFunction::Concat) {
    const MatrixView w = scoring_matrix(scoring.w, 2, head);
    units.w_query = columns_of(w, 0, d_q);
    units.w_key = columns_of(w, d_q, d_k);
    return units;
  }
  units.w_query = scoring_matrix(scoring.w_query, 2, head);
  units.w_key = scoring_matrix(scoring.w_key, 2, head);
  if (!scoring.b.empty()) units.b = scoring_matrix(scoring.b, 1, head).data;
  return units;
}

void score_rows(const Scoring& scoring, std::size_t head, const MatrixView& queries,
                const MatrixView& keys, const MutableMatrix& scores) {
  switch (scoring.function) {
    case ScoringFunction::ScaledDot:
    case ScoringFunction::Dot:
      return multiply_by_transposed(queries, keys, scores);
    case ScoringFunction::General:
      return score_by_map(scoring_matrix(scoring.w, 2, head), queries, keys, scores);
    case ScoringFunction::Concat:
    case ScoringFunction::Additive:
      return score_by_network(hidden_units_of(scoring, head, queries.cols, keys.cols), queries,
                              keys, scores);
    case ScoringFunction::Location: {
      const MatrixView w = scoring_matrix(scoring.w, 2, head);
      return multiply_by_transposed(queries, rows_of(w, 0, keys.rows), scores);
    }
  }
}

}  // namespace attn
