// The linear maps of a multi-head layer, and transformer blocks around it: residuals, norms and a
// feed-forward network, stacked as an encoder or a decoder (Vaswani et al. 2017).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "attention/stage.h"
#include "base/tensor.h"

namespace attn {

enum class Activation {
  Relu,      // max(0, x)
  Gelu,      // x Φ(x) with the error function (Hendrycks and Gimpel 2016)
  GeluTanh,  // its approximation by tanh
  SwiGlu,    // silu(gate) · x, with a second matrix for the gate (Shazeer 2020)
};
inline constexpr std::size_t kActivations = 4;  // rows of every table of them

enum class NormKind {
  Layer,  // (x − mean) / √(variance + eps) · weight + bias (Ba et al. 2016)
  Rms,    // x / √(mean of squares + eps) · weight + bias (Zhang and Sennrich 2019)
};

enum class NormOrder {
  Post,  // norm(x + part(x)), as in the paper
  Pre,   // x + part(norm(x)), as most models of today
};

// x·W + b with W stored (in, out). Packed: head h owns the contiguous columns h·d … h·d + d − 1.
// An empty tensor is absent; w_o absent means that there is no output projection.
struct Projections {
  Tensor w_q;                 // (d_model, heads · d_k)
  Tensor w_k;                 // (width of key embeddings, kv_heads · d_k)
  Tensor w_v;                 // (width of value embeddings, kv_heads · d_v)
  Tensor w_o;                 // (heads · d_v, d_out)
  Tensor b_q, b_k, b_v, b_o;  // rank 1, as wide as their matrix
  friend bool operator==(const Projections&, const Projections&) = default;
};

// Absent tensors: weight 1, bias 0. Rank 1, as wide as the model.
struct Norm {
  Tensor weight, bias;
  friend bool operator==(const Norm&, const Norm&) = default;
};

// activation(x·w_1 + b_1)·w_2 + b_2 with matrices stored (in, out). Absent biases are 0; w_gate and
// b_gate are there for gated activations alone.
struct FeedForward {
  Activation activation = Activation::Relu;
  Tensor w_1, b_1;        // (d_model, d_ff), (d_ff)
  Tensor w_gate, b_gate;  // (d_model, d_ff), (d_ff)
  Tensor w_2, b_2;        // (d_ff, d_model), (d_model)
  friend bool operator==(const FeedForward&, const FeedForward&) = default;
};

// Of a decoder's block, between its own attention and its network: its rows attend to the keys, a
// second sequence that a norm in front of it leaves as it is.
struct CrossAttention {
  Projections projections;  // extents as the block's own, but for the rows of w_k and w_v
  Norm norm;
  friend bool operator==(const CrossAttention&, const CrossAttention&) = default;
};

struct TransformerBlock {
  Projections projections;              // all four matrices; the output as wide as the input
  std::optional<CrossAttention> cross;  // in every block of a decoder, in none of an encoder
  Norm attention_norm, feed_forward_norm;
  FeedForward feed_forward;
  friend bool operator==(const TransformerBlock&, const TransformerBlock&) = default;
};

// Blocks of equal extents, one after another. A value.
struct Stack {
  std::vector<TransformerBlock> blocks;  // empty: no stack, a single layer of attention
  NormOrder order = NormOrder::Post;
  NormKind norm = NormKind::Layer;
  float eps = 1e-5F;               // > 0
  float dropout = 0.0F;            // of training, in [0, 1): shown, never applied
  std::optional<Norm> final_norm;  // after the last block
  friend bool operator==(const Stack&, const Stack&) = default;
};

// The attentions of a block, counted from the last one, whose output goes on to the network: of a
// decoder that to the keys, then that of its rows to one another. Everything else has one only,
// whichever is asked for.
inline constexpr std::size_t kLastAttention = 0, kSelfAttention = 1;
inline constexpr std::size_t kAttentions = 2;  // rows of every table of them

struct AttentionInfo {
  std::size_t attention;
  std::string_view name;   // "cross": in JSON, on the command line
  std::string_view label;  // "Cross-attention"
  std::string_view brief;  // "Cross"
  std::string_view sentence;
  HeadAddress at() const { return {.attention = attention}; }
};
std::span<const AttentionInfo> all_attentions();
const AttentionInfo& attention_info(const HeadAddress& at);

// Blocks that attend twice.
bool is_decoder(const Stack& stack);

// Extents of the attention of a decoder's rows to one another. Precondition: `shape` is of its
// attention to the keys.
AttentionShape self_shape(AttentionShape shape);

// The attentions of a model with these blocks, or without any, in the order in which they are
// computed: most have one.
std::span<const AttentionInfo> attentions_of(const Stack& stack);

struct ActivationInfo {
  Activation activation;
  std::string_view name;  // "gelu": in JSON
  std::string_view label;
  std::string_view formula;
  bool gated;                              // multiplied by what a second matrix makes
  double (*value)(double x, double gate);  // only gated ones read the gate
};

std::span<const ActivationInfo> all_activations();
const ActivationInfo& activation_info(Activation activation);

// The row's value.
double activated(Activation activation, double x, double gate);

// Rows of the network's hidden layer; 0 without blocks.
std::size_t hidden_width(const Stack& stack);

}  // namespace attn
