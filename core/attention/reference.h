// The slow and obvious version, in double: what every faster path is compared with.
#pragma once

#include <cstddef>
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
// loops. Precondition: a whole problem; of a decoder `part` says which attention's stages are
// meant.
Matrix compute(const AttentionProblem& problem, Stage stage, const HeadAddress& head,
               AttentionPart part = AttentionPart::Cross);

}  // namespace attn::reference
