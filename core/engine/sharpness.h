// Effect of the scale 1/√d_k: softmax as a function of the width of queries and keys (Vaswani et
// al. 2017, section 3.2.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn {

// Distribution of the entries of queries and keys, and number of keys per query.
struct SharpnessSetup {
  double q_mean = 0.0, q_deviation = 1.0;
  double k_mean = 0.0, k_deviation = 1.0;
  std::size_t keys = 16;  // 1 … kMostSharpnessKeys
  std::uint64_t seed = 1;
};

inline constexpr std::size_t kMostSharpnessKeys = 64;

// Means over many rows of softmax.
struct Sharpness {
  double variance = 0.0;  // of the softmax's input
  double largest = 0.0;   // mean over rows of the largest weight
  double entropy = 0.0;   // mean over rows of −Σ p ln p, nats
  // Mean over rows of the Frobenius norm of diag(p) − ppᵀ, the derivative of the softmax: the
  // sensitivity of weights to scores.
  double gradient = 0.0;
};

struct SharpnessPoint {
  std::size_t d_k = 0;
  Sharpness unscaled;  // softmax of q·k
  Sharpness scaled;    // softmax of q·k / √d_k
};

// One point per width; widths ascend. Narrower draws are the first columns of wider ones, so that
// points are comparable. Deterministic; a few milliseconds for widths up to 512.
std::vector<SharpnessPoint> sharpness_by_width(const SharpnessSetup& setup,
                                               std::span<const std::size_t> widths);

}  // namespace attn
