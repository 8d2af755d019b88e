// Scores to output in float for some queries of a head, from packed keys and values. Internal to
// the engine.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "attention/mask.h"
#include "engine/kernels/packed_product.h"
#include "engine/kernels/row_kernels.h"

namespace attn {

// Queries that are taken together: their scores stay in the cache while keys pass.
inline constexpr std::size_t kBlockQueries = 24;

// What happens to the logits of one head, in this order. Functions may be called on several threads
// at once, for any part of a row.
struct LogitRules {
  float scale = 1.0F;
  std::optional<float> softcap;
  // Adds what is added to the logits of query q and the keys from `first` on; empty: nothing.
  std::function<void(std::size_t q, std::size_t first, std::span<float> logits)> add_bias;
  // All keys that query q may see are among these; empty: all keys are. Others cost nothing.
  std::function<KeySpan(std::size_t q)> seen;
  // Which rules hide the keys from `first` on, those beside `seen` too; empty: none of `seen`.
  std::function<void(std::size_t q, std::size_t first, std::span<HiddenRules> rules)> hidden;
  float temperature = 1.0F;
  float sink = std::numeric_limits<float>::quiet_NaN();  // divided by the temperature; NaN: none
};

// Some rows of a head: first, first + step, …
struct HeadRows {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t step = 1;

  std::size_t at(std::size_t r) const { return first + r * step; }
};
HeadRows part_of(const HeadRows& rows, std::size_t first, std::size_t count);

// A head's queries, all of them, and its keys.
struct ScoredHead {
  const LogitRules& rules;
  MatrixView queries;
  const PackedPanels& keys;
};

// Writes logits, as they go into the normaliser, of some queries (out.rows of them) and keys
// [first_key, first_key + out.cols): hidden ones are -Inf.
void logits_of(const ScoredHead& head, const HeadRows& rows, std::size_t first_key,
               const MutableMatrix& out);

// Where the largest logits of a pass go, beside its sums: one row for each query, a bin for every
// `width` of the keys. They are raised, so they start with -Inf; those of a row with a NaN say
// nothing.
struct LogitBins {
  KeySpan keys;
  std::size_t width = 1;
  MutableMatrix largest;  // without data: not wanted
};

// The sums of some rows, from which any of their weights follow. Where one is undefined, visible
// weights are NaN.
void sums_of_rows(const ScoredHead& head, const HeadRows& rows, std::span<RowSum> sums,
                  const LogitBins& bins = {});

// Weights of some queries whose sums are known, and of keys [first_key, first_key + out.cols).
void weights_of(const ScoredHead& head, const HeadRows& rows, std::span<const RowSum> sums,
                std::size_t first_key, const MutableMatrix& out);

struct HeadValues {
  const PackedPanels* panels = nullptr;  // null: no output is wanted
  bool are_finite = true;
};

// Where the results of some rows go; without data: nowhere.
struct AttentionOut {
  MutableMatrix weights;     // (rows, n_k)
  MutableMatrix output;      // (rows, d_v)
  bool is_zeroed = false;    // weights hold zeros already: keys beside `seen` are not written
  bool past_caches = false;  // weights are more than caches hold: see scale_row_and_copy
  std::span<RowSum> sums;    // one for each row; empty: not wanted
};

// Some rows of the head into the rows of `out`. The bits are those of multiply_packed, scale_row,
// softcap_row, mask_row, divide_row, softmax and multiply_packed one after the other, for any cut
// into rows. Scratch memory is the thread's; nothing is allocated in rows of at most kChunkKeys
// keys once it is there.
void attend_block(const ScoredHead& head, const HeadValues& values, const HeadRows& rows,
                  const AttentionOut& out);

}  // namespace attn
