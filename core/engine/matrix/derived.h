// Matrices made from the weights of a result: the mean over heads, weights times the length of what
// they carry, and what tokens contribute through all layers.
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

// What is drawn of a problem's layer: of ValueNorm the values as the output projection carries
// them, where there is one.
struct DerivedWords {
  std::string_view label, quantity;
};
DerivedWords derived_words(const AttentionProblem& problem, Derived derived, const HeadAddress& at);

struct DerivedOptions {
  // What part of a layer's input goes past its attention: each layer is residual · 1 + (1 −
  // residual) · A with A the mean over heads. Between 0 and 1.
  double residual = 0.5;
  // Of a rollout: the share of the first token, on which most of a language model rests, is left
  // out, and those of the others are renormalised row by row.
  bool without_first = false;
};

// The id of such a matrix: of what it does not depend on 0.
MatrixId derived_id(Derived derived, const HeadAddress& at, const DerivedOptions& options);

// "hidden by causal mask": what hides a cell of a matrix, or that its token is left out of it.
std::string hidden_words(const MatrixId& id, HiddenRules rules);

// Layer, sample and, for ValueNorm, head are those of `at`. Keeps the rules of the result's mask
// where what they hide stays hidden, through all layers too, and the result itself where cells are
// read on demand: of a single layer whose weights are not materialised nothing is read before.
//
// Refuses (Usage) values that are not there, n_q ≠ n_k with layers and leaving out the only token;
// and flow over weights that are negative or not finite (BadInput). Who asks sees to it that
// predicted_bytes are there. Interrupted when progress->cancelled becomes true; `progress` may be
// null here and below.
Result<MatrixPtr> derive(const ResultPtr& from, Derived derived, const HeadAddress& at,
                         const DerivedOptions& options = {}, Progress* progress = nullptr);

// Attention rollout (Abnar & Zuidema 2020), (n_q, n_k): the product of all layers of a sample and
// an attention, the last one leftmost. A token that sees no key stays itself. A weight of 0 carries
// nothing, not even NaN.
Tensor rollout(const AttentionResult& result, HeadAddress at, double residual,
               Progress* progress = nullptr);

// Attention flow (the same paper), (n_q, n_k): the largest flow from each token of the last layer
// to each token of the input, through a graph whose capacities are the layers.
// Precondition: capacities are finite and not negative.
Tensor attention_flow(const AttentionResult& result, const HeadAddress& at, double residual,
                      Progress* progress = nullptr);

// Multiply-adds, visits of an edge or cells read, about a nanosecond each; and the memory that
// deriving takes. Both saturate.
std::uint64_t predicted_steps(const AttentionShape& shape, Derived derived);
std::uint64_t predicted_bytes(const AttentionShape& shape, Derived derived);

// ‖v‖ of each key of a head (n_k), or ‖v · W_O‖ with the head's rows of the output projection where
// there is one, as in Kobayashi et al. 2020. Precondition: the result has values.
std::vector<double> value_norms(const AttentionResult& result, const HeadAddress& head);

}  // namespace attn
