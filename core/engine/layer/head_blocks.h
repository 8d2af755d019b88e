// Cells of one head and maxima of groups of cells, if scores are products with packed keys: in
// blocks of queries, with the bits of head_tiles, but faster. Internal to the engine.
#pragma once

#include <functional>
#include <span>

#include "attention/mask.h"
#include "base/progress.h"
#include "base/tensor.h"
#include "engine/kernels/attention_block.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/normalise.h"
#include "engine/kernels/packed_product.h"
#include "engine/read/result.h"

namespace attn {

// Borrows from its layer.
struct HeadInputs {
  const AttentionProblem& problem;
  const KeyReach& reach;     // of its sample
  HeadAddress at;            // address for masks and per-head matrices
  MatrixView queries, keys;  // rotated if positions are rotary
  MatrixView values;
  bool values_are_finite = true;
  Sums sums = Sums::Double;
  const PackedPanels* packed_keys = nullptr;    // with Sums::Float, if scores are products
  const PackedPanels* packed_values = nullptr;  // with Sums::Float, if outputs were requested
};

inline HeadRows rows_in(const CellRange& range) { return {range.row, range.rows, range.row_step}; }

// Prepared facts of one head's blocks. Borrows the inputs.
class BlockHead {
 public:
  // Precondition: head.packed_keys.
  explicit BlockHead(const HeadInputs& head);

  // Logits before division by the temperature.
  void masked_cells(const CellRange& range, float* out) const;

  // For softmax only, from here on (goes_by_blocks). Logits after the temperature.
  void logits(const CellRange& range, float* out) const;
  void norms(const HeadRows& rows, std::span<RowSum> norms, const LogitBins& bins = {}) const;
  void weights(const CellRange& range, std::span<const RowSum> norms, float* out) const;
  // Whole rows of weights and their norms, in one pass.
  void weights_and_norms(const HeadRows& rows, std::span<RowSum> norms, float* out) const;
  // Precondition: HeadInputs::packed_values.
  void outputs(const HeadRows& rows, const MutableMatrix& out) const;

 private:
  ScoredHead scored() const { return {rules_, head_.queries, *head_.packed_keys}; }

  const HeadInputs& head_;
  LogitRules rules_;
};

// True for softmax of products with packed keys.
bool goes_by_blocks(const HeadInputs& head);

// Receives norms computed on the way. Called on several threads.
using KeepNorms = std::function<void(const HeadRows& rows, std::span<const RowSum> norms)>;

// Fills some rows of `out`, whose steps and extents are those of `range`, with maxima. The bits are
// those of pooling all weights. Precondition: goes_by_blocks(head). False if cancelled.
bool pool_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSpan> wanted,
                  const KeepNorms& keep, Progress* progress, PooledCells& out);

}  // namespace attn
