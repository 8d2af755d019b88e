// Cost formulas of layer kinds (Vaswani et al. 2017, table 1) and their crossings.
#include "attention/cost.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {
namespace {

constexpr double kEndless = 1e15;  // doubles are exact integers up to here

// Least p ≥ 1 with kᵖ ≥ n, by multiplication because logarithms round.
double layers_to_span(double n, double k) {
  double layers = 1.0;
  for (double reach = k; reach < n && reach > 1.0; reach *= k) layers += 1.0;
  return layers;
}

LayerCost self_attention(const LayerSize& s) {
  return {2.0 * s.n * s.n * s.d, 1.0, 1.0, s.n * s.d + s.heads * s.n * s.n};
}

LayerCost restricted_attention(const LayerSize& s) {
  const double r = std::min(s.neighbours, s.n);
  return {2.0 * r * s.n * s.d, 1.0, std::ceil(s.n / r), s.n * s.d + s.heads * r * s.n};
}

LayerCost recurrence(const LayerSize& s) { return {s.n * s.d * s.d, s.n, s.n, s.n * s.d}; }

LayerCost convolution(const LayerSize& s) {
  return {s.kernel * s.n * s.d * s.d, 1.0, layers_to_span(s.n, s.kernel), s.n * s.d};
}

constexpr std::array<LayerKindInfo, 4> kLayers{{
    {"self_attention", "Self-attention", "2 · n² · d", "1", "1", "n · d + h · n²", self_attention},
    {"restricted_attention", "Restricted to r neighbours", "2 · r · n · d", "1", "n / r",
     "n · d + h · r · n", restricted_attention},
    {"recurrence", "Recurrence", "n · d²", "n", "n", "n · d", recurrence,
     [](const LayerSize& s) { return s.d / 2.0; }, "d / 2"},
    {"convolution", "Convolution of width k", "k · n · d²", "1", "log_k n", "n · d", convolution,
     [](const LayerSize& s) { return s.kernel * s.d / 2.0; }, "k · d / 2"},
}};

}  // namespace

std::span<const LayerKindInfo> all_layer_kinds() { return kLayers; }

std::optional<LayerSize> cost_basis(const AttentionProblem& problem, std::size_t kernel,
                                    const HeadAddress& at) {
  const AttentionShape s = shape_of(problem, at);
  const Mask& mask = mask_of(problem, at);
  const std::size_t width = s.d_model > 0 ? s.d_model : s.heads * s.d_k;
  if (width == 0) return std::nullopt;
  LayerSize basis;
  basis.n = static_cast<double>(std::max({s.n_q, s.n_k, std::size_t{1}}));
  basis.d = static_cast<double>(width);
  basis.heads = static_cast<double>(s.heads);
  basis.kernel = static_cast<double>(std::max<std::size_t>(kernel, 2));
  basis.neighbours = basis.kernel;
  const std::optional<Window>& window = mask.window;
  if (window && window->left && (window->right || mask.causal)) {
    const std::uint64_t right = mask.causal ? 0 : *window->right;
    const double seen = static_cast<double>(*window->left) + static_cast<double>(right) + 1.0;
    basis.neighbours = std::min(seen, kEndless);
    basis.has_window = true;
  }
  return basis;
}

}  // namespace attn
