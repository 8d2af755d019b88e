// Measures of one head's weights, the labels that follow from them, and the mean weight by
// distance.
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
#include "engine/read/derivation.h"
#include "engine/read/result.h"

namespace attn {

// Identity of tokens: equal numbers are equal tokens. A list may be empty: unknown.
struct TokenIds {
  std::vector<std::size_t> query;  // n_q
  std::vector<std::size_t> key;    // n_k
};

// Weight of one kind of key, averaged over queries that see such a key and another one: a query
// with a single visible key has no choice.
struct Share {
  std::size_t rows = 0;  // queries counted; 0: undefined
  double weight = 0.0;   // mean weight of such keys
  double part = 0.0;     // mean of it as part of the query's weights together
  double equal = 0.0;    // mean under equal weights over the visible keys
};

// Queries excluded from the measures, each counted once.
struct LeftOutRows {
  std::size_t unseeing = 0;    // without a visible key
  std::size_t all_zero = 0;    // with visible keys, but no weight
  std::size_t negative = 0;    // with a negative weight
  std::size_t non_finite = 0;  // with a NaN or infinite weight
  std::size_t concealed = 0;   // rows with a weight that a lesson conceals

  std::size_t count() const { return unseeing + all_zero + negative + non_finite + concealed; }
  LeftOutRows& operator+=(const LeftOutRows& other);
};

// Position of query 0 for measuring distances: the causal offset, limited to integers exact in
// double.
std::int64_t measured_offset(const Mask& mask, std::size_t sample);

// Means over the queries of one head. Query i has position i + causal offset. If queries and keys
// are different sequences without a position rule, measures that need positions are undefined:
// distances, same, previous and next token, symmetry. Entropy and distance use weights divided by
// their sum, so that sinks, sigmoid and rounded weights are comparable; all others use the weights.
// Visible means not hidden by the mask.
struct HeadMeasures {
  std::size_t rows = 0;  // queries counted
  LeftOutRows left_out;

  // Undefined without a query that counts.
  std::optional<double> entropy;             // nats; 0·ln 0 = 0
  std::optional<double> normalised_entropy;  // ÷ ln(visible keys); over queries with 2 or more
  std::optional<double> largest_weight;
  std::optional<double> distance;        // |key − position of the query|, in tokens
  std::optional<double> equal_distance;  // under equal weights over the visible keys

  Share first_token;     // key 0
  Share same_token;      // key at the query's position
  Share previous_token;  // key before it
  Share next_token;      // key after it
  Share induction;       // keys after an earlier occurrence of the query's token

  // 1 − ‖A − Aᵀ‖ / ‖A + Aᵀ‖ (Frobenius) over queries that count: 1 for a symmetric matrix, 0 if no
  // two tokens attend to each other. Only for n_q = n_k and weights that are not all 0.
  std::optional<double> symmetry;

  std::vector<double> row_entropy;  // (n_q) nats; NaN for excluded rows
  std::vector<double> received;     // (n_k) sum of each key's weights
};

// Number of queries read.
inline std::size_t rows_read(const HeadMeasures& measures) {
  return measures.rows + measures.left_out.count();
}

// Reads weights a few rows at a time; for n_q = n_k twice if cells on both sides of the diagonal
// are visible. With a row_step > 1 samples every row_step-th row, without symmetry. Precondition:
// the result has weights and the head exists. Queries and keys beyond the lists of `tokens` have no
// token. Incomplete if progress->cancelled becomes true; `progress` may be null.
HeadMeasures measure_head(const AttentionResult& result, const HeadAddress& head,
                          const TokenIds& tokens = {}, std::size_t row_step = 1,
                          Progress* progress = nullptr);

// Predicted nanoseconds of measuring `rows` rows of one head; saturates.
std::uint64_t nanoseconds_to_measure(const AttentionResult& result, const HeadAddress& at,
                                     std::size_t rows);

// One number of a head, a column of tables and figures.
struct MeasureInfo {
  std::string_view name;                    // name in JSON: "entropy"
  std::array<std::string_view, 2> heading;  // of a column, two lines; a single word is in the
                                            // second
  std::string_view sentence;                // one-line explanation
  bool is_share;                            // within 0 … 1 by definition
  std::optional<double> (*value)(const HeadMeasures&);
};
std::span<const MeasureInfo> all_measures();

// A label of a head, derived from its measures. A head may have several or none.
struct HeadLabelInfo {
  std::string_view name;   // name in JSON: "previous_token"
  std::string_view label;  // "previous token"
  std::string_view rule;   // one sentence without a full stop
  bool (*holds)(const HeadMeasures&);
};
std::span<const HeadLabelInfo> all_head_labels();

// Labels that apply, in the order of the list.
std::vector<const HeadLabelInfo*> labels_of(const HeadMeasures& measures);

// "left out: 2 rows that see no key and 1 row with NaN or infinite weights"; "" if none.
std::string left_out_words(const LeftOutRows& rows);

// Sum over a list of heads; elements have a member `measures`.
template <typename Head>
std::string left_out_words(const std::vector<Head>& heads) {
  LeftOutRows rows;
  for (const Head& head : heads) rows += head.measures.left_out;
  return left_out_words(rows);
}

// Mean weight by the distance from key to query: sums over visible cells by distance query − key:
// offset − (tokens − 1) … offset + tokens − 1, in this order. Rows with a non-finite weight are
// left out.
struct DistanceProfile final : Derivation {
  std::size_t tokens = 0;
  std::int64_t offset = 0;           // query i has position i + offset
  std::vector<double> weight;        // sum of the weights
  std::vector<double> equal;         // sum of equal weights over the visible keys
  std::vector<std::uint64_t> cells;  // number of cells
  std::size_t rows_read = 0;         // queries read; fewer than all: a sample
  std::size_t rows_left_out = 0;
  std::uint64_t concealed = 0;  // cells left out
  std::uint64_t bytes() const override { return cells.size() * 3 * sizeof(double); }

  std::int64_t distance_at(std::size_t index) const {
    return static_cast<std::int64_t>(index) + 1 - static_cast<std::int64_t>(tokens) + offset;
  }
};

// Reason why queries and keys have no distances, as a sentence; "" if they have: both must be one
// sequence.
std::string nothing_at_distances(const AttentionProblem& problem, const HeadAddress& at = {});

// Reads every row_step-th query, in order. Incomplete after cancellation; `progress` may be null.
// Precondition: nothing_at_distances() is empty.
DistanceProfile distance_profile(const AttentionResult& result, const HeadAddress& head,
                                 std::size_t row_step = 1, Progress* progress = nullptr);

}  // namespace attn
