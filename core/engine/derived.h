// Matrices made from the weights of a result: the mean over heads, weights times the length of what
// they carry, and what tokens contribute through all layers. They are read like any result.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "base/tensor.h"
#include "engine/matrix_id.h"
#include "engine/result.h"

namespace attn {

struct DerivedInfo {
  Derived derived;
  std::string_view name;      // "rollout": on the command line
  std::string_view label;     // "Attention rollout"
  std::string_view quantity;  // "Share of the input": of the colour bar
  std::string_view sentence;  // what it is, one line
  bool of_all_layers;         // has a residual share and asks for n_q = n_k
};
std::span<const DerivedInfo> all_derived();
const DerivedInfo& derived_info(Derived derived);

struct DerivedOptions {
  // What part of a layer's input goes past its attention: each layer is residual · 1 + (1 −
  // residual) · A with A the mean over heads. Between 0 and 1.
  double residual = 0.5;
  std::uint64_t most_steps = 400'000'000;  // about a second; more is refused
};

// A result whose only stage is Weights: this matrix, whatever the head that is read. It keeps the
// shape of `from`, and its mask where hidden cells stay hidden. Borrows `from`, which must outlive
// it. Layer, sample and, for ValueNorm, head are those of `at`.
//
// Refuses (Usage) values that are not there and n_q ≠ n_k with layers; flow over weights that are
// negative or not finite (BadInput); and what would take more than `most_steps` (OverMemoryLimit,
// with the figures).
Result<ResultPtr> derive(const AttentionResult& from, Derived derived, const HeadAddress& at,
                         const DerivedOptions& options = {});

// Attention rollout (Abnar & Zuidema 2020), (n_q, n_k): the product of all layers of a sample, the
// last one leftmost. A token that sees no key stays itself. A weight of 0 carries nothing, not even
// NaN.
Tensor rollout(const AttentionResult& result, std::size_t sample, double residual);

// Attention flow (the same paper), (n_q, n_k): the largest flow from each token of the last layer
// to each token of the input, through a graph whose capacities are the layers.
// Precondition: capacities are finite and not negative.
Tensor attention_flow(const AttentionResult& result, std::size_t sample, double residual);

// Multiply-adds or visits of an edge, about a nanosecond each; saturates. 0 for what is read on
// demand.
std::uint64_t predicted_steps(const AttentionShape& shape, Derived derived);

// ‖v‖ of each key of a head (n_k), or ‖v · W_o‖ with the head's rows of the output projection where
// there is one, as in Kobayashi et al. 2020. Precondition: the result has values.
std::vector<double> value_norms(const AttentionResult& result, const HeadAddress& head);

}  // namespace attn
