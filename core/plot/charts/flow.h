// Tensors of a computation as boxes in the order of computation, before any layout.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plot/kit/plot.h"

namespace attn {

struct FlowBox {
  TensorHit tensor;
  StageRole role;
  std::string title;    // "Q", "Scores"
  std::string formula;  // may be empty
  std::string symbols;  // "(h, n, d_k)"
  std::string extents;  // "(2, 3, 4)"
  Color color;
};

// Boxes of one column are computed side by side (Q, K, V); columns follow each other.
using FlowColumn = std::vector<FlowBox>;

// Embeddings that a computation begins with.
struct EmbeddingsUsed {
  InputHit tensor;
  StageRole role;
  std::string title;   // "X", "X (keys)"
  const Tensor* x;     // of the problem; rank 3, (samples, n, width)
  std::string length;  // symbol of n
};
std::vector<EmbeddingsUsed> embeddings_of(const PlotInput& input);

std::vector<FlowColumn> flow_of(const PlotInput& input, const FigureTheme& theme);

// Whether `to`, a box of the column after `column`, is made from box `from` of it. Stages of a
// separate computation, such as a decoder without attention, and measures of a whole computation,
// such as influence, are not.
bool feeds(const FlowColumn& column, std::size_t from, const FlowBox& to);

// Whether the column after `column` is made from anything in it.
bool feeds(const FlowColumn& column, const FlowColumn& next);

}  // namespace attn
