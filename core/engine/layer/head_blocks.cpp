// Blocks of queries with a problem's rules. Weights grow with logits, so the largest logit under an
// output cell gives its largest weight.
#include "engine/layer/head_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/special_numbers.h"
#include "engine/kernels/parallel.h"

namespace attn {
namespace {

void add_bias(const HeadInputs& head, std::size_t q, std::size_t first, std::span<float> logits) {
  thread_local std::vector<float> bias;
  bias.resize(logits.size());
  bias_row(head.problem.mask, head.at, q, bias, first);
  for (std::size_t k = 0; k < logits.size(); ++k) logits[k] += bias[k];
}

LogitRules rules_for(const HeadInputs& head) {
  const Scoring& scoring = head.problem.scoring;
  LogitRules rules;
  rules.scale = scale_of(head.problem);
  rules.softcap = scoring.softcap;
  rules.temperature = scoring.temperature.value_or(1.0F);
  rules.sink = sink_of(scoring, head.at.head);
  if (can_hide(head.problem.mask)) {
    rules.seen = [&head](std::size_t q) { return head.reach.of({q, q + 1}); };
  }
  if (has_bias(head.problem.mask)) {
    rules.add_bias = [&head](std::size_t q, std::size_t first, std::span<float> logits) {
      add_bias(head, q, first, logits);
    };
  }
  if (!head.reach.is_exact()) {
    rules.hidden = [&head](std::size_t q, std::size_t first, std::span<HiddenRules> hidden) {
      hidden_row(head.problem.mask, head.at, q, hidden, first);
    };
  }
  return rules;
}

// Columns of the output, and the range of keys under each.
struct PoolColumns {
  KeySpan keys;
  std::size_t step, count;

  KeySpan keys_of(std::size_t bin) const {
    const std::size_t first = keys.begin + bin * step;
    return {first, std::min(first + step, keys.end)};
  }
  // Output columns that cover some of the keys.
  RowSpan bins_of(const KeySpan& some) const {
    const std::size_t begin = std::clamp(some.begin, keys.begin, keys.end) - keys.begin;
    const std::size_t end = std::clamp(some.end, keys.begin, keys.end) - keys.begin;
    return begin < end ? RowSpan{begin / step, (end - 1) / step + 1} : RowSpan{};
  }
};

// Builder of one row of the output.
class PooledRow {
 public:
  PooledRow(const HeadInputs& head, const PoolColumns& columns)
      : head_(head),
        columns_(columns),
        most_(columns.count, kNothing),
        seen_(columns.count, 0),
        common_(columns.count, HiddenRules{0xFF}),
        any_(columns.count, kVisible),
        rules_(head.reach.is_exact() ? 0 : columns.keys.end - columns.keys.begin) {}

  // `weights` are the largest of query q under each column; unused if the norm is NaN.
  void add(std::size_t q, std::span<const float> weights, bool is_defined) {
    head_.reach.is_exact() ? add_span(q, weights, is_defined) : add_ruled(q, weights, is_defined);
    first_q_ = std::min(first_q_, q);
    last_q_ = std::max(last_q_, q);
  }

  void put(float* values, std::uint8_t* hidden) const {
    for (std::size_t bin = 0; bin < most_.size(); ++bin) {
      values[bin] = most_[bin] < 0.0F ? kNaN : most_[bin];
      hidden[bin] = seen_[bin] != 0 ? HiddenRules{kVisible} : hidden_rules(bin);
    }
  }

 private:
  static constexpr float kNothing = -1.0F;  // below all weights

  void raise(std::size_t bin, float weight) { most_[bin] = std::max(most_[bin], weight); }

  void add_span(std::size_t q, std::span<const float> weights, bool is_defined) {
    const RowSpan bins = columns_.bins_of(head_.reach.of({q, q + 1}));
    std::fill(&seen_[bins.begin], &seen_[0] + bins.end, std::uint8_t{1});
    if (!is_defined) return;
    for (std::size_t bin = bins.begin; bin < bins.end; ++bin) raise(bin, weights[bin]);
  }

  void add_ruled(std::size_t q, std::span<const float> weights, bool is_defined) {
    hidden_row(head_.problem.mask, head_.at, q, rules_, columns_.keys.begin);
    for (std::size_t bin = 0; bin < most_.size(); ++bin) {
      const KeySpan keys = columns_.keys_of(bin);
      const std::size_t first = keys.begin - columns_.keys.begin;
      if (!add_rules(std::span(rules_).subspan(first, keys.end - keys.begin), bin)) continue;
      seen_[bin] = 1;
      if (is_defined) raise(bin, weights[bin]);
    }
  }

  // True if any cell is visible.
  bool add_rules(std::span<const HiddenRules> rules, std::size_t bin) {
    const bool same = std::memcmp(rules.data(), rules.data() + 1, rules.size() - 1) == 0;
    bool is_seen = false;
    for (const HiddenRules rule : same ? rules.first(1) : rules) {
      is_seen |= rule == kVisible;
      common_[bin] &= rule;
      any_[bin] |= rule;
    }
    return is_seen;
  }

  // Distance rules hide everything beyond a limit, so the nearest and farthest cells decide.
  HiddenRules hidden_rules(std::size_t bin) const {
    if (!head_.reach.is_exact()) return common_[bin] != kVisible ? common_[bin] : any_[bin];
    const KeySpan keys = columns_.keys_of(bin);
    const Mask& mask = head_.problem.mask;
    const HiddenRules a = hidden_by(mask, head_.at, last_q_, keys.begin);
    const HiddenRules b = hidden_by(mask, head_.at, first_q_, keys.end - 1);
    const auto common = static_cast<HiddenRules>(a & b);
    return common != kVisible ? common : static_cast<HiddenRules>(a | b);
  }

  const HeadInputs& head_;
  const PoolColumns& columns_;
  std::vector<float> most_;
  std::vector<std::uint8_t> seen_;
  std::vector<HiddenRules> common_, any_;  // for rules that are checked cell by cell
  std::vector<HiddenRules> rules_;
  std::size_t first_q_ = static_cast<std::size_t>(-1), last_q_ = 0;
};

struct WeightPool {
  const ScoredHead& scored;
  const HeadInputs& head;
  HeadRows rows;
  PoolColumns columns;
  const KeepNorms& keep;
  PooledCells& out;
};

// Norms of some rows of the range, and in `bins` their largest weights.
std::vector<RowSum> find_maxima(const WeightPool& pool, const HeadRows& rows,
                                const MutableMatrix& bins) {
  for (std::size_t r = 0; r < rows.count; ++r) std::fill_n(bins.row(r), bins.cols, -kInfinity);
  std::vector<RowSum> norms(rows.count);
  sums_of_rows(pool.scored, rows, norms, {pool.columns.keys, pool.columns.step, bins});
  pool.keep(rows, norms);
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::span<float> row(bins.row(r), bins.cols);
    if (!norms[r].is_undefined()) row_weights(row, norms[r], row);
  }
  return norms;
}

// Rows [first, first + count) of the output.
void pool_rows(const WeightPool& pool, std::size_t first, std::size_t count) {
  const std::size_t step = pool.out.row_step;
  const std::size_t end = std::min((first + count) * step, pool.rows.count);
  const std::size_t cols = pool.out.cols;
  std::vector<float> bins(kBlockQueries * cols);
  std::vector<PooledRow> pooled(count, PooledRow(pool.head, pool.columns));
  for (std::size_t at = first * step; at < end; at += kBlockQueries) {
    const HeadRows rows = part_of(pool.rows, at, std::min(kBlockQueries, end - at));
    const MutableMatrix maxima{bins.data(), rows.count, cols, cols};
    const std::vector<RowSum> norms = find_maxima(pool, rows, maxima);
    for (std::size_t r = 0; r < rows.count; ++r) {
      pooled[(at + r) / step - first].add(rows.at(r), {maxima.row(r), cols},
                                          !norms[r].is_undefined());
    }
  }
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t to = (first + r) * cols;
    pooled[r].put(&pool.out.values[to], &pool.out.hidden[to]);
  }
}

// Output rows per job, such that few blocks are partly filled.
std::vector<RowSpan> turns_of(std::span<const RowSpan> wanted, std::size_t row_step) {
  const std::size_t rows =
      std::clamp<std::size_t>(16 * kBlockQueries / row_step, 1, 4 * kBlockQueries);
  std::vector<RowSpan> turns;
  for (const RowSpan& span : wanted) {
    for (std::size_t first = span.begin; first < span.end; first += rows) {
      turns.push_back({first, std::min(first + rows, span.end)});
    }
  }
  return turns;
}

}  // namespace

bool goes_by_blocks(const HeadInputs& head) {
  return head.packed_keys != nullptr && sums_exponentials(head.problem.scoring);
}

ScoredHead scored(const HeadInputs& head) {
  return {rules_for(head), head.queries, *head.packed_keys};
}

bool pool_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSpan> wanted,
                  const KeepNorms& keep, Progress* progress, PooledCells& out) {
  const ScoredHead block = scored(head);
  const KeySpan keys{range.col, range.col + range.cols};
  const WeightPool pool{block, head, rows_in(range), {keys, out.col_step, out.cols}, keep, out};
  const std::vector<RowSpan> turns = turns_of(wanted, out.row_step);
  return parallel_for(turns.size(), 0, progress, [&](std::size_t job) {
    pool_rows(pool, turns[job].begin, turns[job].end - turns[job].begin);
  });
}

}  // namespace attn
