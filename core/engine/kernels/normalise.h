// Normalisers: logits to weights, one row at a time. Internal to the engine.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "attention/mask.h"
#include "attention/scoring.h"
#include "engine/kernels/row_kernels.h"

namespace attn {

// True for softmax, whose weights follow from a row's largest logit and sum of exponentials.
bool sums_exponentials(const Scoring& scoring);

// Sink of a head; NaN if it has none.
float sink_of(const Scoring& scoring, std::size_t head);

// Intermediate state of a row's norm after some of its chunks.
struct RowSoFar {
  std::vector<RowSum> chunks;  // softmax
  std::vector<double> values;  // sparsemax: candidates for weight
  float largest = -std::numeric_limits<float>::infinity();
  bool has_nan = false;
};

// Adds one chunk (kChunkKeys) from `first_key`, a multiple of 16, on; chunks come in ascending
// order. Chunks without visible cells, and hidden cells at either end of one, may be left out: the
// bits are equal.
void add_chunk(const Scoring& scoring, std::span<const float> masked,
               std::span<const HiddenRules> rules, std::size_t first_key, RowSoFar& row);

// Constants that turn the logits of a whole row into weights; sparsemax: `total` is the threshold
// minus the shift; sigmoid needs nothing. The total is NaN if a visible cell is NaN or +Inf, or all
// are -Inf, as in IEEE arithmetic.
RowSum norm_of(const Scoring& scoring, std::size_t head, const RowSoFar& row);

// Weights of some cells of a row; hidden ones are exactly 0. `weights` may alias `masked`.
void weigh_cells(const Scoring& scoring, const RowSum& norm, std::span<const float> masked,
                 std::span<const HiddenRules> rules, std::span<float> weights);

// Weights of a whole row. `weights` may alias `masked`.
void normalise_row(const Scoring& scoring, std::size_t head, std::span<const float> masked,
                   std::span<const HiddenRules> rules, std::span<float> weights);

// Turns derivatives by a row of weights into those by the normaliser's input, in place.
void back_through_normaliser(const Scoring& scoring, std::span<const float> weights,
                             std::span<double> by);

}  // namespace attn
