// Cells of one head, and the largest weights of groups of cells, whose scores are products with
// packed keys: in blocks of queries, with the bits of head_tiles, faster. Internal to the engine.
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

// Views of what its layer holds, which outlives them.
struct HeadInputs {
  const AttentionProblem& problem;
  const KeyReach& reach;     // of its sample
  HeadAddress at;            // of masks and of matrices that heads have by themselves
  MatrixView queries, keys;  // turned by their positions where there are any
  MatrixView values;
  bool values_are_finite = true;
  Sums sums = Sums::Double;
  const PackedPanels* packed_keys = nullptr;    // with Sums::Float, where scores are products
  const PackedPanels* packed_values = nullptr;  // with Sums::Float, for who asks for outputs
};

inline HeadRows rows_in(const CellRange& range) { return {range.row, range.rows, range.row_step}; }

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

// Where norms go that are found on the way. Called on several threads at once.
using KeepNorms = std::function<void(const HeadRows& rows, std::span<const RowNorm> norms)>;

// Fills some rows of `out`, whose steps and extents are those of `range`, with maxima: the bits are
// those of pooling all weights. Precondition: goes_by_blocks(head). False when it was cancelled.
bool pool_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSpan> wanted,
                  const KeepNorms& keep, Progress* progress, PooledCells& out);

}  // namespace attn
