// Looks through lists of keys once, and asks for the places of queries.
#include "attention/key_reach.h"

#include <algorithm>

namespace attn {
namespace {

KeySpan common(const KeySpan& a, const KeySpan& b) {
  const std::size_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(std::min(a.end, b.end), begin)};
}

KeySpan real_keys(const Mask& mask, std::size_t sample, std::size_t n_k) {
  const auto* padding = list_of(mask.key_padding, sample);
  if (padding == nullptr) return {0, n_k};
  KeySpan keys{0, n_k};
  while (keys.end > 0 && (*padding)[keys.end - 1] == 0) --keys.end;
  while (keys.begin < keys.end && (*padding)[keys.begin] == 0) ++keys.begin;
  return keys;
}

const std::vector<std::int64_t>* key_segments(const Mask& mask, std::size_t sample) {
  return list_of(mask.key_segments.empty() ? mask.query_segments : mask.key_segments, sample);
}

std::unordered_map<std::int64_t, KeySpan> spans_of_segments(const Mask& mask, std::size_t sample) {
  std::unordered_map<std::int64_t, KeySpan> spans;
  if (mask.query_segments.empty()) return spans;
  const std::vector<std::int64_t>& keys = *key_segments(mask, sample);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    spans.try_emplace(keys[k], KeySpan{k, k}).first->second.end = k + 1;
  }
  return spans;
}

bool only_places_hide(const Mask& mask, std::size_t sample) {
  const HiddenRules others =
      rules_of(mask, sample) & static_cast<HiddenRules>(~(kHiddenByCausal | kHiddenByWindow));
  return others == kVisible && (!mask.window || mask.sink_tokens == 0);
}

}  // namespace

KeyReach::KeyReach(const Mask& mask, std::size_t sample, std::size_t n_k)
    : mask_(mask),
      sample_(sample),
      n_k_(n_k),
      real_(real_keys(mask, sample, n_k)),
      segments_(spans_of_segments(mask, sample)),
      is_exact_(only_places_hide(mask, sample)) {}

KeySpan KeyReach::of(const RowSpan& queries) const {
  const KeySpan placed = common(reachable_keys(mask_, sample_, queries, n_k_), real_);
  return segments_.empty() ? placed : common(placed, keys_of_segments(queries));
}

KeySpan KeyReach::keys_of_segments(const RowSpan& queries) const {
  const std::vector<std::int64_t>& of_queries = *list_of(mask_.query_segments, sample_);
  KeySpan all{n_k_, 0};
  for (std::size_t q = queries.begin; q < queries.end; ++q) {
    const auto found = segments_.find(of_queries[q]);
    if (found == segments_.end()) continue;
    all = {std::min(all.begin, found->second.begin), std::max(all.end, found->second.end)};
  }
  return all.begin < all.end ? all : KeySpan{};
}

}  // namespace attn
