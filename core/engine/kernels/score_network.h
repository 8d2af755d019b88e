// The scoring functions that are small networks: rows of the table in score.cpp.
#pragma once

#include "engine/kernels/score.h"

namespace attn {

namespace concat {
void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores);
VectorPair factors(const HeadScoring& in, const QueryAndKey& at);
VectorPair slopes(const HeadScoring& in, const QueryAndKey& at);
}  // namespace concat

namespace additive {
void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores);
VectorPair factors(const HeadScoring& in, const QueryAndKey& at);
VectorPair slopes(const HeadScoring& in, const QueryAndKey& at);
}  // namespace additive

}  // namespace attn
