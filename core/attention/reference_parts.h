// What the parts of the reference share. Internal to the reference.
#pragma once

#include <cstdint>

#include "attention/reference.h"

namespace attn::reference {

Matrix product(const Matrix& a, const Matrix& b);
Matrix transposed(const Matrix& a);
// Columns [first, first + count).
Matrix columns(const Matrix& a, std::size_t first, std::size_t count);

// Scores of all queries and keys of one head, before the scale.
Matrix scored(const Scoring& scoring, std::size_t head, const Matrix& queries, const Matrix& keys);

// x·W + b; an empty b adds nothing.
Matrix mapped(const Matrix& x, const Tensor& w, const Tensor& b);

// Embeddings of one sample, with positions from `first` on added where they act (position_of).
Matrix positioned(const AttentionProblem& p, const Tensor& x, std::size_t sample,
                  std::int64_t first);

// Adds sinusoids or a learned table to rows that stand at `first` and after it; positions of other
// kinds leave them as they are.
void add_positions(const Position& position, std::int64_t first, Matrix& x);
// Turns pairs of their columns (Su et al. 2021) where positions are rotary.
void turn_rows(const Position& position, std::int64_t first, Matrix& x);

// One layer of attention, with what is projected there: in double, as the layers before made it.
// Without projections they are queries, keys and values themselves.
struct Layer {
  const AttentionProblem& problem;
  const Projections& projections;
  Matrix query_input, key_input, value_input;
};

// Any stage of a problem of one layer of attention alone.
Matrix compute_in_layer(const AttentionProblem& p, Stage stage, const HeadAddress& at,
                        AttentionPart part);

// A stage of the layer's attention.
Matrix compute_in(const Layer& layer, Stage stage, const HeadAddress& at);

// Any stage of a problem with blocks, of a decoder those of one attention.
Matrix compute_in_blocks(const AttentionProblem& p, Stage stage, const HeadAddress& at,
                         AttentionPart part);

}  // namespace attn::reference
