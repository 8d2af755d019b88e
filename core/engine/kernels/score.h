// Scores of some queries against all keys, by every scoring function, what they are sums of and how
// they change: one row of a table for each function. Internal to the engine.
#pragma once

#include <cstddef>

#include "attention/scoring.h"
#include "engine/kernels/linear_algebra.h"
#include "engine/kernels/matmul.h"

namespace attn {

// One head's part of the scoring of all.
struct HeadScoring {
  const Scoring& scoring;
  std::size_t head = 0;
  std::size_t first_key = 0;  // where the first of the keys stands among all of them
  Sums sums = Sums::Double;   // of products of whole matrices

  MatrixView matrix(Tensor Scoring::*tensor) const;
  std::span<const float> vector(Tensor Scoring::*tensor) const;  // empty where it is absent
};

struct QueryAndKey {
  Doubles query, key;
  std::size_t position = 0;  // the key's row
};

struct VectorPair {
  Doubles left, right;
};

struct ScoringKernels {
  ScoringFunction function;
  // scores (queries.rows, keys.rows). The bits of a cell depend on its query and its key alone.
  void (*scores)(const HeadScoring&, const MatrixView& queries, const MatrixView& keys,
                 const MutableMatrix& scores);
  // The score is the dot product of both, up to rounding.
  VectorPair (*factors)(const HeadScoring&, const QueryAndKey&);
  // ∂score/∂query and ∂score/∂key.
  VectorPair (*slopes)(const HeadScoring&, const QueryAndKey&);
};
const ScoringKernels& scoring_kernels(ScoringFunction function);

// Whether scores are the products of queries and keys as they are.
bool scores_are_products(ScoringFunction function);

// By the function of its scoring.
void score_rows(const HeadScoring& by, const MatrixView& queries, const MatrixView& keys,
                const MutableMatrix& scores);

}  // namespace attn
