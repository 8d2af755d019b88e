// The keys that queries may see at most, so that the others cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "attention/mask.h"

namespace attn {

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
