// Scores to output in float for some queries of a head, from packed keys and values. Internal to
// the engine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "attention/mask.h"
#include "engine/kernels/packed_product.h"
#include "engine/kernels/row_kernels.h"

namespace attn {

// Calls each(part) for parts of `range` aligned to chunks of the whole row.
template <class Each>
void for_chunks(const KeySpan& range, std::size_t chunk, Each each) {
  for (std::size_t begin = range.begin; begin < range.end;) {
    const std::size_t end = std::min(range.end, begin - begin % chunk + chunk);
    each(KeySpan{begin, end});
    begin = end;
  }
}

// Queries per block: their scores stay in the cache while keys are read.
inline constexpr std::size_t kBlockQueries = 24;

// Steps from scores to logits of one head, in order. Functions may be called on several threads,
// for any part of a row.
struct LogitRules {
  float scale = 1.0F;
  std::optional<float> softcap;
  // Adds the bias to logits of query q and keys from `first` on; empty: no bias.
  std::function<void(std::size_t q, std::size_t first, std::span<float> logits)> add_bias;
  // Range that contains all visible keys of query q; empty: all keys. Keys outside cost nothing.
  std::function<KeySpan(std::size_t q)> seen;
  // Rules that hide keys from `first` on, in addition to `seen`; empty: none.
  std::function<void(std::size_t q, std::size_t first, std::span<HiddenRules> rules)> hidden;
  float temperature = 1.0F;
  float sink = std::numeric_limits<float>::quiet_NaN();  // divided by the temperature; NaN: none
};

// All queries and keys of a head, and its values.
struct ScoredHead {
  LogitRules rules;
  MatrixView queries;
  const PackedPanels& keys;
  const PackedPanels* values = nullptr;  // needed only for outputs
  bool values_are_finite = true;
};

// Writes logits (after the temperature) of a range of queries and keys; hidden ones are -Inf.
void logits_of(const ScoredHead& head, const CellRange& range, const MutableMatrix& out);

// Maxima of logits found by a pass over the keys: one row per query, one bin per `width` keys. Bins
// must start at -Inf and are only raised; rows with a NaN are meaningless.
struct LogitBins {
  KeySpan keys;
  std::size_t width = 1;
  MutableMatrix largest = {};  // without data: not requested
};

// Sums of some rows, whatever the columns of the range, which determine their weights. An undefined
// sum means that visible weights are NaN.
void sums_of_rows(const ScoredHead& head, const CellRange& rows, std::span<RowSum> sums,
                  const LogitBins& bins = {});

// Weights of a range of queries with known sums and keys.
void weights_of(const ScoredHead& head, const CellRange& range, std::span<const RowSum> sums,
                const MutableMatrix& out);

// Destinations of some rows; without data: not requested.
struct AttentionOut {
  MutableMatrix weights;   // (rows, n_k)
  MutableMatrix output;    // (rows, d_v)
  std::span<RowSum> sums;  // one per row; empty: not requested
};

// Computes some rows of the head, whatever the columns of the range, into the rows of `out`. Bits
// equal those of multiply_packed, scale_row, softcap_row, mask_row, divide_row, softmax and
// multiply_packed in sequence, however rows are split. Uses the thread's scratch memory and, for
// rows of at most kChunkKeys keys, allocates nothing after the first call.
void attend_block(const ScoredHead& head, const CellRange& rows, const AttentionOut& out);

}  // namespace attn
