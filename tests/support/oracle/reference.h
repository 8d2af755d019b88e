// Oracle: plain implementation in double with which every faster path is compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
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

// Softmax of one row over the cells with visible[j] != 0; exact zeros elsewhere, all zeros if none
// is visible. A NaN in a visible cell makes all visible cells NaN, as in IEEE arithmetic.
std::vector<double> softmax(const std::vector<double>& scores,
                            const std::vector<std::uint8_t>& visible);

// Weights of one row: scores divided by the temperature, then softmax (with the head's sink),
// sigmoid or sparsemax over the visible cells.
std::vector<double> normalised(const Scoring& scoring, std::size_t head,
                               const std::vector<double>& scores,
                               const std::vector<std::uint8_t>& visible);

// One stage of one head by the formulas of the stage table.
Matrix compute(const AttentionProblem& problem, Stage stage, const HeadAddress& head);

// Compute any stage of blocks and of recurrent models, whose derivatives are central differences.
Matrix compute_in_blocks(const AttentionProblem& p, Stage stage, const HeadAddress& at);
Matrix compute_in_cells(const AttentionProblem& p, Stage stage, const HeadAddress& at);

// Functions shared with the oracles of kinds: x·W + b; an empty b is omitted.
Matrix mapped(const Matrix& x, const Tensor& w, const Tensor& b);

// Embeddings of one sample, with added positions from `first` on.
Matrix positioned(const Position& position, const Tensor& x, std::size_t sample,
                  std::int64_t first);

// Inputs of one layer's attention in double, as left by the layers before it. Without projections
// they are queries, keys and values.
struct Layer {
  const AttentionProblem& problem;
  const Projections& projections;
  Matrix query_input, key_input, value_input;
  std::map<std::pair<Stage, std::size_t>, Matrix> own_inputs{};  // of heads with cut edges
};

// Returns the rows that queries, keys or values of a head are made from.
const Matrix& input_of(const Layer& layer, Stage stage, std::size_t head);

// Outputs of all heads times their gates, through the output projection.
Matrix projected(const Layer& layer, const HeadAddress& at);

// A stage of the layer's attention.
Matrix compute_in(const Layer& layer, Stage stage, const HeadAddress& at);

}  // namespace attn::reference
