// Cost of a layer over a sequence: self-attention against recurrence and convolution (Vaswani et
// al. 2017, table 1). Counts are doubles because they are drawn over many powers of ten.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "attention/problem.h"

namespace attn {

// All at least 1.
struct LayerSize {
  double n = 1.0;           // tokens
  double d = 1.0;           // width of a token's representation
  double heads = 1.0;       // attention heads
  double kernel = 3.0;      // k: tokens under the convolution's kernel; at least 2
  double neighbours = 3.0;  // r: tokens visible to restricted attention
  bool has_window = false;  // r is the window of a mask
};

struct LayerCost {
  // Multiply-adds that the table compares, without projections; for attention q·k and weights·v.
  double operations = 0.0;
  double steps = 0.0;   // sequential operations
  double path = 0.0;    // maximum path length between two tokens, in layers or steps
  double memory = 0.0;  // numbers stored: outputs n·d, and weights if any
};

// One kind of layer. Convolutions are dilated: their path is the least p with kᵖ ≥ n.
// Neighbourhoods are at most as wide as the sequence.
struct LayerKindInfo {
  std::string_view name;        // name in JSON: "self_attention"
  std::string_view label;       // label in the interface
  std::string_view operations;  // formulas of `cost`
  std::string_view steps;
  std::string_view path;
  std::string_view memory;
  LayerCost (*cost)(const LayerSize&);
  // The n above which self-attention needs more operations, and its formula; null and empty if one
  // of the two is always cheaper.
  double (*crossing)(const LayerSize&) = nullptr;
  std::string_view crossing_formula = {};
};

// Self-attention first.
std::span<const LayerKindInfo> all_layer_kinds();

// Sizes for table 1: the longer sequence of the problem, the width of its embeddings or of all
// heads together, and r = the window of the mask, else the kernel. Nothing for given weights, which
// have no width.
std::optional<LayerSize> cost_basis(const AttentionProblem& problem, std::size_t kernel,
                                    const HeadAddress& at = {});

}  // namespace attn
