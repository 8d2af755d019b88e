#include "attention/block.h"

#include <array>
#include <cmath>
#include <numbers>

#include "base/enum_table.h"

namespace attn {
namespace {

constexpr std::array<ActivationInfo, 4> kActivations{{
    {Activation::Relu, "relu", "ReLU", "max(0, x)"},
    {Activation::Gelu, "gelu", "GELU", "x Φ(x)"},
    {Activation::GeluTanh, "gelu_tanh", "GELU (tanh)", "½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))"},
    {Activation::SwiGlu, "swiglu", "SwiGLU", "silu(gate) · x"},
}};
static_assert(is_indexed_by(kActivations, &ActivationInfo::activation));

constexpr std::array<AttentionPartInfo, 2> kAttentionParts{{
    {AttentionPart::Cross, "cross", "Cross-attention"},
    {AttentionPart::Self, "self", "Self-attention"},
}};
static_assert(is_indexed_by(kAttentionParts, &AttentionPartInfo::part));

}  // namespace

std::span<const AttentionPartInfo> all_attention_parts() { return kAttentionParts; }

const AttentionPartInfo& attention_part_info(AttentionPart part) {
  return kAttentionParts[static_cast<std::size_t>(part)];
}

bool is_decoder(const Stack& stack) {
  return !stack.blocks.empty() && stack.blocks.front().cross.has_value();
}

std::span<const ActivationInfo> all_activations() { return kActivations; }

const ActivationInfo& activation_info(Activation activation) {
  return kActivations[static_cast<std::size_t>(activation)];
}

double activated(Activation activation, double x, double gate) {
  switch (activation) {
    case Activation::Relu:
      return x < 0.0 ? 0.0 : x;  // NaN stays
    case Activation::Gelu:
      // Far to the left erfc keeps the digits that 1 + erf loses.
      return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
    case Activation::GeluTanh: {
      const double inner = std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x);
      return 0.5 * x * (1.0 + std::tanh(inner));
    }
    case Activation::SwiGlu:
      return x * gate / (1.0 + std::exp(-gate));
  }
  return x;
}

std::size_t hidden_width(const Stack& stack) {
  return stack.blocks.empty() ? 0 : stack.blocks.front().feed_forward.w_1.extent(1);
}

}  // namespace attn
