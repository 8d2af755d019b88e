// Cells of one head whose scores are products with packed keys, in blocks of queries: the same as
// head_tiles computes, faster. Internal to the engine.
#pragma once

#include <span>

#include "base/tensor.h"
#include "engine/kernels/attention_block.h"
#include "engine/kernels/normalise.h"
#include "engine/layer/head_inputs.h"

namespace attn {

// What the blocks of one head know. Borrows the inputs.
class BlockHead {
 public:
  // Precondition: head.packed_keys.
  explicit BlockHead(const HeadInputs& head);

  // Logits as they are before the temperature divides them.
  void masked_cells(const CellRange& range, float* out) const;

  // The rest is of softmax (goes_by_blocks).
  // As they go into the softmax.
  void logits(const CellRange& range, float* out) const;
  void norms(const HeadRows& rows, std::span<RowNorm> norms, const LogitBins& bins = {}) const;
  void weights(const CellRange& range, std::span<const RowNorm> norms, float* out) const;
  // Whole rows of weights and what their norms are, in one pass.
  void weights_and_norms(const HeadRows& rows, std::span<RowNorm> norms, float* out) const;
  // Needs HeadInputs::packed_values.
  void outputs(const HeadRows& rows, const MutableMatrix& out) const;

 private:
  ScoredHead scored() const { return {rules_, head_.queries, *head_.packed_keys}; }

  const HeadInputs& head_;
  LogitRules rules_;
};

// Softmax of products with packed keys.
bool goes_by_blocks(const HeadInputs& head);

}  // namespace attn
