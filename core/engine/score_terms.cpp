#include "engine/score_terms.h"

#include <array>
#include <cmath>

namespace attn {
namespace {

using Numbers = std::vector<double>;

Numbers read_row(const AttentionResult& result, Stage stage, const HeadAddress& head,
                 std::size_t row) {
  std::vector<float> values(result.stage_shape(stage).cols);
  result.read(stage, head, {row, 0, 1, values.size()}, values.data());
  return {values.begin(), values.end()};
}

Numbers row_of(const MatrixView& matrix, std::size_t row) {
  Numbers values(matrix.cols);
  for (std::size_t col = 0; col < matrix.cols; ++col) {
    values[col] = static_cast<double>(matrix.at(row, col));
  }
  return values;
}

// Columns [first, first + x.size()) of each row of the matrix, times x.
void add_products(const MatrixView& matrix, std::size_t first, const Numbers& x, Numbers& sums) {
  for (std::size_t row = 0; row < sums.size(); ++row) {
    for (std::size_t col = 0; col < x.size(); ++col) {
      sums[row] += static_cast<double>(matrix.at(row, first + col)) * x[col];
    }
  }
}

Numbers mapped(const Numbers& x, const MatrixView& w) {
  Numbers out(w.cols, 0.0);
  for (std::size_t col = 0; col < w.cols; ++col) {
    for (std::size_t row = 0; row < x.size(); ++row) {
      out[col] += x[row] * static_cast<double>(w.at(row, col));
    }
  }
  return out;
}

// tanh of what every hidden unit reads.
Numbers units_of(const Scoring& scoring, std::size_t head, const Numbers& query,
                 const Numbers& key) {
  Numbers units(hidden_units(scoring), 0.0);
  if (scoring.function == ScoringFunction::Concat) {
    const MatrixView w = scoring_matrix(scoring.w, 2, head);
    add_products(w, 0, query, units);
    add_products(w, query.size(), key, units);
  } else {
    if (!scoring.b.empty()) units = row_of(scoring_matrix(scoring.b, 1, head), 0);
    add_products(scoring_matrix(scoring.w_query, 2, head), 0, query, units);
    add_products(scoring_matrix(scoring.w_key, 2, head), 0, key, units);
  }
  for (double& unit : units) unit = std::tanh(unit);
  return units;
}

std::vector<ScoreTerm> paired(const Numbers& left, const Numbers& right) {
  std::vector<ScoreTerm> terms;
  for (std::size_t i = 0; i < left.size(); ++i) terms.push_back({i, left[i], right[i]});
  return terms;
}

}  // namespace

const ScoreTermWords& score_term_words(ScoringFunction function) {
  static constexpr std::array<ScoreTermWords, 6> kWords{{
      {"q · k by dimension", "query", "key"},
      {"q · k by dimension", "query", "key"},
      {"q W · k by dimension of the key", "q W", "key"},
      {"v · tanh(W [q; k]) by hidden unit", "v", "tanh(…)"},
      {"v · tanh(W_q q + W_k k + b) by hidden unit", "v", "tanh(…)"},
      {"q · the key's row of W by dimension", "query", "row of W"},
  }};
  return kWords[static_cast<std::size_t>(function)];
}

std::vector<ScoreTerm> score_terms(const AttentionResult& result, const HeadAddress& head,
                                   std::size_t q, std::size_t k) {
  const AttentionProblem& problem = result.problem();
  const Stage queries = query_stage(problem), keys = key_stage(problem);
  if (!result.has(queries) || !result.has(keys)) return {};
  const Scoring& scoring = problem.scoring;
  const Numbers query = read_row(result, queries, head, q);
  const Numbers key = read_row(result, keys, head, k);
  switch (scoring.function) {
    case ScoringFunction::ScaledDot:
    case ScoringFunction::Dot:
      return paired(query, key);
    case ScoringFunction::General:
      return paired(mapped(query, scoring_matrix(scoring.w, 2, head.head)), key);
    case ScoringFunction::Concat:
    case ScoringFunction::Additive:
      return paired(row_of(scoring_matrix(scoring.v, 1, head.head), 0),
                    units_of(scoring, head.head, query, key));
    case ScoringFunction::Location:
      return paired(query, row_of(scoring_matrix(scoring.w, 2, head.head), k));
  }
  return {};
}

}  // namespace attn
