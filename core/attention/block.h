// Projections of multi-head attention, and transformer blocks: residuals, norms and feed-forward
// layers, stacked as an encoder or a decoder (Vaswani et al. 2017).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "attention/mask.h"
#include "attention/position.h"
#include "attention/stage.h"
#include "base/tensor.h"

namespace attn {

enum class Activation {
  Relu,       // max(0, x)
  Gelu,       // x Φ(x) with the error function (Hendrycks and Gimpel 2016)
  GeluTanh,   // its tanh approximation
  SwiGlu,     // silu(gate) · x, with a second matrix for the gate (Shazeer 2020)
  Silu,       // x / (1 + e^−x)
  GeGlu,      // gelu(gate) · x
  GeGluTanh,  // gelu_tanh(gate) · x
  QuickGelu,  // x / (1 + e^(−1.702 x)), an approximation of gelu
  Relu2,      // max(0, x)² (So et al. 2021)
};

enum class NormKind {
  Layer,  // (x − mean) / √(variance + eps) · weight + bias (Ba et al. 2016)
  Rms,    // x / √(mean of squares + eps) · weight + bias (Zhang and Sennrich 2019)
};

// How all norms of a model normalise.
struct NormRules {
  NormKind norm = NormKind::Layer;
  float eps = 1e-5F;           // > 0
  float weight_offset = 0.0F;  // added to given weights: 1 in Gemma, whose weights are 1 + γ
  friend bool operator==(const NormRules&, const NormRules&) = default;
};

enum class NormOrder {
  Post,    // norm(x + part(x)), as in the paper
  Pre,     // x + part(norm(x)), as in most present models
  Both,    // x + norm(part(norm(x))), as in Gemma 2
  Branch,  // x + norm(part(x)), as in OLMo 2
};
inline bool norms_rows(NormOrder order) {
  return order == NormOrder::Pre || order == NormOrder::Both;
}
inline bool norms_outputs(NormOrder order) {
  return order == NormOrder::Both || order == NormOrder::Branch;
}

// x·W + b with W stored (in, out). Packed: head h has the contiguous columns h·d … h·d + d − 1. An
// empty tensor is absent; without w_o there is no output projection.
struct Projections {
  Tensor w_q;                 // (d_model, heads · d_k)
  Tensor w_k;                 // (width of key embeddings, kv_heads · d_k)
  Tensor w_v;                 // (width of value embeddings, kv_heads · d_v)
  Tensor w_o;                 // (heads · d_v, d_out)
  Tensor b_q, b_k, b_v, b_o;  // rank 1, as wide as their matrices
  // Weights of an RMS norm of queries and keys, before they are rotated: rank 1, as wide as one
  // head, whose numbers are normed alone, or as all heads, which are normed together.
  Tensor q_norm, k_norm;
  friend bool operator==(const Projections&, const Projections&) = default;
};

// Absent tensors: weight 1, bias 0. Rank 1, as wide as the model.
struct Norm {
  Tensor weight, bias;
  bool none = false;  // there is no norm: rows stay as they are
  friend bool operator==(const Norm&, const Norm&) = default;
};

// activation(x·w_1 + b_1)·w_2 + b_2 with matrices stored (in, out). Absent biases are 0; w_gate and
// b_gate only for gated activations.
struct FeedForward {
  Activation activation = Activation::Relu;
  Tensor w_1, b_1;        // (d_model, d_ff), (d_ff)
  Tensor w_gate, b_gate;  // (d_model, d_ff), (d_ff)
  Tensor w_2, b_2;        // (d_ff, d_model), (d_model)
  friend bool operator==(const FeedForward&, const FeedForward&) = default;
};

// Cross-attention of a decoder's block, between self-attention and feed-forward layer: rows attend
// to the keys of a second sequence, which its norm does not affect.
struct CrossAttention {
  Projections projections;  // extents of the block's own, except the rows of w_k and w_v
  Norm norm, out_norm;      // as a block's own
  friend bool operator==(const CrossAttention&, const CrossAttention&) = default;
};

// Norms of rows (pre, both) or of their sum (post), and of what is added to rows (both, branch).
// Norms that the order does not use have no effect.
struct BlockNorms {
  Norm attention_norm, feed_forward_norm;
  Norm attention_out_norm, feed_forward_out_norm;
  friend bool operator==(const BlockNorms&, const BlockNorms&) = default;
};

// Rules of a block's attention to its own rows, in place of the document's; absent: those.
struct BlockRules {
  std::optional<Window> window;      // without ends: sees all that other rules leave
  std::optional<Position> position;  // none, or one that rotates
  std::vector<float> sinks;          // as in Scoring
  friend bool operator==(const BlockRules&, const BlockRules&) = default;
};

struct TransformerBlock : BlockNorms {
  Projections projections;              // all four matrices; output as wide as the input
  std::optional<CrossAttention> cross;  // in all blocks of a decoder, in none of an encoder
  FeedForward feed_forward;
  BlockRules rules;
  friend bool operator==(const TransformerBlock&, const TransformerBlock&) = default;
};

// Blocks of equal extents in sequence.
struct Stack : NormRules {
  std::vector<TransformerBlock> blocks;  // empty: a single layer of attention
  NormOrder order = NormOrder::Post;
  bool parallel =
      false;             // the network reads the block's input, as the attention does; not for Post
  float dropout = 0.0F;  // of training, in [0, 1): shown, never applied
  std::optional<Norm> embedding_norm;  // before the first block, of embeddings with positions
  std::optional<Norm> final_norm;      // after the last block
  friend bool operator==(const Stack&, const Stack&) = default;
};

// Indices of the attentions of a model, counted from the last one: the cross-attention of a
// decoder's block, whose output the feed-forward layer reads, then its self-attention. Given
// weights may have those of the decoder and of the encoder besides the cross-attention. Other
// models have one attention and ignore the index.
inline constexpr std::size_t kLastAttention = 0, kSelfAttention = 1, kEncoderAttention = 2;
inline constexpr std::size_t kAttentions = 3;  // rows of every table of attentions

struct AttentionInfo {
  std::size_t attention;
  std::string_view name;   // name in JSON and on the command line: "cross"
  std::string_view label;  // "Cross-attention"
  std::string_view brief;  // "Cross"
  std::string_view sentence;
  HeadAddress at() const { return {.attention = attention}; }
};
std::span<const AttentionInfo> all_attentions();
const AttentionInfo& attention_info(const HeadAddress& at);

// True for blocks with cross-attention.
bool is_decoder(const Stack& stack);

// The stack without its blocks, which is the same for all of them.
Stack settings_of(const Stack& stack);

// Extents of one of several attentions. Precondition: `shape` is of the cross-attention.
AttentionShape shape_at(AttentionShape shape, const HeadAddress& at);

// The attentions in order: those of the encoder and the decoder, if requested, then the last one.
std::span<const AttentionInfo> attentions_in_order(bool encoder, bool self);

// True if a block computes the attention of `later` after that of `earlier`.
inline bool is_computed_after(const HeadAddress& later, const HeadAddress& earlier) {
  return later.attention < earlier.attention;
}

// The address if its attention is one of these, else that of the last one.
HeadAddress among(std::span<const AttentionInfo> attentions, const HeadAddress& at);
inline bool has(std::span<const AttentionInfo> attentions, const HeadAddress& at) {
  return among(attentions, at) == at;
}

struct ActivationInfo {
  Activation activation;
  std::string_view name;  // name in JSON: "gelu"
  std::string_view label;
  std::string_view formula;
  bool gated;                              // multiplied by the output of a second matrix
  double (*value)(double x, double gate);  // `gate` is read by gated ones only
  // Replaces each x by z where the activation is x σ(z), for gated ones of the gate; null for
  // others.
  void (*take_sigmoid_argument)(std::span<float> row) = nullptr;
};

std::span<const ActivationInfo> all_activations();
const ActivationInfo& activation_info(Activation activation);

// Value of the activation.
double activated(Activation activation, double x, double gate);

// Hidden units of the feed-forward layers; 0 without blocks.
std::size_t hidden_width(const Stack& stack);

}  // namespace attn
