// Scores of some queries against all keys, by every scoring function. Internal to the engine.
#pragma once

#include <cstddef>

#include "attention/scoring.h"
#include "engine/matmul.h"

namespace attn {

// scores (queries.rows, keys.rows). The bits of a cell depend on its query and its key alone.
void score_rows(const Scoring& scoring, std::size_t head, const MatrixView& queries,
                const MatrixView& keys, const MutableMatrix& scores);

// What the network of one head reads query and key with (Concat and Additive). Borrowed.
struct HiddenUnits {
  MatrixView w_query;  // (d_a, d_q)
  MatrixView w_key;    // (d_a, d_k)
  const float* v = nullptr;
  const float* b = nullptr;  // may be null
};
HiddenUnits hidden_units_of(const Scoring& scoring, std::size_t head, std::size_t d_q,
                            std::size_t d_k);

}  // namespace attn
