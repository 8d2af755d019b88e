// Oracle of the scoring functions, one row each.
#include <array>
#include <cmath>

#include "attention/reference.h"
#include "base/enum_table.h"

namespace attn::reference {
namespace {

// One head's part of a scoring matrix; a vector is one row.
Matrix scoring_part(const Tensor& tensor, std::size_t matrix_rank, std::size_t head) {
  const MatrixView part = scoring_matrix(tensor, matrix_rank, head);
  Matrix matrix{part.rows, part.cols, {}};
  for (std::size_t r = 0; r < part.rows; ++r) {
    for (const float value : part.row(r)) matrix.values.push_back(static_cast<double>(value));
  }
  return matrix;
}

// v·tanh(x + y + b) for row q of x and row k of y.
Matrix network_scores(const Scoring& scoring, std::size_t head, const Matrix& x, const Matrix& y) {
  const Matrix v = scoring_part(scoring.v, 1, head);
  Matrix b{1, x.cols, std::vector<double>(x.cols)};
  if (!scoring.b.empty()) b = scoring_part(scoring.b, 1, head);
  Matrix out{x.rows, y.rows, {}};
  for (std::size_t q = 0; q < x.rows; ++q) {
    for (std::size_t k = 0; k < y.rows; ++k) {
      double sum = 0.0;
      for (std::size_t a = 0; a < x.cols; ++a) {
        sum += v.at(0, a) * std::tanh(x.at(q, a) + y.at(k, a) + b.at(0, a));
      }
      out.values.push_back(sum);
    }
  }
  return out;
}

// Inputs of a scoring function for one head.
struct Scored {
  const Scoring& scoring;
  std::size_t head;
  const Matrix& queries;
  const Matrix& keys;

  Matrix part(Tensor Scoring::*tensor) const { return scoring_part(scoring.*tensor, 2, head); }
};

Matrix dot(const Scored& in) { return product(in.queries, transposed(in.keys)); }

Matrix general(const Scored& in) {
  return product(product(in.queries, in.part(&Scoring::w)), transposed(in.keys));
}

Matrix concat(const Scored& in) {
  const Matrix w = in.part(&Scoring::w);
  const Matrix for_query = columns(w, 0, in.queries.cols);
  const Matrix for_key = columns(w, in.queries.cols, in.keys.cols);
  return network_scores(in.scoring, in.head, product(in.queries, transposed(for_query)),
                        product(in.keys, transposed(for_key)));
}

Matrix additive(const Scored& in) {
  return network_scores(in.scoring, in.head,
                        product(in.queries, transposed(in.part(&Scoring::w_query))),
                        product(in.keys, transposed(in.part(&Scoring::w_key))));
}

Matrix location(const Scored& in) {
  return columns(product(in.queries, transposed(in.part(&Scoring::w))), 0, in.keys.rows);
}

struct ScoreOracle {
  ScoringFunction function;
  Matrix (*scores)(const Scored&);
};

constexpr std::array<ScoreOracle, count_of<ScoringFunction>()> kScoreOracles{{
    {ScoringFunction::ScaledDot, dot},
    {ScoringFunction::Dot, dot},
    {ScoringFunction::General, general},
    {ScoringFunction::Concat, concat},
    {ScoringFunction::Additive, additive},
    {ScoringFunction::Location, location},
}};
static_assert(is_indexed_by(kScoreOracles, &ScoreOracle::function));

}  // namespace

Matrix scored(const Scoring& scoring, std::size_t head, const Matrix& queries, const Matrix& keys) {
  return row_of(kScoreOracles, scoring.function).scores({scoring, head, queries, keys});
}

}  // namespace attn::reference
