// Scores of some queries against all keys, by every scoring function. Internal to the engine.
#pragma once

#include <cstddef>

#include "attention/scoring.h"
#include "engine/matmul.h"

namespace attn {

// scores (queries.rows, keys.rows). The bits of a cell depend on its query and its key alone.
void score_rows(const Scoring& scoring, std::size_t head, const MatrixView& queries,
                const MatrixView& keys, const MutableMatrix& scores);

}  // namespace attn
