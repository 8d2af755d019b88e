// What the weights of one head amount to in a few numbers, and the words that follow from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "engine/read/result.h"

namespace attn {

// Which tokens are the same: equal numbers. Either list may be empty: then it is not known.
struct TokenIds {
  std::vector<std::size_t> query;  // n_q
  std::vector<std::size_t> key;    // n_k
};

// How much weight goes to one kind of key, averaged over the queries that see such a key and
// another one: a query that sees a single key has no choice and tells nothing about the head.
struct Share {
  std::size_t rows = 0;  // queries counted; 0: not defined
  double weight = 0.0;   // mean of the weight there
  double equal = 0.0;    // what equal weights over the visible keys would give
};

// Queries that tell nothing about a head, each counted once.
struct LeftOutRows {
  std::size_t unseeing = 0;    // see no key
  std::size_t all_zero = 0;    // see keys, and give weight to none
  std::size_t negative = 0;    // have a negative weight
  std::size_t non_finite = 0;  // have one that is NaN or infinite

  std::size_t count() const { return unseeing + all_zero + negative + non_finite; }
  LeftOutRows& operator+=(const LeftOutRows& other);
};

// How far from its index a query of a sample stands, to whoever measures distances: the causal
// offset, as far as doubles count in ones.
std::int64_t measured_offset(const Mask& mask, std::size_t sample);

// Means over the queries of one head. Query i stands at position i + causal offset.
//
// Where queries and keys are different sequences, and no rule by position relates them, nothing is
// defined that needs their positions: distances, same, previous and next token, symmetry.
// Entropy and distance are those of the weights divided by their sum, so that sinks, sigmoid and
// rounded weights of other programs can be compared; everything else takes the weights as they are.
//
// Visible is what the mask lets through.
struct HeadMeasures {
  std::size_t rows = 0;  // queries counted
  LeftOutRows left_out;

  // Not defined without a query that counts.
  std::optional<double> entropy;             // nats; 0·ln 0 = 0
  std::optional<double> normalised_entropy;  // ÷ ln(visible keys); queries that see 2 or more
  std::optional<double> largest_weight;
  std::optional<double> distance;        // |key − position of the query|, in tokens
  std::optional<double> equal_distance;  // the same for equal weights over the visible keys

  Share first_token;     // key 0
  Share same_token;      // the key at the query's position
  Share previous_token;  // the one before it
  Share next_token;      // the one after it
  Share induction;       // keys before the query that follow an earlier occurrence of its token

  // 1 − ‖A − Aᵀ‖ / ‖A + Aᵀ‖ (Frobenius) over the queries that count: 1 for a symmetric matrix, 0
  // when no two tokens attend to each other. Only with n_q = n_k and weights that are not all 0.
  std::optional<double> symmetry;

  std::vector<double> row_entropy;  // (n_q) nats; NaN for rows left out
  std::vector<double> received;     // (n_k) sum of the weights that each key gets
};

// Queries that were read.
inline std::size_t rows_read(const HeadMeasures& measures) {
  return measures.rows + measures.left_out.count();
}

struct MeasuringOptions {
  std::size_t row_step = 1;      // > 1: one row stands for so many, and there is no symmetry
  Progress* progress = nullptr;  // borrowed; may be null
};

// Reads the weights a few rows at a time; where n_q = n_k, twice where cells on both sides of the
// diagonal are seen. Precondition: the result has weights and the head exists. Queries and keys
// beyond the lists of `tokens` have none. Unfinished when progress->cancelled becomes true.
HeadMeasures measure_head(const AttentionResult& result, const HeadAddress& head,
                          const TokenIds& tokens = {}, const MeasuringOptions& how = {});

// Nanoseconds, about, that measuring so many rows of one head takes; saturates.
std::uint64_t steps_to_measure(const AttentionResult& result, const HeadAddress& at,
                               std::size_t rows);

// One number of a head, for columns of tables and figures.
struct MeasureInfo {
  std::string_view name;                    // "entropy", in JSON
  std::array<std::string_view, 2> heading;  // of a column, two lines; one word stands in the second
  std::string_view sentence;                // what it is, one line
  bool is_share;                            // between 0 and 1 by its nature
  std::optional<double> (*value)(const HeadMeasures&);
};
std::span<const MeasureInfo> all_measures();

// A word for what a head does, found from its numbers. A head may have several or none.
struct HeadLabelInfo {
  std::string_view name;   // "previous_token", in JSON
  std::string_view label;  // "previous token"
  std::string_view rule;   // one sentence, without a full stop
  bool (*holds)(const HeadMeasures&);
};
std::span<const HeadLabelInfo> all_head_labels();

// Those that hold, in the order of the list.
std::vector<const HeadLabelInfo*> labels_of(const HeadMeasures& measures);

// "left out: 2 rows that see no key and 1 row with NaN or infinite weights"; "" without any.
std::string left_out_words(const LeftOutRows& rows);

// Of all heads of a list together; a head is whatever has `measures`.
template <typename Head>
std::string left_out_words(const std::vector<Head>& heads) {
  LeftOutRows rows;
  for (const Head& head : heads) rows += head.measures.left_out;
  return left_out_words(rows);
}

}  // namespace attn
