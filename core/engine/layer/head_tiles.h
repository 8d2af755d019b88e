// Computes any cells of one head from its queries, keys and values, and maxima of groups of cells.
// Softmax of products with packed keys takes the faster path by blocks of queries
// (attention_block.h), which has the same bits. Internal to the engine.
#pragma once

#include <functional>
#include <span>

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

// The head for attention_block.h; borrows the inputs. Precondition: head.packed_keys.
ScoredHead scored(const HeadInputs& head);

// True for softmax of products with packed keys.
bool goes_by_blocks(const HeadInputs& head);

// Precision of products, determined by the problem's shape.
Sums sums_of(const AttentionProblem& problem);

void score_cells(const HeadInputs& head, const CellRange& range, const MutableMatrix& out);

// Outputs of whole rows from their weights (rows, n_k).
void multiply_values(const HeadInputs& head, const CellRange& rows, const MatrixView& weights,
                     const MutableMatrix& out);

// Cells of Scores, Scaled, Softcapped or Masked, row-major. Cells that no query of a tile sees are
// -inf in Masked without being computed.
void compute_logits(const HeadInputs& head, Stage stage, const CellRange& range, float* out);

// Norms of whole rows; reads all keys that the rows may see.
void compute_norms(const HeadInputs& head, const CellRange& rows, std::span<RowSum> norms);

// Weights, row-major. `norms` are those of the rows.
void compute_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSum> norms,
                     float* out);

// Whole rows of weights and their norms, uncached.
void compute_weights_and_norms(const HeadInputs& head, const CellRange& rows,
                               std::span<RowSum> norms, float* out);

// Rows of Output, (rows, d_v). `norms` are those of the rows; ignored if goes_by_blocks.
void compute_outputs(const HeadInputs& head, const CellRange& rows, std::span<const RowSum> norms,
                     const MutableMatrix& out);

// Receives norms computed on the way. Called on several threads.
using KeepNorms = std::function<void(const CellRange& rows, std::span<const RowSum> norms)>;

// Fills some rows of `out`, whose steps and extents are those of `range`, with maxima. The bits are
// those of pooling all weights. Precondition: goes_by_blocks(head). False if cancelled.
bool pool_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSpan> wanted,
                  const KeepNorms& keep, Progress* progress, PooledCells& out);

}  // namespace attn
