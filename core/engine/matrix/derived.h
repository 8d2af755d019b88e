// Matrices derived from weights: mean over heads, weights times value norms, and contributions of
// tokens through all layers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "base/tensor.h"
#include "engine/matrix/matrix.h"
#include "engine/matrix/matrix_id.h"
#include "engine/read/result.h"

namespace attn {

// Words for a problem's derived matrices; ValueNorm is of projected values if there is an output
// projection.
struct DerivedWords {
  std::string_view label, quantity;
};
DerivedWords derived_words(const AttentionProblem& problem, Derived derived, const HeadAddress& at);

struct DerivedOptions {
  // Share of a layer's input that bypasses its attention: layers are residual · 1 + (1 − residual)
  // · A with A the mean over heads. Between 0 and 1.
  double residual = 0.5;
  // For rollouts: leaves out the first token, on which most weight of a language model rests, and
  // renormalises rows.
  bool without_first = false;
  friend bool operator==(const DerivedOptions&, const DerivedOptions&) = default;
};

// Id of a derived matrix; members that it does not depend on are 0.
MatrixId derived_id(Derived derived, const HeadAddress& at, const DerivedOptions& options);

// "hidden by causal mask": reason why a cell is hidden, or that its token is left out.
std::string hidden_words(const MatrixId& id, HiddenRules rules);

// Derives a matrix; layer, sample and, for ValueNorm, head are those of `at`. Keeps mask rules that
// remain valid, through all layers too, and shares the result if cells are computed when read: for
// one layer whose weights are not materialised nothing is read here. Refuses (Usage) missing
// values, n_q ≠ n_k with layers and leaving out the only token; (BadInput) flow over negative or
// non-finite weights. The caller checks predicted_bytes. Interrupted if progress->cancelled becomes
// true; `progress` may be null here and below.
Result<MatrixPtr> derive(const ResultPtr& from, Derived derived, const HeadAddress& at,
                         const DerivedOptions& options = {}, Progress* progress = nullptr);

// Attention rollout (Abnar & Zuidema 2020), (n_q, n_k): product of all layers of a sample and an
// attention, the last layer leftmost. A token without visible keys maps to itself. A weight of 0
// transfers nothing, not even NaN.
Tensor rollout(const AttentionResult& result, HeadAddress at, double residual,
               Progress* progress = nullptr);

// Attention flow (Abnar & Zuidema 2020), (n_q, n_k): maximum flow from each token of the last layer
// to each token of the input through a graph whose capacities are the layers. Precondition:
// capacities are finite and not negative.
Tensor attention_flow(const AttentionResult& result, const HeadAddress& at, double residual,
                      Progress* progress = nullptr);

// Predicted nanoseconds (multiply-adds, edge visits or cells read) and bytes of deriving. Both
// saturate.
std::uint64_t predicted_nanoseconds(const AttentionShape& shape, Derived derived);
std::uint64_t predicted_bytes(const AttentionShape& shape, Derived derived);

// ‖v‖ of each key of a head (n_k), or ‖v · W_O‖ with the head's rows of the output projection if
// there is one (Kobayashi et al. 2020). Precondition: the result has values.
std::vector<double> value_norms(const AttentionResult& result, const HeadAddress& head);

}  // namespace attn
