// Reads each row of weights once and adds up the measures of a head.
#include "engine/measures.h"

#include <algorithm>
#include <cmath>

#include "attention/mask.h"
#include "base/special_numbers.h"

namespace attn {
namespace {

constexpr std::size_t kCellsAtOnce = std::size_t{1} << 16U;
constexpr std::int64_t kFarAway = std::int64_t{1} << 52U;  // positions beyond are as far as this

// --- which keys a query sees -----------------------------------------------------------------

// True for given weights without a mask that are those of a causal head.
bool assumes_causal(const AttentionResult& result, const HeadAddress& head) {
  const AttentionProblem& problem = result.problem();
  const std::size_t n = problem.shape.n_q;
  const bool given = !has_scores(problem);
  if (!given || can_hide(problem.mask) || n != problem.shape.n_k || n < 2) return false;
  std::vector<float> row(n);
  for (std::size_t q = 0; q + 1 < n; ++q) {
    const std::size_t after = n - q - 1;
    result.read(Stage::Weights, head, {q, q + 1, 1, after}, row.data());
    if (std::any_of(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(after),
                    [](float weight) { return weight != 0.0F; })) {
      return false;
    }
  }
  return true;
}

// One query: its weights and which keys it sees.
struct MeasuredRow {
  std::size_t query = 0;
  std::int64_t position = 0;
  std::span<const float> weights;
  std::span<const std::uint8_t> visible;
  std::size_t seen = 0;  // visible keys
  double sum = 0.0;      // of the weights
};

// Whether a key is at `key` and the query sees it.
bool sees(const MeasuredRow& row, std::int64_t key) {
  return key >= 0 && key < static_cast<std::int64_t>(row.visible.size()) &&
         row.visible[static_cast<std::size_t>(key)] != 0;
}

enum class RowUse { Counts, Unseeing, NonFinite };

RowUse use_of(MeasuredRow& row) {
  if (row.seen == 0) return RowUse::Unseeing;
  row.sum = 0.0;
  for (const float weight : row.weights) {
    if (!(weight >= 0.0F) || std::isinf(weight)) return RowUse::NonFinite;
    row.sum += static_cast<double>(weight);
  }
  return row.sum > 0.0 ? RowUse::Counts : RowUse::Unseeing;
}

// Calls each(row) for every query, a few rows of weights in memory at a time.
template <class Each>
void for_each_row(const AttentionResult& result, const HeadAddress& head, Each each) {
  const AttentionShape& s = result.shape();
  if (s.n_q == 0 || s.n_k == 0) return;
  const Mask& mask = result.problem().mask;
  const std::int64_t offset = std::clamp(mask.offset_of(head.sample), -kFarAway, kFarAway);
  const bool causal = assumes_causal(result, head);
  const std::size_t rows_at_once = std::clamp<std::size_t>(kCellsAtOnce / s.n_k, 1, s.n_q);
  std::vector<float> rows_read(rows_at_once * s.n_k);
  std::vector<std::uint8_t> visible(s.n_k);
  for (std::size_t first = 0; first < s.n_q; first += rows_at_once) {
    const std::size_t rows = std::min(rows_at_once, s.n_q - first);
    result.read(Stage::Weights, head, {first, 0, rows, s.n_k}, rows_read.data());
    for (std::size_t r = 0; r < rows; ++r) {
      MeasuredRow row;
      row.query = first + r;
      row.position = static_cast<std::int64_t>(row.query) + offset;
      row.weights = std::span(rows_read).subspan(r * s.n_k, s.n_k);
      row.seen = visible_row(mask, head, row.query, visible);
      if (causal) {
        row.seen = row.query + 1;
        std::fill(visible.begin() + static_cast<std::ptrdiff_t>(row.seen), visible.end(), 0);
      }
      row.visible = visible;
      each(row);
    }
  }
}

// --- sums over rows --------------------------------------------------------------------------

// Adds one row's weight at the given keys to a share. A query without a choice does not count.
struct ShareSum {
  Share share;

  void add(const MeasuredRow& row, double weight, std::size_t keys) {
    if (keys == 0 || row.seen < 2) return;
    ++share.rows;
    share.weight += weight;
    share.equal += static_cast<double>(keys) / static_cast<double>(row.seen);
  }
  void add_key(const MeasuredRow& row, std::int64_t key) {
    if (sees(row, key))
      add(row, static_cast<double>(row.weights[static_cast<std::size_t>(key)]), 1);
  }
  Share mean() const {
    if (share.rows == 0) return {};
    const auto n = static_cast<double>(share.rows);
    return {share.rows, share.weight / n, share.equal / n};
  }
};

struct MeanSum {
  double sum = 0.0;
  std::size_t count = 0;

  void add(double value) {
    sum += value;
    ++count;
  }
  std::optional<double> mean() const {
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
  }
};

// H(w / Σw) = ln Σw − Σ w ln w / Σw.
double row_entropy_of(const MeasuredRow& row) {
  double sum = 0.0;
  for (const float weight : row.weights) {
    if (weight > 0.0F) sum += static_cast<double>(weight) * std::log(static_cast<double>(weight));
  }
  return std::max(0.0, std::log(row.sum) - sum / row.sum);
}

struct Distances {
  double weighted = 0.0, equal = 0.0;
};

Distances distances_of(const MeasuredRow& row) {
  Distances total;
  for (std::size_t k = 0; k < row.weights.size(); ++k) {
    const auto away = static_cast<double>(std::abs(static_cast<std::int64_t>(k) - row.position));
    total.weighted += away * static_cast<double>(row.weights[k]);
    if (row.visible[k] != 0) total.equal += away;
  }
  return {total.weighted / row.sum, total.equal / static_cast<double>(row.seen)};
}

// Where each token occurs among the keys.
class InductionKeys {
 public:
  explicit InductionKeys(const TokenIds& tokens) : tokens_(tokens) {
    std::size_t kinds = 0;
    for (const std::size_t id : tokens.key) kinds = std::max(kinds, id + 1);
    places_.resize(kinds);
    for (std::size_t k = 0; k < tokens.key.size(); ++k) places_[tokens.key[k]].push_back(k);
  }

  void add(const MeasuredRow& row, ShareSum& share) const {
    if (row.query >= tokens_.query.size() || tokens_.query[row.query] >= places_.size()) return;
    double weight = 0.0;
    std::size_t keys = 0;
    for (const std::size_t place : places_[tokens_.query[row.query]]) {
      const auto next = static_cast<std::int64_t>(place) + 1;
      if (next >= row.position) break;
      if (!sees(row, next)) continue;
      ++keys;
      weight += static_cast<double>(row.weights[static_cast<std::size_t>(next)]);
    }
    share.add(row, weight, keys);
  }

 private:
  const TokenIds& tokens_;
  std::vector<std::vector<std::size_t>> places_;  // by token, ascending
};

// Everything that one pass over the rows gathers.
struct WeightSums {
  MeanSum entropy, normalised_entropy, largest_weight, distance, equal_distance;
  ShareSum first_token, same_token, previous_token, next_token, induction;

  void add(const MeasuredRow& row, double entropy_nats) {
    entropy.add(entropy_nats);
    if (row.seen > 1) {
      normalised_entropy.add(entropy_nats / std::log(static_cast<double>(row.seen)));
    }
    largest_weight.add(static_cast<double>(*std::ranges::max_element(row.weights)));
    const Distances away = distances_of(row);
    distance.add(away.weighted);
    equal_distance.add(away.equal);
    first_token.add_key(row, 0);
    same_token.add_key(row, row.position);
    previous_token.add_key(row, row.position - 1);
    next_token.add_key(row, row.position + 1);
  }

  void write_to(HeadMeasures& measures) const {
    measures.entropy = entropy.mean();
    measures.normalised_entropy = normalised_entropy.mean();
    measures.largest_weight = largest_weight.mean();
    measures.distance = distance.mean();
    measures.equal_distance = equal_distance.mean();
    measures.first_token = first_token.mean();
    measures.same_token = same_token.mean();
    measures.previous_token = previous_token.mean();
    measures.next_token = next_token.mean();
    measures.induction = induction.mean();
  }
};

// --- symmetry --------------------------------------------------------------------------------

// ‖A − Aᵀ‖² and ‖A + Aᵀ‖² of the rows that count, tile by tile with its mirror image.
struct SymmetrySums {
  double difference = 0.0, total = 0.0;

  void add_tiles(const AttentionResult& result, const HeadAddress& head,
                 const std::vector<double>& row_entropy, std::size_t row, std::size_t col) {
    constexpr std::size_t kSide = 128;
    const std::size_t n = row_entropy.size();
    const std::size_t rows = std::min(kSide, n - row);
    const std::size_t cols = std::min(kSide, n - col);
    std::vector<float> upper(rows * cols), lower(rows * cols);
    result.read(Stage::Weights, head, {row, col, rows, cols}, upper.data());
    result.read(Stage::Weights, head, {col, row, cols, rows}, lower.data());
    const double times = row == col ? 1.0 : 2.0;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < cols; ++c) {
        if (std::isnan(row_entropy[row + r]) || std::isnan(row_entropy[col + c])) continue;
        const double a = static_cast<double>(upper[r * cols + c]);
        const double b = static_cast<double>(lower[c * rows + r]);
        difference += times * (a - b) * (a - b);
        total += times * (a + b) * (a + b);
      }
    }
  }

  static std::optional<double> of(const AttentionResult& result, const HeadAddress& head,
                                  const std::vector<double>& row_entropy) {
    constexpr std::size_t kSide = 128;
    SymmetrySums sums;
    for (std::size_t row = 0; row < row_entropy.size(); row += kSide) {
      for (std::size_t col = row; col < row_entropy.size(); col += kSide) {
        sums.add_tiles(result, head, row_entropy, row, col);
      }
    }
    if (!(sums.total > 0.0)) return std::nullopt;
    return 1.0 - std::sqrt(sums.difference / sums.total);
  }
};

}  // namespace

HeadMeasures measure_head(const AttentionResult& result, const HeadAddress& head,
                          const TokenIds& tokens) {
  const AttentionShape& s = result.shape();
  HeadMeasures measures;
  measures.row_entropy.assign(s.n_q, kNaN);
  measures.received.assign(s.n_k, 0.0);
  const InductionKeys induction(tokens);
  WeightSums sums;
  for_each_row(result, head, [&](MeasuredRow& row) {
    const RowUse use = use_of(row);
    if (use == RowUse::Unseeing) ++measures.unseeing_rows;
    if (use == RowUse::NonFinite) ++measures.non_finite_rows;
    if (use != RowUse::Counts) return;
    ++measures.rows;
    const double entropy = row_entropy_of(row);
    measures.row_entropy[row.query] = entropy;
    for (std::size_t k = 0; k < s.n_k; ++k) {
      measures.received[k] += static_cast<double>(row.weights[k]);
    }
    sums.add(row, entropy);
    induction.add(row, sums.induction);
  });
  sums.write_to(measures);
  if (s.n_q == s.n_k) measures.symmetry = SymmetrySums::of(result, head, measures.row_entropy);
  return measures;
}

std::uint64_t cells_to_measure(const AttentionShape& shape) {
  const std::size_t passes = shape.n_q == shape.n_k ? 2 : 1;
  return element_count({passes, shape.n_q, shape.n_k});
}

}  // namespace attn
