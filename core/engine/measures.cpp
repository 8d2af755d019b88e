// Measures of a head from rows of weights, read several at a time.
#include "engine/measures.h"

#include <algorithm>
#include <cmath>

#include "attention/mask.h"
#include "base/joined.h"
#include "base/quotient_up.h"
#include "base/special_numbers.h"
#include "engine/kernels/parallel.h"

namespace attn {
namespace {

constexpr float kShareOfRows = 0.7F;  // share of time; the rest is for symmetry

// --- which keys a query sees -----------------------------------------------------------------

// True if query i and key i (plus offset) are tokens of one sequence; for cross-attention only if a
// position rule relates them.
bool positions_correspond(const AttentionProblem& problem, const HeadAddress& at) {
  const Mask& mask = mask_of(problem, at);
  return !joins_two_sequences(problem, at) || mask.causal || mask.window || mask.alibi ||
         mask.relative || is_turned(position_of(problem, at));
}

// Weights and visibility of one query, over its reachable keys.
struct MeasuredRow : WeightRow {
  MeasuredRow(const WeightRow& row, std::int64_t offset)
      : WeightRow(row), position(static_cast<std::int64_t>(row.query) + offset) {}

  std::int64_t position;
  double sum = 0.0;  // sum of the weights

  std::int64_t first_key() const { return static_cast<std::int64_t>(first); }
  double weight_at(std::int64_t key) const {
    return static_cast<double>(weights[static_cast<std::size_t>(key - first_key())]);
  }
};

// True if the key exists and is visible.
bool sees(const MeasuredRow& row, std::int64_t key) {
  const std::int64_t at = key - row.first_key();
  return at >= 0 && at < static_cast<std::int64_t>(row.rules.size()) &&
         row.rules[static_cast<std::size_t>(at)] == kVisible;
}

// Reason why the row is excluded; null if it counts. Sums its weights.
std::size_t LeftOutRows::*reason_to_leave_out(MeasuredRow& row) {
  if (row.seen == 0) return &LeftOutRows::unseeing;
  row.sum = 0.0;
  bool is_negative = false;
  for (const float weight : row.weights) {
    const NumberKind kind = number_kind(weight);
    if (kind == NumberKind::Concealed) return &LeftOutRows::concealed;
    if (kind != NumberKind::Number) return &LeftOutRows::non_finite;
    is_negative = is_negative || weight < 0.0F;
    row.sum += static_cast<double>(weight);
  }
  if (is_negative) return &LeftOutRows::negative;
  return row.sum > 0.0 ? nullptr : &LeftOutRows::all_zero;
}

// --- sums over rows --------------------------------------------------------------------------

// Adds one row's weight at the given keys to sums, to become means. Rows with a single visible key
// do not count.
void add_to(Share& share, const MeasuredRow& row, double weight, std::size_t keys) {
  if (keys == 0 || row.seen < 2) return;
  ++share.rows;
  share.weight += weight;
  share.part += weight / row.sum;
  share.equal += static_cast<double>(keys) / static_cast<double>(row.seen);
}

void add_key(Share& share, const MeasuredRow& row, std::int64_t key) {
  if (sees(row, key)) add_to(share, row, row.weight_at(key), 1);
}

std::optional<double> mean(double sum, std::size_t count) {
  return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

// H(w / Σw) = ln Σw − Σ w ln w / Σw.
double row_entropy_of(const MeasuredRow& row) {
  double sum = 0.0;
  for (const float weight : row.weights) {
    if (weight > 0.0F) sum += static_cast<double>(weight) * std::log(static_cast<double>(weight));
  }
  return std::max(0.0, std::log(row.sum) - sum / row.sum);
}

// Positions of each token among the keys, ascending.
std::vector<std::vector<std::size_t>> places_by_token(const std::vector<std::size_t>& keys) {
  std::size_t kinds = 0;
  for (const std::size_t id : keys) kinds = std::max(kinds, id + 1);
  std::vector<std::vector<std::size_t>> places(kinds);
  for (std::size_t k = 0; k < keys.size(); ++k) places[keys[k]].push_back(k);
  return places;
}

// `places`: where the row's token occurs.
void add_induction(Share& share, const MeasuredRow& row, const std::vector<std::size_t>& places) {
  double weight = 0.0;
  std::size_t keys = 0;
  for (const std::size_t place : places) {
    const auto next = static_cast<std::int64_t>(place) + 1;
    if (next >= row.position) break;
    if (!sees(row, next)) continue;
    ++keys;
    weight += row.weight_at(next);
  }
  add_to(share, row, weight, keys);
}

// Sums gathered in one pass over the rows.
struct WeightSums {
  HeadMeasures& measures;  // whose shares are sums until finish()
  bool has_positions;      // positions correspond
  double entropy = 0.0, normalised_entropy = 0.0, largest_weight = 0.0;
  double distance = 0.0, equal_distance = 0.0;
  std::size_t choices = 0;  // rows that see several keys

  void add(const MeasuredRow& row, double entropy_nats) {
    entropy += entropy_nats;
    if (row.seen > 1) {
      normalised_entropy += entropy_nats / std::log(static_cast<double>(row.seen));
      ++choices;
    }
    largest_weight += static_cast<double>(*std::ranges::max_element(row.weights));
    add_key(measures.first_token, row, 0);
    if (!has_positions) return;
    add_distances(row);
    add_key(measures.same_token, row, row.position);
    add_key(measures.previous_token, row, row.position - 1);
    add_key(measures.next_token, row, row.position + 1);
  }

  void add_distances(const MeasuredRow& row) {
    double weighted = 0.0, equal = 0.0;
    std::int64_t from_query = row.first_key() - row.position;
    for (std::size_t k = 0; k < row.weights.size(); ++k, ++from_query) {
      const auto away = static_cast<double>(std::abs(from_query));
      weighted += away * static_cast<double>(row.weights[k]);
      if (row.rules[k] == kVisible) equal += away;
    }
    distance += weighted / row.sum;
    equal_distance += equal / static_cast<double>(row.seen);
  }

  void finish() const {
    HeadMeasures& m = measures;
    m.entropy = mean(entropy, m.rows);
    m.normalised_entropy = mean(normalised_entropy, choices);
    m.largest_weight = mean(largest_weight, m.rows);
    m.distance = mean(distance, has_positions ? m.rows : 0);
    m.equal_distance = mean(equal_distance, has_positions ? m.rows : 0);
    for (Share* share :
         {&m.first_token, &m.same_token, &m.previous_token, &m.next_token, &m.induction}) {
      if (share->rows == 0) continue;
      share->weight /= static_cast<double>(share->rows);
      share->part /= static_cast<double>(share->rows);
      share->equal /= static_cast<double>(share->rows);
    }
  }
};

// --- symmetry --------------------------------------------------------------------------------

// Σ A_ij · A_ji over two squares of cells, (rows, cols) and (cols, rows), of rows that count.
double products_of_mirrored(std::span<const float> upper, std::span<const float> lower,
                            std::span<const double> row_entropy,
                            std::span<const double> col_entropy) {
  double sum = 0.0;
  for (std::size_t r = 0; r < row_entropy.size(); ++r) {
    for (std::size_t c = 0; c < col_entropy.size(); ++c) {
      if (std::isnan(row_entropy[r]) || std::isnan(col_entropy[c])) continue;
      sum += static_cast<double>(upper[r * col_entropy.size() + c]) *
             static_cast<double>(lower[c * row_entropy.size() + r]);
    }
  }
  return sum;
}

// Σ A_ij · A_ji over all cells of rows that count, tile by tile with the mirrored tile. Skips pairs
// of tiles one of which is hidden: at least half of a causal map.
double mirrored_sum(const AttentionResult& result, const HeadAddress& head,
                    std::span<const double> entropy, Progress* progress) {
  constexpr std::size_t kSide = 256;
  const auto tile = [&](std::size_t first) {
    return RowSpan{first, std::min(first + kSide, entropy.size())};
  };
  const auto is_reached = [&](const RowSpan& rows, const RowSpan& cols) {
    const KeySpan keys = keys_reached(result.problem(), head, rows);
    return keys.begin < cols.end && cols.begin < keys.end;
  };
  std::vector<float> upper, lower;
  const auto read = [&](const RowSpan& rows, const RowSpan& cols, std::vector<float>& cells) {
    cells.resize((rows.end - rows.begin) * (cols.end - cols.begin));
    result.read(Stage::Weights, head,
                {rows.begin, cols.begin, rows.end - rows.begin, cols.end - cols.begin},
                cells.data());
  };
  double sum = 0.0;
  for (std::size_t row = 0; row < entropy.size() && !is_cancelled(progress); row += kSide) {
    report(progress, row, entropy.size());
    for (std::size_t col = row; col < entropy.size(); col += kSide) {
      const RowSpan rows = tile(row), cols = tile(col);
      if (!is_reached(rows, cols) || !is_reached(cols, rows)) continue;
      read(rows, cols, upper);
      read(cols, rows, lower);
      sum += (row == col ? 1.0 : 2.0) *
             products_of_mirrored(upper, lower, entropy.subspan(rows.begin, rows.end - rows.begin),
                                  entropy.subspan(cols.begin, cols.end - cols.begin));
    }
  }
  return sum;
}

// 1 − ‖A − Aᵀ‖ / ‖A + Aᵀ‖ from ‖A ∓ Aᵀ‖² = 2 Σ A² ∓ 2 Σ A · Aᵀ. `squares` holds Σ A² by key.
std::optional<double> symmetry_of(const std::vector<double>& squares,
                                  const std::vector<double>& row_entropy, double mirrored) {
  double sum = 0.0;
  for (std::size_t key = 0; key < squares.size(); ++key) {
    if (!std::isnan(row_entropy[key])) sum += squares[key];
  }
  if (!(sum > 0.0)) return std::nullopt;
  return 1.0 - std::sqrt(std::max(sum - mirrored, 0.0) / (sum + mirrored));
}

void add_to_keys(const MeasuredRow& row, std::vector<double>& sums, std::vector<double>& squares) {
  std::size_t key = row.first;
  for (const float cell : row.weights) {
    const auto weight = static_cast<double>(cell);
    sums[key] += weight;
    squares[key++] += weight * weight;
  }
}

// --- distances --------------------------------------------------------------------------------

void add_diagonals(DistanceProfile& profile, const WeightRow& row) {
  if (row.seen == 0) return;
  if (std::ranges::any_of(row.weights, is_no_number)) {
    ++profile.rows_left_out;
    return;
  }
  const double equal = 1.0 / static_cast<double>(row.seen);
  for (std::size_t k = 0; k < row.weights.size(); ++k) {
    if (row.rules[k] != kVisible) continue;
    if (number_kind(row.weights[k]) == NumberKind::Concealed) {
      ++profile.concealed;
      continue;
    }
    const std::size_t at = row.query + profile.tokens - 1 - (row.first + k);
    profile.weight[at] += static_cast<double>(row.weights[k]);
    profile.equal[at] += equal;
    ++profile.cells[at];
  }
}

// --- lists -----------------------------------------------------------------------------------

std::optional<double> weight_of(const Share& share) {
  return share.rows > 0 ? std::optional(share.weight) : std::nullopt;
}

// Thresholds are well above the value of uniform weights, so that short sequences do not mislead.
bool stands_out(const Share& share, double least) {
  return share.rows > 0 && share.part >= least && share.part >= 2.0 * share.equal;
}

constexpr double kMost = 0.5, kInduction = 0.4, kNear = 2.0, kUniform = 0.95;

bool is_local(const HeadMeasures& m) {
  return m.distance && *m.equal_distance > 0.0 && *m.distance <= kNear &&
         *m.distance <= 0.5 * *m.equal_distance;
}

using M = HeadMeasures;

constexpr std::array<std::string_view, 2> lines(std::string_view first, std::string_view second) {
  return {first, second};
}

constexpr auto kMeasures = std::to_array<MeasureInfo>({
    {"entropy", lines("Entropy,", "nats"),
     "Mean entropy of the queries' weights in nats (1 nat is 1.44 bits)", false,
     [](const M& m) { return m.entropy; }},
    {"normalised_entropy", lines("Entropy,", "share of max"),
     "Mean entropy as a share of the largest possible, ln(number of visible keys)", true,
     [](const M& m) { return m.normalised_entropy; }},
    {"largest_weight", lines("Largest", "weight"), "Mean of each query's largest weight", true,
     [](const M& m) { return m.largest_weight; }},
    {"distance", lines("Mean", "distance"), "Mean distance between query and key in tokens", false,
     [](const M& m) { return m.distance; }},
    {"first_token", lines("First", "token"), "Mean weight on the first token", true,
     [](const M& m) { return weight_of(m.first_token); }},
    {"same_token", lines("Same", "token"), "Mean weight on the query's own position", true,
     [](const M& m) { return weight_of(m.same_token); }},
    {"previous_token", lines("Previous", "token"), "Mean weight on the position before the query",
     true, [](const M& m) { return weight_of(m.previous_token); }},
    {"next_token", lines("Next", "token"), "Mean weight on the position after the query", true,
     [](const M& m) { return weight_of(m.next_token); }},
    {"induction", lines("", "Induction"),
     "Mean weight on the tokens that followed earlier occurrences of the query's token", true,
     [](const M& m) { return weight_of(m.induction); }},
    {"symmetry", lines("", "Symmetry"),
     "1 for a symmetric matrix of weights, 0 when no token attends to itself and no two to each "
     "other",
     true, [](const M& m) { return m.symmetry; }},
});

constexpr auto kLabels = std::to_array<HeadLabelInfo>({
    {"previous_token", "previous token",
     "The token before the query gets at least half of the weight and twice what equal weights "
     "would give it",
     [](const M& m) { return stands_out(m.previous_token, kMost); }},
    {"next_token", "next token",
     "The token after the query gets at least half of the weight and twice what equal weights "
     "would give it",
     [](const M& m) { return stands_out(m.next_token, kMost); }},
    {"same_token", "same token",
     "The query's own position gets at least half of the weight and twice what equal weights "
     "would give it",
     [](const M& m) { return stands_out(m.same_token, kMost); }},
    {"first_token", "first token",
     "The first token gets at least half of the weight and twice what equal weights would give it",
     [](const M& m) { return stands_out(m.first_token, kMost); }},
    {"local", "local",
     "The mean distance is at most 2 tokens and half of what equal weights would give", is_local},
    {"uniform", "uniform", "The entropy is at least 95 % of the largest possible",
     [](const M& m) { return m.normalised_entropy && *m.normalised_entropy >= kUniform; }},
    {"induction", "induction",
     "Queries whose token occurred before give at least 40 % of their weight, and twice what equal "
     "weights would give, to the tokens that followed it",
     [](const M& m) { return stands_out(m.induction, kInduction); }},
});

}  // namespace

std::int64_t measured_offset(const Mask& mask, std::size_t sample) {
  constexpr std::int64_t kFarAway = std::int64_t{1} << 52U;
  return std::clamp(mask.offset_of(sample), -kFarAway, kFarAway);
}

HeadMeasures measure_head(const AttentionResult& result, const HeadAddress& head,
                          const TokenIds& tokens, std::size_t row_step, Progress* progress) {
  const AttentionShape s = result.shape(head);
  const bool has_positions = positions_correspond(result.problem(), head);
  const bool is_mirrored = has_positions && s.n_q == s.n_k && row_step == 1;
  HeadMeasures measures;
  measures.row_entropy.assign(s.n_q, kNaN);
  measures.received.assign(s.n_k, 0.0);
  std::vector<double> squares(s.n_k);
  const std::vector<std::vector<std::size_t>> places = places_by_token(tokens.key);
  WeightSums sums{measures, has_positions};
  const std::int64_t offset = measured_offset(mask_of(result.problem(), head), head.sample);
  const auto add = [&](const WeightRow& weights) {
    MeasuredRow row(weights, offset);
    if (const auto reason = reason_to_leave_out(row)) {
      ++(measures.left_out.*reason);
      return;
    }
    ++measures.rows;
    const double entropy = row_entropy_of(row);
    measures.row_entropy[row.query] = entropy;
    add_to_keys(row, measures.received, squares);
    sums.add(row, entropy);
    const bool has_token = row.query < tokens.query.size();
    if (!has_token || tokens.query[row.query] >= places.size()) return;
    add_induction(measures.induction, row, places[tokens.query[row.query]]);
  };
  if (s.n_q > 0 && s.n_k > 0) {
    const ProgressPart part(progress, 0.0F, is_mirrored ? kShareOfRows : 1.0F);
    const std::size_t first = std::min(row_step / 2, s.n_q - 1);  // the middle of each step
    const std::size_t rows = quotient_up(s.n_q - first, row_step);
    for_each_weight_row(result, head, {first, 0, rows, 0, row_step}, progress, add);
  }
  sums.finish();
  if (!is_mirrored) return measures;
  const ProgressPart part(progress, kShareOfRows, 1.0F - kShareOfRows);
  const double mirrored = mirrored_sum(result, head, measures.row_entropy, progress);
  measures.symmetry = symmetry_of(squares, measures.row_entropy, mirrored);
  return measures;
}

std::uint64_t nanoseconds_to_measure(const AttentionResult& result, const HeadAddress& at,
                                     std::size_t rows) {
  constexpr std::uint64_t kNanosecondsOfACell = 10;
  const std::uint64_t looking = element_count({kNanosecondsOfACell, rows, result.shape(at).n_k});
  const std::uint64_t reading = nanoseconds_to_read_weights(result, at, rows);
  return reading > UINT64_MAX - looking ? UINT64_MAX : reading + looking;
}

std::span<const MeasureInfo> all_measures() { return kMeasures; }

std::span<const HeadLabelInfo> all_head_labels() { return kLabels; }

std::vector<const HeadLabelInfo*> labels_of(const HeadMeasures& measures) {
  std::vector<const HeadLabelInfo*> labels;
  for (const HeadLabelInfo& info : kLabels) {
    if (info.holds(measures)) labels.push_back(&info);
  }
  return labels;
}

LeftOutRows& LeftOutRows::operator+=(const LeftOutRows& other) {
  unseeing += other.unseeing;
  all_zero += other.all_zero;
  negative += other.negative;
  non_finite += other.non_finite;
  concealed += other.concealed;
  return *this;
}

std::string left_out_words(const LeftOutRows& rows) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* of_one, const char* of_some) {
    if (count == 0) return;
    parts.push_back(std::to_string(count) + (count == 1 ? " row " : " rows ") +
                    (count == 1 ? of_one : of_some));
  };
  add(rows.unseeing, "that sees no key", "that see no key");
  add(rows.all_zero, "of zeros", "of zeros");
  add(rows.negative, "with negative weights", "with negative weights");
  add(rows.non_finite, "with NaN or infinite weights", "with NaN or infinite weights");
  add(rows.concealed, "that the lesson asks about", "that the lesson asks about");
  return parts.empty() ? "" : "left out: " + listed(parts);
}

std::string nothing_at_distances(const AttentionProblem& problem, const HeadAddress& at) {
  const AttentionShape s = shape_of(problem, at);
  if (!joins_two_sequences(problem, at) && s.n_q == s.n_k) return "";
  return "There are no distances between queries and keys: they are tokens of different sequences";
}

DistanceProfile distance_profile(const AttentionResult& result, const HeadAddress& head,
                                 std::size_t row_step, Progress* progress) {
  const std::size_t n = result.shape(head).n_q;
  DistanceProfile profile;
  profile.tokens = n;
  profile.offset = measured_offset(mask_of(result.problem(), head), head.sample);
  if (n == 0) return profile;
  profile.weight.resize(2 * n - 1);
  profile.equal.resize(2 * n - 1);
  profile.cells.resize(2 * n - 1);
  profile.rows_read = quotient_up(n, row_step);
  for_each_weight_row(result, head, {0, 0, profile.rows_read, 0, row_step}, progress,
                      [&](const WeightRow& row) { add_diagonals(profile, row); });
  return profile;
}

}  // namespace attn
