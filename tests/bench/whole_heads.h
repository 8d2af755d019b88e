// Attention of whole heads on several threads, with all weights and outputs written: the speed of
// the engine's kernels without skipped work.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/kernels/attention_block.h"

namespace attn {

// Keys and values of one head, packed once for all of its queries. Memory is kept for the next.
struct PackedHead {
  PackedPanels keys;    // (d_k, n_k)
  PackedPanels values;  // (n_k, d_v)
  bool values_are_finite = true;

  void pack(const MatrixView& keys_of_head, const MatrixView& values_of_head);
};

// One of several heads of equal shape.
struct HeadTask {
  MatrixView queries, keys, values;
  const LogitRules* rules = nullptr;
  MutableMatrix weights, output;
};

// Packed heads, kept from call to call.
using AttentionBuffers = std::vector<PackedHead>;

// Computes all rows of all heads on at most `threads` threads; tiny problems only on the caller's.
// Precondition: there is a head.
void attend_heads(std::span<const HeadTask> heads, unsigned threads, AttentionBuffers& buffers);

}  // namespace attn
