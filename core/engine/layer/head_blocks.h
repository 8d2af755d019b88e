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

// The head for attention_block.h; borrows the inputs. Precondition: head.packed_keys.
ScoredHead scored(const HeadInputs& head);

// True for softmax of products with packed keys.
bool goes_by_blocks(const HeadInputs& head);

// Receives norms computed on the way. Called on several threads.
using KeepNorms = std::function<void(const HeadRows& rows, std::span<const RowSum> norms)>;

// Fills some rows of `out`, whose steps and extents are those of `range`, with maxima. The bits are
// those of pooling all weights. Precondition: goes_by_blocks(head). False if cancelled.
bool pool_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSpan> wanted,
                  const KeepNorms& keep, Progress* progress, PooledCells& out);

}  // namespace attn
