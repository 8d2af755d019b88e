// The tensors of a computation as boxes in the order in which they arise, before any layout.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/plot.h"

namespace attn {

struct FlowBox {
  std::optional<Stage> stage;  // none: the embeddings
  std::string title;           // "Q", "Scores"
  std::string formula;         // may be empty
  std::string symbols;         // "(h, n, d_k)"
  std::string extents;         // "(2, 3, 4)"
  Color color;
};

// Boxes of one column arise side by side (Q, K, V); columns follow each other.
using FlowColumn = std::vector<FlowBox>;

std::vector<FlowColumn> flow_of(const PlotInput& input, const FigureTheme& theme);

}  // namespace attn
