// The tensors of a computation as boxes in the order in which they arise, before any layout.
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
std::vector<EmbeddingsUsed> embeddings_of(const PlotInput& input, const HeadAddress& at);

std::vector<FlowColumn> flow_of(const PlotInput& input, const FigureTheme& theme,
                                const HeadAddress& at = {});

// Whether `to`, a box of the column after `column`, is made from box `from` of it. Stages that
// begin again elsewhere, as a decoder without attention does, and measures of a whole computation,
// as influence is, are made from nothing beside them.
bool feeds(const FlowColumn& column, std::size_t from, const FlowBox& to);

// Whether the column after `column` is made from anything in it.
bool feeds(const FlowColumn& column, const FlowColumn& next);

}  // namespace attn
