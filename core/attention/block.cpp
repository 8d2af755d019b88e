// Table of activations, and properties of stacks.
#include "attention/block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/enum_table.h"

namespace attn {
namespace {

double relu(double x, double /*gate*/) { return x < 0.0 ? 0.0 : x; }  // NaN is kept

// For large negative x, erfc keeps digits that 1 + erf loses.
double gelu(double x, double /*gate*/) { return 0.5 * x * std::erfc(-x / std::numbers::sqrt2); }

// ½ (1 + tanh u) is 1 / (1 + e^(−2u)), which takes a third of the time and keeps digits where tanh
// is near −1.
double gelu_tanh(double x, double /*gate*/) {
  const double inner = std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return x / (1.0 + std::exp(-2.0 * inner));
}

double silu(double x, double /*gate*/) { return x / (1.0 + std::exp(-x)); }

void take_same(std::span<float> /*row*/) {}

void take_gelu_argument(std::span<float> row) {
  constexpr double kTwiceRoot = 1.5957691216057307118;  // 2 √(2/π)
  for (float& number : row) {
    const auto x = static_cast<double>(number);
    number = static_cast<float>(kTwiceRoot * (x + 0.044715 * x * x * x));
  }
}

void take_quick_argument(std::span<float> row) {
  for (float& x : row) x = static_cast<float>(1.702 * static_cast<double>(x));
}

double swiglu(double x, double gate) { return x * gate / (1.0 + std::exp(-gate)); }

double geglu(double x, double gate) { return gelu(gate, 0.0) * x; }

double geglu_tanh(double x, double gate) { return gelu_tanh(gate, 0.0) * x; }

double quick_gelu(double x, double /*gate*/) { return x / (1.0 + std::exp(-1.702 * x)); }

double relu2(double x, double /*gate*/) { return x < 0.0 ? 0.0 : x * x; }

constexpr std::array<ActivationInfo, count_of<Activation>()> kActivationRows{{
    {Activation::Relu, "relu", "ReLU", "max(0, x)", false, relu},
    {Activation::Gelu, "gelu", "GELU", "x Φ(x)", false, gelu},
    {Activation::GeluTanh, "gelu_tanh", "GELU (tanh)", "½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))",
     false, gelu_tanh, take_gelu_argument},
    {Activation::SwiGlu, "swiglu", "SwiGLU", "silu(gate) · x", true, swiglu, take_same},
    {Activation::Silu, "silu", "SiLU", "x / (1 + e^(−x))", false, silu, take_same},
    {Activation::GeGlu, "geglu", "GeGLU", "gelu(gate) · x", true, geglu},
    {Activation::GeGluTanh, "geglu_tanh", "GeGLU (tanh)", "gelu_tanh(gate) · x", true, geglu_tanh,
     take_gelu_argument},
    {Activation::QuickGelu, "quick_gelu", "Quick GELU", "x / (1 + e^(−1.702 x))", false, quick_gelu,
     take_quick_argument},
    {Activation::Relu2, "relu2", "ReLU²", "max(0, x)²", false, relu2},
}};
static_assert(is_indexed_by(kActivationRows, &ActivationInfo::activation));

constexpr std::array<AttentionInfo, kAttentions> kAttentionRows{{
    {kLastAttention, "cross", "Cross-attention", "Cross", "The rows attend to the keys"},
    {kSelfAttention, "self", "Self-attention", "Self", "The rows attend to one another"},
    {kEncoderAttention, "encoder", "Encoder self-attention", "Encoder",
     "The keys attend to one another"},
}};

}  // namespace

std::span<const AttentionInfo> all_attentions() { return kAttentionRows; }

const AttentionInfo& attention_info(const HeadAddress& at) { return kAttentionRows[at.attention]; }

bool is_decoder(const Stack& stack) {
  return !stack.blocks.empty() && stack.blocks.front().cross.has_value();
}

Stack settings_of(const Stack& of) {
  return {{of}, {}, of.order, of.parallel, of.dropout, of.embedding_norm, of.final_norm};
}

AttentionShape shape_at(AttentionShape shape, const HeadAddress& at) {
  if (at.attention == kLastAttention) return shape;
  const bool of_keys = at.attention == kEncoderAttention;
  (of_keys ? shape.n_q : shape.n_k) = of_keys ? shape.n_k : shape.n_q;
  shape.key_width = 0;
  return shape;
}

std::span<const AttentionInfo> attentions_in_order(bool encoder, bool self) {
  static constexpr std::array kInOrder{
      kAttentionRows[kEncoderAttention], kAttentionRows[kLastAttention],
      kAttentionRows[kEncoderAttention], kAttentionRows[kSelfAttention],
      kAttentionRows[kLastAttention]};
  if (encoder && !self) return std::span(kInOrder).first(2);
  return std::span(kInOrder).last(encoder ? 3 : self ? 2 : 1);
}

HeadAddress among(std::span<const AttentionInfo> attentions, const HeadAddress& at) {
  const bool there =
      std::ranges::find(attentions, at.attention, &AttentionInfo::attention) != attentions.end();
  return there ? at : HeadAddress{at.layer, at.sample, at.head};
}

std::span<const ActivationInfo> all_activations() { return kActivationRows; }

const ActivationInfo& activation_info(Activation activation) {
  return row_of(kActivationRows, activation);
}

double activated(Activation activation, double x, double gate) {
  return activation_info(activation).value(x, gate);
}

std::size_t hidden_width(const Stack& stack) {
  return stack.blocks.empty() ? 0 : stack.blocks.front().feed_forward.w_1.extent(1);
}

}  // namespace attn
