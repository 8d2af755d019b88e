// What a layer over a sequence costs: self-attention against recurrence and convolution (Vaswani et
// al. 2017, table 1), and the parameters of many heads against one. Pure arithmetic; counts are
// doubles, as they are drawn over many powers of ten.
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
  double heads = 1.0;       // of attention
  double kernel = 3.0;      // k: tokens that a convolution sees at once; at least 2
  double neighbours = 3.0;  // r: tokens that restricted attention sees
};

struct LayerCost {
  // Multiply-adds of the part that the table compares, without projections of inputs: of attention
  // q·k and weights·v.
  double operations = 0.0;
  double steps = 0.0;   // that must follow each other
  double path = 0.0;    // longest way of a signal between two tokens, in layers or steps
  double memory = 0.0;  // numbers to keep: outputs n·d, and weights where there are any
};

// One kind of layer. Convolutions are dilated: their path is the least p with kᵖ ≥ n. A
// neighbourhood wider than the sequence is as wide as the sequence.
struct LayerKindInfo {
  std::string_view name;        // "self_attention": in JSON
  std::string_view label;       // for people
  std::string_view operations;  // formulas of what `cost` gives
  std::string_view steps;
  std::string_view path;
  std::string_view memory;
  LayerCost (*cost)(const LayerSize&);
  // The n above which self-attention needs more operations, and its formula; null and empty where
  // one of the two is cheaper at every n.
  double (*crossing)(const LayerSize&) = nullptr;
  std::string_view crossing_formula = {};
};

// Self-attention first.
std::span<const LayerKindInfo> all_layer_kinds();

// What table 1 is computed for: the longer side of the problem, the width of its embeddings or of
// all heads together, r = the window of the mask or else the kernel.
struct CostBasis {
  LayerSize size;
  bool has_window = false;  // r is the mask's
};
// Nothing for finished weights, which tell no width.
std::optional<CostBasis> cost_basis(const AttentionProblem& problem, std::size_t kernel,
                                    const HeadAddress& at = {});

// Parameters of W_Q, W_K, W_V and W_O for embeddings of `d_model` columns, without biases.
struct HeadParameters {
  double many = 0.0;      // `heads` heads of `width` columns each
  double one_wide = 0.0;  // one head of heads · width columns
  double one = 0.0;       // one head of `width` columns
};
HeadParameters head_parameters(double d_model, double heads, double width);

}  // namespace attn
