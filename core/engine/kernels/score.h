// Scoring functions as rows of a table: scores of some queries against all keys, their summands and
// derivatives. Internal to the engine.
#pragma once

#include <cstddef>

#include "attention/scoring.h"
#include "engine/kernels/linear_algebra.h"
#include "engine/kernels/matmul.h"

namespace attn {

// One head's part of the scoring.
struct HeadScoring {
  const Scoring& scoring;
  std::size_t head = 0;
  std::size_t first_key = 0;  // index of the first key
  Sums sums = Sums::Double;   // for products of whole matrices

  MatrixView matrix(Tensor Scoring::*tensor) const;
  std::span<const float> vector(Tensor Scoring::*tensor) const;  // empty if absent
};

struct VectorPair {
  Doubles left, right;
};

struct ScoringKernels {
  ScoringFunction function;
  // scores (queries.rows, keys.rows). A cell's bits depend only on its query and key.
  void (*scores)(const HeadScoring&, const MatrixView& queries, const MatrixView& keys,
                 const MutableMatrix& scores);
  // Two vectors whose dot product is the score of a query and the first key, up to rounding.
  VectorPair (*factors)(const HeadScoring&, const Doubles& query, const Doubles& key);
  // ∂score/∂query and ∂score/∂key.
  VectorPair (*slopes)(const HeadScoring&, const Doubles& query, const Doubles& key);
};
const ScoringKernels& scoring_kernels(ScoringFunction function);

// True if scores are products of the unchanged queries and keys.
bool scores_are_products(ScoringFunction function);

}  // namespace attn
