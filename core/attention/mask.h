// Masks: rules that hide keys from queries, biases of scores, and bounds of the visible keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "attention/stage.h"
#include "base/tensor.h"

namespace attn {

// One list of flags for all samples, or one per sample; empty: no such rule. 1 = a real token.
using PaddingLists = std::vector<std::vector<std::uint8_t>>;

// One list of segment numbers for all samples, or one per sample; empty: no such rule.
using SegmentLists = std::vector<std::vector<std::int64_t>>;

// List or number of a sample; null if there are none.
template <class List>
const List* list_of(const std::vector<List>& lists, std::size_t sample) {
  if (lists.empty()) return nullptr;
  return &lists[lists.size() == 1 ? 0 : sample];
}

// Query i has position i + offset among the keys (see Mask::causal_offset). Key j is inside if the
// distance j − position is a multiple of `dilation` and −left <= distance / dilation <= right
// (Beltagy et al. 2020).
struct Window {
  std::optional<std::uint64_t> left;   // absent: unlimited
  std::optional<std::uint64_t> right;  // absent: unlimited
  std::uint64_t dilation = 1;          // >= 1
  friend bool operator==(const Window&, const Window&) = default;
};

// T5's relative position bias (Raffel et al. 2020): near distances have a bucket each, far ones
// share buckets that widen logarithmically up to max_distance.
struct RelativeBias {
  Tensor table;                      // (buckets, heads), or (buckets, 1) for all heads
  bool bidirectional = true;         // half of the buckets for keys after the query
  std::uint64_t max_distance = 128;  // all distances from here on share the last bucket
  friend bool operator==(const RelativeBias&, const RelativeBias&) = default;
};

// All rules that hide cells or bias scores. A cell is visible if no rule hides it.
struct Mask {
  bool causal = false;                      // key j visible to query i when j <= i + offset
  std::vector<std::int64_t> causal_offset;  // none (0), one, or one per sample
  std::vector<std::uint64_t> prefix;        // none, or one per sample: first keys exempt from the
                                            // causal rule
  std::optional<Window> window;
  std::uint64_t sink_tokens = 0;  // first keys exempt from the window (Xiao et al. 2024)
  SegmentLists query_segments;    // lists of n_q; queries see only keys of their segment
  SegmentLists key_segments;      // lists of n_k; empty: as query_segments
  PaddingLists key_padding;       // lists of n_k
  PaddingLists query_padding;     // lists of n_q; a padded query sees no key
  BoolTensor visible;             // broadcasts right-aligned to (layers, samples, heads, n_q, n_k)
  Tensor bias;                    // broadcasts like `visible`; added after the scale; -inf hides

  // ALiBi (Press et al. 2022): adds −slope · |distance|. One slope per head; an empty list means
  // the standard slopes, which with_slopes() fills in.
  std::optional<std::vector<float>> alibi;
  std::optional<RelativeBias> relative;

  std::int64_t offset_of(std::size_t sample) const;
  std::uint64_t prefix_of(std::size_t sample) const;
  friend bool operator==(const Mask&, const Mask&) = default;
};

// `mask` with the slopes of the ALiBi paper where it has an empty list: a geometric sequence for
// powers of two; for other numbers of heads a mixture of those of the next smaller and larger
// powers. Required by the functions below.
Mask with_slopes(Mask mask, std::size_t heads);

// Rules that hide one cell, as bits.
enum HiddenRule : std::uint8_t {
  kVisible = 0,
  kHiddenByCausal = 1,
  kHiddenByKeyPadding = 2,
  kHiddenByQueryPadding = 4,
  kHiddenByHand = 8,       // `visible` is false
  kHiddenByBias = 16,      // the bias is -inf
  kHiddenByWindow = 32,    // outside of the window
  kHiddenByDilation = 64,  // inside of the window, but skipped by its dilation
  kHiddenBySegment = 128,  // in another segment
};
using HiddenRules = std::uint8_t;

struct HiddenRuleInfo {
  HiddenRule rule;
  std::string_view name;  // as in "hidden by causal mask"
};

// All rules in the order of display.
std::span<const HiddenRuleInfo> all_hidden_rules();

// True if some rule could hide a cell.
bool can_hide(const Mask& mask);

// Rules by which the mask may hide cells of a sample.
HiddenRules rules_of(const Mask& mask, std::size_t sample);

// Rules that hide key k from query q. Needs no storage of size n².
HiddenRules hidden_by(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k);

// "hidden by causal mask", "hidden by causal mask and key padding"; "" if visible.
std::string hidden_sentence(HiddenRules rules);

// True if something is added to scores.
bool has_bias(const Mask& mask);

// Sum that is added to the score of one cell: explicit bias + ALiBi + relative bias, in this order;
// 0 without any.
float bias_at(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k);

// bias_at() of keys [first_key, first_key + bias.size()) of row q.
void bias_row(const Mask& mask, const HeadAddress& head, std::size_t q, std::span<float> bias,
              std::size_t first_key = 0);

// Index in `tensor` of the element that broadcasts, right-aligned, to (layer, sample, head, q, k);
// extents of 1 repeat. Precondition: rank 1 … 5.
std::size_t broadcast_index(const Shape& shape, const HeadAddress& at, std::size_t q,
                            std::size_t k);

// Rules of one layer, as a model with this layer only would have them.
Mask mask_of_layer(Mask mask, std::size_t layer);

// hidden_by() of keys [first_key, first_key + rules.size()) of row q. Returns the number of visible
// keys.
std::size_t hidden_row(const Mask& mask, const HeadAddress& head, std::size_t q,
                       std::span<HiddenRules> rules, std::size_t first_key = 0);

// Rows or keys [begin, end).
struct RowSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};
using KeySpan = RowSpan;

// Range of keys outside of which no query of the span sees any, by causal rule and window. Other
// rules may hide keys inside.
KeySpan reachable_keys(const Mask& mask, std::size_t sample, const RowSpan& queries,
                       std::size_t n_k);

// Visible ranges of keys of one sample, by all rules of position, segment and padding; other rules
// may hide keys inside. Built once for all queries. The mask is borrowed.
class KeyReach {
 public:
  KeyReach(const Mask& mask, std::size_t sample, std::size_t n_k);

  // Range of keys outside of which no query of the span sees any.
  KeySpan of(const RowSpan& queries) const;

  // True if every query sees all keys of of(): no rule hides a key inside.
  bool is_exact() const { return is_exact_; }

 private:
  KeySpan keys_of_segments(const RowSpan& queries) const;

  const Mask& mask_;
  std::size_t sample_;
  std::size_t n_k_;
  KeySpan real_;                                        // range without padding at both ends
  std::unordered_map<std::int64_t, KeySpan> segments_;  // range of the keys of each segment
  bool is_exact_;
};

}  // namespace attn
