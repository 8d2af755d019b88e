// Counts the visible keys of rows: cell by cell while there are few, else by their ranges.
#include "attention/visible_keys.h"

#include <algorithm>
#include <vector>

#include "base/quotient_up.h"

namespace attn {
namespace {

std::size_t counted_keys(const Mask& mask, const AttentionShape& shape) {
  std::vector<HiddenRules> rules(shape.n_k);
  std::size_t most = 0;
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    for (std::size_t sample = 0; sample < shape.samples; ++sample) {
      for (std::size_t head = 0; head < shape.heads; ++head) {
        for (std::size_t q = 0; q < shape.n_q; ++q) {
          most = std::max(most, hidden_row(mask, {layer, sample, head}, q, rules));
        }
      }
    }
  }
  return most;
}

// Number of keys that a row sees: those in reach, of which a dilated window skips some, and the
// first keys that stay visible outside of the window.
std::size_t keys_in_reach(const Mask& mask, const KeySpan& reach, std::size_t n_k) {
  const std::size_t cells = reach.end - reach.begin;
  if (!mask.window) return cells;
  const std::size_t kept = std::min<std::size_t>(mask.sink_tokens, n_k);
  const std::size_t before = std::min(kept, reach.begin);
  const std::size_t after = mask.causal ? 0 : kept - std::min(kept, reach.end);
  return quotient_up(cells, static_cast<std::size_t>(mask.window->dilation)) + before + after;
}

std::size_t bounded_keys(const Mask& mask, const AttentionShape& shape) {
  Mask without_kept = mask;
  without_kept.sink_tokens = 0;
  std::size_t most = 0;
  for (std::size_t sample = 0; sample < shape.samples; ++sample) {
    const KeyReach reach(without_kept, sample, shape.n_k);
    for (std::size_t q = 0; q < shape.n_q; ++q) {
      most = std::max(most, keys_in_reach(mask, reach.of({q, q + 1}), shape.n_k));
    }
  }
  return std::min(most, shape.n_k);
}

// The shape with a single layer and head unless the rules may differ between them, which is the
// case only for rules given as tensors.
AttentionShape with_own_rules(const Mask& mask, AttentionShape shape) {
  const bool differ = mask.visible.rank() > 2 || mask.bias.rank() > 2 || mask.relative;
  if (!differ) shape.layers = shape.heads = 1;
  return shape;
}

}  // namespace

std::size_t most_visible_keys(const Mask& mask, const AttentionShape& shape) {
  constexpr std::size_t kMostCounted = 250'000;
  if (!can_hide(mask)) return std::max<std::size_t>(shape.n_k, 1);
  const AttentionShape own = with_own_rules(mask, shape);
  const bool few =
      element_count({own.layers, own.samples, own.heads, own.n_q, own.n_k}) <= kMostCounted;
  return std::max<std::size_t>(few ? counted_keys(mask, own) : bounded_keys(mask, own), 1);
}

}  // namespace attn
