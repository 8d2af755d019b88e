// Which key a query may attend to, and by which rule it may not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "attention/stage.h"
#include "base/tensor.h"

namespace attn {

// One list of flags for all samples, or one list per sample; empty: no such rule. 1 = a real token.
using PaddingLists = std::vector<std::vector<std::uint8_t>>;

// Everything that hides or biases scores; a cell is visible when every rule agrees. A value.
struct Mask {
  bool causal = false;                      // key j visible to query i when j <= i + offset
  std::vector<std::int64_t> causal_offset;  // none (0), one, or one per sample
  PaddingLists key_padding;                 // lists of n_k
  PaddingLists query_padding;               // lists of n_q; a padded query sees no key
  BoolTensor visible;  // broadcasts right-aligned to (samples, heads, n_q, n_k)
  Tensor bias;         // likewise; added after the scale; -inf hides

  std::int64_t offset_of(std::size_t sample) const;
  friend bool operator==(const Mask&, const Mask&) = default;
};

// The rules that hide one cell, as bits.
enum HiddenRule : std::uint8_t {
  kVisible = 0,
  kHiddenByCausal = 1,
  kHiddenByKeyPadding = 2,
  kHiddenByQueryPadding = 4,
  kHiddenByHand = 8,   // `visible` is false there
  kHiddenByBias = 16,  // `bias` is -inf there, the usual way to hide by adding
};
using HiddenRules = std::uint8_t;

// Which rules hide key k from query q. Pure; nothing of size n² is needed for it.
HiddenRules hidden_by(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k);

// "hidden by causal mask", "hidden by causal mask and key padding"; "" when visible.
std::string hidden_sentence(HiddenRules rules);

// The bias of one cell; 0 without one.
float bias_at(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k);

// bias_at for every key of row q at once. Precondition: bias.size() == n_k.
void bias_row(const Mask& mask, const HeadAddress& head, std::size_t q, std::span<float> bias);

// Position in `tensor` of the element that broadcasts, right-aligned, to (sample, head, q, k).
// Extents of 1 repeat. Precondition: rank 1 … 4.
std::size_t broadcast_index(const Shape& shape, std::size_t sample, std::size_t head, std::size_t q,
                            std::size_t k);

// hidden_by for every key of row q at once. Precondition: rules.size() == n_k. Returns how many
// keys are visible.
std::size_t hidden_row(const Mask& mask, const HeadAddress& head, std::size_t q,
                       std::span<HiddenRules> rules);

// Writes 1 where key k of row q is visible, for all n_k keys. Returns how many are.
std::size_t visible_row(const Mask& mask, const HeadAddress& head, std::size_t q,
                        std::span<std::uint8_t> visible);

}  // namespace attn
