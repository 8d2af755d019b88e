// Evaluation of masks: which rules hide a cell, and the bias of its score.
#include "attention/mask.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/joined.h"

namespace attn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Row q of a broadcast tensor: element k is data[k · step].
template <class T>
struct BroadcastRow {
  const T* data;
  std::size_t step;

  BroadcastRow(const BasicTensor<T>& tensor, const HeadAddress& head, std::size_t q,
               std::size_t first_key)
      : data(tensor.data() + broadcast_index(tensor.shape(), head, q, first_key)),
        step(tensor.shape().back() == 1 ? 0 : 1) {}
  T operator[](std::size_t k) const { return data[k * step]; }
};

// Position of the key minus that of the query, q + offset. Saturates, as extreme offsets would
// overflow.
std::int64_t distance_of(std::size_t q, std::size_t k, std::int64_t offset) {
  const auto apart = static_cast<std::int64_t>(k) - static_cast<std::int64_t>(q);
  std::int64_t distance = 0;
  if (!__builtin_sub_overflow(apart, offset, &distance)) return distance;
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  return offset > 0 ? -kFar : kFar;
}

std::uint64_t magnitude(std::int64_t distance) {
  const auto bits = static_cast<std::uint64_t>(distance);
  return distance < 0 ? std::uint64_t{0} - bits : bits;
}

// Position of query q among the keys. Saturates, as do the functions below.
std::int64_t position_of_query(std::size_t q, std::int64_t offset) {
  return -distance_of(q, 0, offset);
}

std::int64_t moved(std::int64_t position, std::int64_t by) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(position, by, &sum)) return sum;
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  return by < 0 ? -kFar : kFar;
}

// Index of the key at a position; 0 or n_k for positions outside.
std::size_t key_at(std::int64_t position, std::size_t n_k) {
  if (position <= 0) return 0;
  return std::min(static_cast<std::size_t>(position), n_k);
}

// Distance of the farthest key inside one side of the window.
std::int64_t reach_of(std::uint64_t steps, const Window& window) {
  constexpr std::uint64_t kFar = std::numeric_limits<std::int64_t>::max();
  std::uint64_t reach = 0;
  // Distances are divided by the dilation and rounded down.
  if (__builtin_mul_overflow(steps, window.dilation, &reach)) return kFar;
  if (__builtin_add_overflow(reach, window.dilation - 1, &reach)) return kFar;
  return static_cast<std::int64_t>(std::min(reach, kFar));
}

unsigned outside_window(const Window& window, std::int64_t distance) {
  const std::uint64_t far = magnitude(distance);
  const std::optional<std::uint64_t>& reach = distance < 0 ? window.left : window.right;
  unsigned rules = kVisible;
  if (reach && far / window.dilation > *reach) rules |= kHiddenByWindow;
  if (far % window.dilation != 0) rules |= kHiddenByDilation;
  return rules;
}

const std::vector<std::int64_t>* key_segments(const Mask& mask, std::size_t sample) {
  return list_of(mask.key_segments.empty() ? mask.query_segments : mask.key_segments, sample);
}

// Rules of distances and segments that hide a cell.
unsigned hidden_by_place(const Mask& mask, std::size_t sample, std::size_t q, std::size_t k) {
  unsigned rules = kVisible;
  const std::int64_t offset = mask.offset_of(sample);
  // Compares a difference because extreme offsets would overflow.
  const bool is_later = static_cast<std::int64_t>(k) - static_cast<std::int64_t>(q) > offset;
  if (mask.causal && is_later && k >= mask.prefix_of(sample)) rules |= kHiddenByCausal;
  if (mask.window && k >= mask.sink_tokens) {
    rules |= outside_window(*mask.window, distance_of(q, k, offset));
  }
  if (const auto* queries = list_of(mask.query_segments, sample)) {
    if ((*queries)[q] != (*key_segments(mask, sample))[k]) rules |= kHiddenBySegment;
  }
  return rules;
}

float alibi_at(const Mask& mask, const HeadAddress& head, std::int64_t distance) {
  const std::vector<float>& slopes = *mask.alibi;
  const float slope = slopes[slopes.size() == 1 ? 0 : head.head];
  return -slope * static_cast<float>(magnitude(distance));
}

// Row of the table for key − query position. Precondition: at least 2 buckets, 4 if bidirectional.
std::size_t relative_bucket(const RelativeBias& bias, std::int64_t distance) {
  std::size_t buckets = bias.table.extent(0);
  std::size_t first = 0;
  std::uint64_t far = distance < 0 ? magnitude(distance) : 0;
  if (bias.bidirectional) {
    buckets /= 2;
    first = distance > 0 ? buckets : 0;
    far = magnitude(distance);
  }
  const std::size_t exact = buckets / 2;
  if (far < exact) return first + far;
  // Distances exactly on the border of a bucket must not be rounded down.
  constexpr double kBorder = 1e-9;
  const auto from = static_cast<double>(exact);
  const double share = std::log(static_cast<double>(far) / from) /
                       std::log(static_cast<double>(bias.max_distance) / from);
  const double step = std::floor(share * static_cast<double>(buckets - exact) + kBorder);
  const double last = static_cast<double>(buckets - 1 - exact);
  return first + exact + static_cast<std::size_t>(std::min(step, last));
}

float relative_at(const RelativeBias& bias, const HeadAddress& head, std::int64_t distance) {
  const std::size_t columns = bias.table.extent(1);
  const std::size_t column = columns == 1 ? 0 : head.head;
  return bias.table[relative_bucket(bias, distance) * columns + column];
}

// A range of keys and the rules that hide them.
struct RuledKeys {
  std::span<HiddenRules> rules;
  std::size_t first_key;

  std::size_t end() const { return first_key + rules.size(); }
  void hide(std::size_t from, std::size_t to, HiddenRule rule) const {
    const std::size_t last = std::clamp(to, first_key, end());
    for (std::size_t k = std::clamp(from, first_key, last); k < last; ++k) {
      rules[k - first_key] |= rule;
    }
  }
};

void hide_later_keys(const Mask& mask, std::size_t sample, std::size_t q, const RuledKeys& keys) {
  const std::int64_t position = position_of_query(q, mask.offset_of(sample));
  const std::size_t first = key_at(moved(position, 1), keys.end());
  keys.hide(std::max<std::size_t>(first, mask.prefix_of(sample)), keys.end(), kHiddenByCausal);
}

// Hides all keys whose distance is no multiple of the dilation.
void hide_by_dilation(const Mask& mask, std::int64_t offset, std::size_t q, const RuledKeys& keys) {
  const std::uint64_t step = mask.window->dilation;
  const std::size_t first = std::max<std::size_t>(mask.sink_tokens, keys.first_key);
  if (first >= keys.end()) return;
  keys.hide(first, keys.end(), kHiddenByDilation);
  const std::int64_t distance = distance_of(q, first, offset);
  const std::uint64_t beyond = magnitude(distance) % step;
  const std::uint64_t nearest = distance > 0 && beyond > 0 ? step - beyond : beyond;
  const std::span<HiddenRules> rules = keys.rules.subspan(first - keys.first_key);
  for (std::uint64_t k = nearest; k < rules.size();
       k += std::min<std::uint64_t>(step, rules.size())) {
    rules[k] &= static_cast<HiddenRules>(~kHiddenByDilation);
  }
}

void hide_outside_window(const Mask& mask, std::size_t sample, std::size_t q,
                         const RuledKeys& keys) {
  const Window& window = *mask.window;
  const std::int64_t offset = mask.offset_of(sample);
  if (window.dilation > 1) hide_by_dilation(mask, offset, q, keys);
  const std::int64_t position = position_of_query(q, offset);
  if (window.left) {
    const std::size_t first = key_at(moved(position, -reach_of(*window.left, window)), keys.end());
    keys.hide(mask.sink_tokens, first, kHiddenByWindow);
  }
  if (!window.right) return;
  const std::int64_t last = moved(position, reach_of(*window.right, window));
  const std::size_t past_last = key_at(moved(last, 1), keys.end());
  keys.hide(std::max<std::size_t>(past_last, mask.sink_tokens), keys.end(), kHiddenByWindow);
}

void hide_other_segments(const Mask& mask, std::size_t sample, std::size_t q,
                         const RuledKeys& keys) {
  const std::int64_t* of_key = key_segments(mask, sample)->data() + keys.first_key;
  const std::int64_t segment = (*list_of(mask.query_segments, sample))[q];
  for (std::size_t k = 0; k < keys.rules.size(); ++k) {
    keys.rules[k] |= of_key[k] != segment ? kHiddenBySegment : kVisible;
  }
}

template <class Values, class Value>
bool contains(const Values& values, Value value) {
  return std::ranges::find(values, value) != values.end();
}

bool has_padding(const PaddingLists& lists, std::size_t sample) {
  const auto* list = list_of(lists, sample);
  return list != nullptr && contains(*list, 0);
}

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

std::int64_t Mask::offset_of(std::size_t sample) const {
  const std::int64_t* offset = list_of(causal_offset, sample);
  return offset == nullptr ? 0 : *offset;
}

std::uint64_t Mask::prefix_of(std::size_t sample) const {
  const std::uint64_t* keys = list_of(prefix, sample);
  return keys == nullptr ? 0 : *keys;
}

Mask with_slopes(Mask mask, std::size_t heads) {
  if (!mask.alibi || !mask.alibi->empty()) return mask;
  const std::size_t whole = std::bit_floor(heads);
  std::vector<float>& slopes = *mask.alibi;
  const auto add = [&](std::size_t of, std::size_t i) {
    const double exponent = -8.0 * static_cast<double>(i + 1) / static_cast<double>(of);
    slopes.push_back(static_cast<float>(std::exp2(exponent)));
  };
  for (std::size_t i = 0; i < whole; ++i) add(whole, i);
  for (std::size_t i = 0; slopes.size() < heads; i += 2) add(2 * whole, i);
  return mask;
}

std::span<const HiddenRuleInfo> all_hidden_rules() {
  static constexpr std::array<HiddenRuleInfo, 8> kRules{{
      {kHiddenByCausal, "causal mask"},
      {kHiddenByWindow, "sliding window"},
      {kHiddenByDilation, "dilation"},
      {kHiddenBySegment, "segments"},
      {kHiddenByKeyPadding, "key padding"},
      {kHiddenByQueryPadding, "query padding"},
      {kHiddenByHand, "painted cells"},
      {kHiddenByBias, "a bias of -inf"},
  }};
  return kRules;
}

bool has_bias(const Mask& mask) {
  return !mask.bias.empty() || mask.alibi.has_value() || mask.relative.has_value();
}

HiddenRules rules_of(const Mask& mask, std::size_t sample) {
  HiddenRules rules = kVisible;
  if (mask.causal) rules |= kHiddenByCausal;
  if (mask.window && (mask.window->left || mask.window->right)) rules |= kHiddenByWindow;
  if (mask.window && mask.window->dilation > 1) rules |= kHiddenByDilation;
  if (!mask.query_segments.empty()) rules |= kHiddenBySegment;
  if (has_padding(mask.key_padding, sample)) rules |= kHiddenByKeyPadding;
  if (has_padding(mask.query_padding, sample)) rules |= kHiddenByQueryPadding;
  if (contains(mask.visible.values(), 0)) rules |= kHiddenByHand;
  const bool by_distance = mask.relative && contains(mask.relative->table.values(), kMinusInfinity);
  if (by_distance || contains(mask.bias.values(), kMinusInfinity)) rules |= kHiddenByBias;
  return rules;
}

bool can_hide(const Mask& mask) {
  return mask.causal || mask.window || !mask.query_segments.empty() || !mask.key_padding.empty() ||
         !mask.query_padding.empty() || !mask.visible.empty() || !mask.bias.empty() ||
         mask.relative.has_value();
}

Mask mask_of_layer(Mask mask, std::size_t layer) {
  const auto cut = [layer](auto& map) {
    if (map.rank() > 4) map = map.part(map.extent(0) == 1 ? 0 : layer);
  };
  cut(mask.visible);
  cut(mask.bias);
  return mask;
}

std::size_t broadcast_index(const Shape& shape, const HeadAddress& head, std::size_t q,
                            std::size_t k) {
  const std::array<std::size_t, 5> position{head.layer, head.sample, head.head, q, k};
  assert(!shape.empty() && shape.size() <= position.size());
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::size_t at = shape[axis] == 1 ? 0 : position[position.size() - shape.size() + axis];
    index = index * shape[axis] + at;
  }
  return index;
}

HiddenRules hidden_by(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k) {
  unsigned rules = hidden_by_place(mask, head.sample, q, k);
  const auto* keys = list_of(mask.key_padding, head.sample);
  if (keys != nullptr && (*keys)[k] == 0) rules |= kHiddenByKeyPadding;
  const auto* queries = list_of(mask.query_padding, head.sample);
  if (queries != nullptr && (*queries)[q] == 0) rules |= kHiddenByQueryPadding;
  if (!mask.visible.empty() &&
      mask.visible[broadcast_index(mask.visible.shape(), head, q, k)] == 0) {
    rules |= kHiddenByHand;
  }
  if (bias_at(mask, head, q, k) == kMinusInfinity) rules |= kHiddenByBias;
  return static_cast<HiddenRules>(rules);
}

std::string hidden_sentence(HiddenRules rules) {
  std::vector<std::string> names;
  for (const HiddenRuleInfo& entry : all_hidden_rules()) {
    if ((rules & entry.rule) != 0) names.emplace_back(entry.name);
  }
  return names.empty() ? "" : "hidden by " + listed(names);
}

float bias_at(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k) {
  float bias = 0.0F;
  if (!mask.bias.empty()) bias = mask.bias[broadcast_index(mask.bias.shape(), head, q, k)];
  if (!mask.alibi && !mask.relative) return bias;
  const std::int64_t distance = distance_of(q, k, mask.offset_of(head.sample));
  if (mask.alibi) bias += alibi_at(mask, head, distance);
  if (mask.relative) bias += relative_at(*mask.relative, head, distance);
  return bias;
}

void bias_row(const Mask& mask, const HeadAddress& head, std::size_t q, std::span<float> bias,
              std::size_t first_key) {
  std::ranges::fill(bias, 0.0F);
  if (!mask.bias.empty()) {
    const BroadcastRow<float> row(mask.bias, head, q, first_key);
    for (std::size_t k = 0; k < bias.size(); ++k) bias[k] = row[k];
  }
  if (!mask.alibi && !mask.relative) return;
  const std::int64_t offset = mask.offset_of(head.sample);
  for (std::size_t k = 0; k < bias.size(); ++k) {
    const std::int64_t distance = distance_of(q, first_key + k, offset);
    if (mask.alibi) bias[k] += alibi_at(mask, head, distance);
    if (mask.relative) bias[k] += relative_at(*mask.relative, head, distance);
  }
}

std::size_t hidden_row(const Mask& mask, const HeadAddress& head, std::size_t q,
                       std::span<HiddenRules> rules, std::size_t first_key) {
  const auto* queries = list_of(mask.query_padding, head.sample);
  const bool padded = queries != nullptr && (*queries)[q] == 0;
  std::ranges::fill(rules, padded ? kHiddenByQueryPadding : kVisible);
  if (!can_hide(mask)) return rules.size();
  const RuledKeys ruled{rules, first_key};
  if (mask.causal) hide_later_keys(mask, head.sample, q, ruled);
  if (mask.window) hide_outside_window(mask, head.sample, q, ruled);
  if (!mask.query_segments.empty()) hide_other_segments(mask, head.sample, q, ruled);
  if (const auto* keys = list_of(mask.key_padding, head.sample)) {
    for (std::size_t k = 0; k < rules.size(); ++k) {
      if ((*keys)[first_key + k] == 0) rules[k] |= kHiddenByKeyPadding;
    }
  }
  if (!mask.visible.empty()) {
    const BroadcastRow<std::uint8_t> visible(mask.visible, head, q, first_key);
    for (std::size_t k = 0; k < rules.size(); ++k) {
      if (visible[k] == 0) rules[k] |= kHiddenByHand;
    }
  }
  if (!mask.bias.empty() || mask.relative) {
    for (std::size_t k = 0; k < rules.size(); ++k) {
      if (bias_at(mask, head, q, first_key + k) == kMinusInfinity) rules[k] |= kHiddenByBias;
    }
  }
  return static_cast<std::size_t>(std::ranges::count(rules, HiddenRules{kVisible}));
}

KeySpan reachable_keys(const Mask& mask, std::size_t sample, const RowSpan& queries,
                       std::size_t n_k) {
  KeySpan keys{0, n_k};
  if (queries.begin >= queries.end) return keys;
  const std::int64_t offset = mask.offset_of(sample);
  const auto place = [offset](std::size_t q) { return position_of_query(q, offset); };
  if (mask.causal) {
    const std::size_t past_last = key_at(moved(place(queries.end - 1), 1), n_k);
    keys.end = std::max(past_last, std::min<std::size_t>(mask.prefix_of(sample), n_k));
  }
  if (!mask.window) return keys;
  const Window& window = *mask.window;
  const std::size_t always = std::min<std::size_t>(mask.sink_tokens, n_k);
  if (window.right) {
    const std::int64_t last = moved(place(queries.end - 1), reach_of(*window.right, window));
    keys.end = std::min(keys.end, std::max(key_at(moved(last, 1), n_k), always));
  }
  if (window.left && always == 0) {
    keys.begin = key_at(moved(place(queries.begin), -reach_of(*window.left, window)), n_k);
  }
  return {std::min(keys.begin, keys.end), keys.end};
}

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
