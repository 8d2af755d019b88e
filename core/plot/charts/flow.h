// The tensors of a computation as boxes in the order in which they arise, before any layout.
#pragma once

#include <string>
#include <vector>

#include "plot/plot.h"

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

// Boxes of one column arise side by side (Q, K, V); columns follow each other.
using FlowColumn = std::vector<FlowBox>;

// The embeddings that a computation begins with; empty when it begins elsewhere.
struct EmbeddingsUsed {
  InputHit tensor;
  StageRole role;
  std::string title;   // "X", "X (keys)"
  const Tensor* x;     // of the problem; rank 3, (samples, n, width)
  std::string length;  // symbol of n
};
std::vector<EmbeddingsUsed> embeddings_of(const PlotInput& input);

std::vector<FlowColumn> flow_of(const PlotInput& input, const FigureTheme& theme);

}  // namespace attn
