// Any cells of one head, from its queries, keys and values. Internal to the engine.
#pragma once

#include <span>

#include "engine/kernels/attention_block.h"
#include "engine/kernels/normalise.h"
#include "engine/layer/head_blocks.h"

namespace attn {

// Precision of products, determined by the problem's shape.
Sums sums_of(const AttentionProblem& problem);

// Scores of a range of cells.
void score_cells(const HeadInputs& head, const CellRange& range, const MutableMatrix& out);

// Outputs of whole rows from their weights (rows, n_k).
void multiply_values(const HeadInputs& head, const CellRange& rows, const MatrixView& weights,
                     const MutableMatrix& out);

// Cells of Scores, Scaled, Softcapped or Masked, row-major. Cells that no query of a tile sees are
// -inf in Masked without being computed.
void compute_logits(const HeadInputs& head, Stage stage, const CellRange& range, float* out);

// Norms of whole rows; reads all keys that the rows may see.
void compute_norms(const HeadInputs& head, const HeadRows& rows, std::span<RowSum> norms);

// Weights, row-major. `norms` are those of the rows.
void compute_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSum> norms,
                     float* out);

// Whole rows of weights and their norms, uncached.
void compute_weights_and_norms(const HeadInputs& head, const HeadRows& rows,
                               std::span<RowSum> norms, float* out);

// Rows of Output, (rows, d_v). `norms` are those of the rows; ignored if goes_by_blocks.
void compute_outputs(const HeadInputs& head, const HeadRows& rows, std::span<const RowSum> norms,
                     const MutableMatrix& out);

}  // namespace attn
