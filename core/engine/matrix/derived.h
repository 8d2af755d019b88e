// Matrices derived from weights: mean over heads, weights times value norms, and contributions of
// tokens through all layers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "engine/matrix/matrix.h"
#include "engine/matrix/matrix_id.h"
#include "engine/read/result.h"

namespace attn {

// Description for a problem: ValueNorm is of projected values if there is an output projection.
DerivedInfo derived_info(const AttentionProblem& problem, Derived derived, const HeadAddress& at);

// Id of a derived matrix; members that it does not depend on are 0.
MatrixId derived_id(made::FromWeights how, HeadAddress at);

// "hidden by causal mask": reason why a cell is hidden, or that its token is left out.
std::string hidden_words(const MatrixId& id, HiddenRules rules);

// Derives a matrix; layer, sample and, for ValueNorm, head are those of `at`. Keeps mask rules that
// remain valid, through all layers too, and shares the result if cells are computed when read: for
// one layer whose weights are not materialised nothing is read here. Refuses (Usage) missing
// values, n_q ≠ n_k with layers and leaving out the only token; (BadInput) flow over negative or
// non-finite weights. The caller checks predicted_bytes. Interrupted if progress->cancelled becomes
// true; `progress` may be null.
Result<MatrixPtr> derive(const ResultPtr& from, const made::FromWeights& how, const HeadAddress& at,
                         Progress* progress = nullptr);

// Predicted nanoseconds (multiply-adds, edge visits or cells read) and bytes of deriving. Both
// saturate.
std::uint64_t predicted_nanoseconds(const AttentionShape& shape, Derived derived);
std::uint64_t predicted_bytes(const AttentionShape& shape, Derived derived);

}  // namespace attn
