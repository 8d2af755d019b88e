// Why scores are divided by √d_k, in numbers: what happens to the softmax as queries and keys
// become wider (Vaswani et al. 2017, section 3.2.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn {

// What the entries of queries and keys are drawn from, and how many keys a query chooses among.
struct SharpnessSetup {
  double q_mean = 0.0, q_deviation = 1.0;
  double k_mean = 0.0, k_deviation = 1.0;
  std::size_t keys = 16;  // 1 … kMostSharpnessKeys
  std::uint64_t seed = 1;
};

inline constexpr std::size_t kMostSharpnessKeys = 64;

// Of many softmax rows.
struct Sharpness {
  double variance = 0.0;  // of the scores that go into the softmax
  double largest = 0.0;   // mean over rows of the largest weight
  double entropy = 0.0;   // mean over rows of −Σ p ln p, nats
  // Mean over rows of the Frobenius norm of diag(p) − ppᵀ, the derivative of the softmax: how much
  // a change of scores can still move the weights.
  double gradient = 0.0;
};

struct SharpnessPoint {
  std::size_t d_k = 0;
  Sharpness unscaled;  // softmax of q·k
  Sharpness scaled;    // softmax of q·k / √d_k
};

// One point per width; widths ascend. The draws of a narrower width are the first columns of those
// of a wider one, so that the points differ by nothing else. Deterministic; a few milliseconds for
// widths up to 512.
std::vector<SharpnessPoint> sharpness_by_width(const SharpnessSetup& setup,
                                               std::span<const std::size_t> widths);

// The last two numbers of Sharpness for one row of weights.
double entropy_of(std::span<const double> weights);
double softmax_gradient_norm(std::span<const double> weights);

}  // namespace attn
