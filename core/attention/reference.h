// The slow and obvious version, in double: what every faster path is compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attention/problem.h"
#include "attention/stage.h"

namespace attn::reference {

// One matrix in double, row-major.
struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> values;
  double at(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
};

// Softmax of one row over the cells with visible[j] != 0; exact zeros elsewhere, all zeros when
// none is visible. NaN in a visible cell makes the visible cells NaN, as IEEE arithmetic says.
std::vector<double> softmax(const std::vector<double>& scores,
                            const std::vector<std::uint8_t>& visible);

// One row of normalised scores: divided by the temperature, then softmax (with the head's sink),
// sigmoid or sparsemax over the visible cells.
std::vector<double> normalised(const Scoring& scoring, std::size_t head,
                               const std::vector<double>& scores,
                               const std::vector<std::uint8_t>& visible);

// One stage of one head, computed from the inputs by the formulas of the stage table with plain
// loops.
Matrix compute(const AttentionProblem& problem, Stage stage, const HeadAddress& head);

// What the parts of the reference share.
Matrix product(const Matrix& a, const Matrix& b);
Matrix transposed(const Matrix& a);
// Columns [first, first + count).
Matrix columns(const Matrix& a, std::size_t first, std::size_t count);

// Scores of all queries and keys of one head, before the scale.
Matrix scored(const Scoring& scoring, std::size_t head, const Matrix& queries, const Matrix& keys);

// x·W + b; an empty b adds nothing.
Matrix mapped(const Matrix& x, const Tensor& w, const Tensor& b);

// Embeddings of one sample, with positions from `first` on added.
Matrix positioned(const Position& position, const Tensor& x, std::size_t sample,
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

// A stage of the layer's attention.
Matrix compute_in(const Layer& layer, Stage stage, const HeadAddress& at);

// Any stage of a problem with blocks.
Matrix compute_in_blocks(const AttentionProblem& p, Stage stage, const HeadAddress& at);

// Any stage of a recurrent encoder–decoder; derivatives by central differences.
Matrix compute_in_cells(const AttentionProblem& p, Stage stage, const HeadAddress& at);

}  // namespace attn::reference
