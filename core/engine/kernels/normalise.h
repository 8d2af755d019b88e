// From what goes into the normaliser to weights, one row at a time. Internal to the engine.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "attention/mask.h"
#include "attention/scoring.h"
#include "engine/kernels/row_kernels.h"

namespace attn {

// Softmax: a row's weights follow from its largest logit and its sum of exponentials.
bool sums_exponentials(const Scoring& scoring);

// What goes into the softmax beside the logits of a head: its sink; NaN without one.
float sink_of(const Scoring& scoring, std::size_t head);

// What a cell has to know of its whole row to become a weight.
struct RowNorm {
  float shift = 0.0F;  // the largest of what goes in, with the sink; sigmoid: 0
  double total = 1.0;  // softmax: Σ e^(x − shift). Sparsemax: the threshold, shift taken away.
                       // NaN: the row's visible weights are NaN
};

// What is known of a row's norm after some of its chunks.
struct RowSoFar {
  std::vector<RowSum> chunks;  // softmax
  std::vector<double> values;  // sparsemax: those that may get something
  float largest = -std::numeric_limits<float>::infinity();
  bool has_nan = false;
};

// Cells of a chunk (kChunkKeys), the first of which is key `first_key`.
struct ChunkOfRow {
  std::span<const float> masked;
  std::span<const HiddenRules> rules;
  std::size_t first_key = 0;  // a multiple of 16
};

// Adds the cells of one chunk; chunks come in ascending order. Those of which nothing is visible
// may be left out, and so may hidden cells at either end of one: the bits are the same.
void add_chunk(const Scoring& scoring, const ChunkOfRow& chunk, RowSoFar& row);

// When a visible cell is NaN or +Inf, or all of them are -Inf, the total is NaN, as IEEE arithmetic
// says.
RowNorm norm_of(const Scoring& scoring, std::size_t head, const RowSoFar& row);

// Weights of some cells of a row; hidden ones get exactly 0. `weights` may be `masked`.
void weigh_cells(const Scoring& scoring, const RowNorm& norm, std::span<const float> masked,
                 std::span<const HiddenRules> rules, std::span<float> weights);

// All cells of a row; returns its norm. `weights` may be `masked`.
RowNorm normalise_row(const Scoring& scoring, std::size_t head, std::span<const float> masked,
                      std::span<const HiddenRules> rules, std::span<float> weights);

// From the derivatives of something by a row of weights to those by the row that went into the
// normaliser, in place.
void back_through_normaliser(const Scoring& scoring, std::span<const float> weights,
                             std::span<double> by);

}  // namespace attn
