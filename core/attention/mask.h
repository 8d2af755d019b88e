// Which key a query may attend to, by which rule it may not, and which keys it sees at most.
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

// One list of flags for all samples, or one list per sample; empty: no such rule. 1 = a real token.
using PaddingLists = std::vector<std::vector<std::uint8_t>>;

// One list of document numbers for all samples, or one list per sample; empty: no such rule.
using SegmentLists = std::vector<std::vector<std::int64_t>>;

// That of a sample; null without any.
template <class List>
const List* list_of(const std::vector<List>& lists, std::size_t sample) {
  if (lists.empty()) return nullptr;
  return &lists[lists.size() == 1 ? 0 : sample];
}

// Query i stands at position i + offset among the keys (see Mask::causal_offset). Key j is inside
// when the distance j − position is a multiple of `dilation` and −left <= distance / dilation <=
// right (Beltagy et al. 2020).
struct Window {
  std::optional<std::uint64_t> left;   // absent: without end
  std::optional<std::uint64_t> right;  // absent: without end
  std::uint64_t dilation = 1;          // >= 1
  friend bool operator==(const Window&, const Window&) = default;
};

// T5's relative position bias (Raffel et al. 2020): near distances have a bucket each, far ones
// share buckets that widen logarithmically up to max_distance.
struct RelativeBias {
  Tensor table;                      // (buckets, heads), or (buckets, 1) for all heads
  bool bidirectional = true;         // half of the buckets for keys after the query
  std::uint64_t max_distance = 128;  // from here on all share the last bucket
  friend bool operator==(const RelativeBias&, const RelativeBias&) = default;
};

// Everything that hides or biases scores; a cell is visible when every rule agrees. A value.
struct Mask {
  bool causal = false;                      // key j visible to query i when j <= i + offset
  std::vector<std::int64_t> causal_offset;  // none (0), one, or one per sample
  std::vector<std::uint64_t> prefix;        // as many; so many first keys escape the causal rule
  std::optional<Window> window;
  std::uint64_t sink_tokens = 0;  // so many first keys escape the window (Xiao et al. 2024)
  SegmentLists query_segments;    // lists of n_q: a query sees only keys of its own segment
  SegmentLists key_segments;      // lists of n_k; empty: the queries' serve
  PaddingLists key_padding;       // lists of n_k
  PaddingLists query_padding;     // lists of n_q; a padded query sees no key
  BoolTensor visible;             // broadcasts right-aligned to (samples, heads, n_q, n_k)
  Tensor bias;                    // broadcasts as `visible`; added after the scale; -inf hides

  // ALiBi (Press et al. 2022): −slope · |distance| is added. One slope per head; no slopes: the
  // standard ones, which with_slopes fills in.
  std::optional<std::vector<float>> alibi;
  std::optional<RelativeBias> relative;

  std::int64_t offset_of(std::size_t sample) const;
  std::uint64_t prefix_of(std::size_t sample) const;
  friend bool operator==(const Mask&, const Mask&) = default;
};

// The slopes of the ALiBi paper: a geometric sequence for a power of two of heads, and those of the
// next smaller and larger powers mixed for other numbers.
std::vector<float> standard_alibi_slopes(std::size_t heads);

// `mask` with the standard slopes where it asks for ALiBi without naming slopes. The functions
// below need it so.
Mask with_slopes(Mask mask, std::size_t heads);

// The row of RelativeBias::table for key − query position. Precondition: at least 2 buckets, 4 when
// bidirectional.
std::size_t relative_bucket(const RelativeBias& bias, std::int64_t distance);

// The rules that hide one cell, as bits.
enum HiddenRule : std::uint8_t {
  kVisible = 0,
  kHiddenByCausal = 1,
  kHiddenByKeyPadding = 2,
  kHiddenByQueryPadding = 4,
  kHiddenByHand = 8,       // `visible` is false there
  kHiddenByBias = 16,      // the bias is -inf there, the usual way to hide by adding
  kHiddenByWindow = 32,    // too far from the query
  kHiddenByDilation = 64,  // between the keys that a dilated window takes
  kHiddenBySegment = 128,  // of another segment
};
using HiddenRules = std::uint8_t;

struct HiddenRuleInfo {
  HiddenRule rule;
  std::string_view name;  // after "hidden by": "causal mask"
};

// Every rule, in the order in which they are told.
std::span<const HiddenRuleInfo> all_hidden_rules();

// True when some rule could hide a cell.
bool can_hide(const Mask& mask);

// The rules by which a mask may hide cells of a sample.
HiddenRules rules_of(const Mask& mask, std::size_t sample);

// Which rules hide key k from query q. Pure; nothing of size n² is needed for it.
HiddenRules hidden_by(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k);

// "hidden by causal mask", "hidden by causal mask and key padding"; "" when visible.
std::string hidden_sentence(HiddenRules rules);

// True when something is added to scores.
bool has_bias(const Mask& mask);

// What is added to the score of one cell: the explicit bias + ALiBi + relative bias, in this order;
// 0 without one.
float bias_at(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k);

// bias_at for keys [first_key, first_key + bias.size()) of row q at once.
void bias_row(const Mask& mask, const HeadAddress& head, std::size_t q, std::span<float> bias,
              std::size_t first_key = 0);

// Position in `tensor` of the element that broadcasts, right-aligned, to (sample, head, q, k).
// Extents of 1 repeat. Precondition: rank 1 … 4.
std::size_t broadcast_index(const Shape& shape, std::size_t sample, std::size_t head, std::size_t q,
                            std::size_t k);

// hidden_by for keys [first_key, first_key + rules.size()) of row q at once. Returns how many of
// them are visible.
std::size_t hidden_row(const Mask& mask, const HeadAddress& head, std::size_t q,
                       std::span<HiddenRules> rules, std::size_t first_key = 0);

// Rows, or keys, [begin, end).
struct RowSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};
using KeySpan = RowSpan;

// No query of the span sees a key outside of these, by what the causal rule and the window say;
// others of the rules may hide keys inside.
KeySpan reachable_keys(const Mask& mask, std::size_t sample, const RowSpan& queries,
                       std::size_t n_k);

// Of one sample, by what its rules say about places, segments and padding; others of the rules may
// hide keys inside. Made once for all queries. The mask is borrowed.
class KeyReach {
 public:
  KeyReach(const Mask& mask, std::size_t sample, std::size_t n_k);

  // No query of the span sees a key outside of these.
  KeySpan of(const RowSpan& queries) const;

  // Every query sees exactly of() itself: no rule hides a key inside.
  bool is_exact() const { return is_exact_; }

 private:
  KeySpan keys_of_segments(const RowSpan& queries) const;

  const Mask& mask_;
  std::size_t sample_;
  std::size_t n_k_;
  KeySpan real_;                                        // without the padding at both ends
  std::unordered_map<std::int64_t, KeySpan> segments_;  // from a first key to past a last one
  bool is_exact_;
};

}  // namespace attn
