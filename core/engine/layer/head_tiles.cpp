// Cells of one head, a few rows at a time, skipping keys that no row sees.
#include "engine/layer/head_tiles.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/quotient_up.h"
#include "base/special_numbers.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/row_kernels.h"
#include "engine/kernels/score.h"

namespace attn {
namespace {

// Small enough that one chunk's cells stay in the cache.
constexpr std::size_t kTileRows = 32;
// Granularity in which unseen keys are skipped.
constexpr std::size_t kKeysBeside = kSumBlock;
constexpr std::size_t kTileCells = kTileRows * kChunkKeys;

// Calls each(part, index of its first row) for tiles of the range.
template <class Each>
void for_tiles(const CellRange& range, std::size_t rows_at_once, Each each) {
  for (std::size_t first = 0; first < range.rows; first += rows_at_once) {
    each(part_of(range, first, std::min(rows_at_once, range.rows - first)), first);
  }
}

CellRange with_all_keys(const HeadInputs& head, const CellRange& rows) {
  return {rows.row, 0, rows.rows, head.keys.rows, rows.row_step};
}

CellRange with_keys(const CellRange& range, const KeySpan& keys) {
  return {range.row, keys.begin, range.rows, keys.end - keys.begin, range.row_step};
}

MatrixView queries_of(const HeadInputs& head, const CellRange& range) {
  return {head.queries.data + range.row * head.queries.row_stride, range.rows, head.queries.cols,
          head.queries.row_stride * range.row_step};
}

// Turns scores into a stage before the mask, in place.
void scale_and_cap(const AttentionProblem& problem, Stage stage, std::span<float> row) {
  if (stage == Stage::Scores) return;
  scale_row(row, scale_of(problem), row);
  if (stage == Stage::Scaled || !problem.scoring.softcap) return;
  softcap_row(row, *problem.scoring.softcap, row);
}

MutableMatrix tile_at(float* first, const CellRange& range, std::size_t stride) {
  return {first, range.rows, range.cols, stride};
}

// Calls each(row, its cells, its rules) for masked cells.
template <class Each>
void for_masked_rows(const HeadInputs& head, const CellRange& range, const MutableMatrix& out,
                     Each each) {
  score_cells(head, range, out);
  const Mask& mask = head.problem.mask;
  std::vector<HiddenRules> rules(range.cols);
  std::vector<float> bias(has_bias(mask) ? range.cols : 0);
  for (std::size_t r = 0; r < range.rows; ++r) {
    const std::span<float> row(out.row(r), range.cols);
    scale_and_cap(head.problem, Stage::Masked, row);
    if (!bias.empty()) bias_row(mask, head.at, range.row_at(r), bias, range.col);
    hidden_row(mask, head.at, range.row_at(r), rules, range.col);
    mask_row(row, bias, rules, row);
    each(r, row, std::span<const HiddenRules>(rules));
  }
}

// Keys of the range that some row may see, aligned to blocks of exponentials.
KeySpan keys_to_compute(const HeadInputs& head, const CellRange& range) {
  const std::size_t n_k = head.problem.shape.n_k;
  const RowSpan queries{range.row, range.rows > 0 ? range.row_at(range.rows - 1) + 1 : range.row};
  const KeySpan seen = head.reach.of(queries);
  const std::size_t past_block = quotient_up(seen.end, kKeysBeside);
  const std::size_t begin = seen.begin / kKeysBeside * kKeysBeside;
  const std::size_t end = std::min(past_block * kKeysBeside, n_k);
  if (seen.begin >= seen.end) return {range.col, range.col};
  const std::size_t first = std::clamp(begin, range.col, range.col + range.cols);
  return {first, std::clamp(end, first, range.col + range.cols)};
}

void fill_outside(const CellRange& range, const KeySpan& keys, float value, float* out) {
  for (std::size_t r = 0; r < range.rows; ++r) {
    float* row = out + r * range.cols;
    std::fill(row, row + (keys.begin - range.col), value);
    std::fill(row + (keys.end - range.col), row + range.cols, value);
  }
}

// Masked cells of the relevant keys, finished row by row; all others are `hidden`.
template <class Finish>
void fill_masked(const HeadInputs& head, const CellRange& range, float hidden, float* out,
                 Finish finish) {
  for_tiles(range, kTileRows, [&](const CellRange& tile, std::size_t first_row) {
    float* first = out + first_row * range.cols;
    const KeySpan keys = keys_to_compute(head, tile);
    fill_outside(tile, keys, hidden, first);
    for_chunks(keys, kChunkKeys, [&](const KeySpan& chunk) {
      stop_if_cancelled();
      const CellRange part = with_keys(tile, chunk);
      for_masked_rows(head, part, tile_at(first + (chunk.begin - range.col), part, range.cols),
                      [&](std::size_t r, std::span<float> row, std::span<const HiddenRules> rules) {
                        finish(first_row + r, row, rules);
                      });
    });
  });
}

// The bits are those of a product with all keys.
void add_outputs_of_chunks(const HeadInputs& head, const CellRange& tile,
                           std::span<const RowSum> norms, const MutableMatrix& out) {
  for (std::size_t r = 0; r < tile.rows; ++r) std::fill_n(out.row(r), out.cols, 0.0F);
  std::vector<float> weights(tile.rows * std::min(kChunkKeys, tile.cols));
  for_chunks(keys_to_compute(head, tile), kChunkKeys, [&](const KeySpan& chunk) {
    stop_if_cancelled();
    const CellRange part = with_keys(tile, chunk);
    compute_weights(head, part, norms, weights.data());
    add_packed({weights.data(), part.rows, part.cols, part.cols}, *head.packed_values, part.col,
               out);
  });
}

}  // namespace

bool goes_by_blocks(const HeadInputs& head) {
  return head.packed_keys != nullptr && sums_exponentials(head.problem.scoring);
}

ScoredHead scored(const HeadInputs& head) {
  const Scoring& scoring = head.problem.scoring;
  const Mask& mask = head.problem.mask;
  LogitRules rules;
  rules.scale = scale_of(head.problem);
  rules.softcap = scoring.softcap;
  rules.temperature = scoring.temperature.value_or(1.0F);
  rules.sink = sink_of(scoring, head.at.head);
  if (can_hide(mask)) rules.seen = [&head](std::size_t q) { return head.reach.of({q, q + 1}); };
  if (has_bias(mask)) {
    rules.add_bias = [&head](std::size_t q, std::size_t first, std::span<float> logits) {
      thread_local std::vector<float> bias;
      bias.resize(logits.size());
      bias_row(head.problem.mask, head.at, q, bias, first);
      for (std::size_t k = 0; k < logits.size(); ++k) logits[k] += bias[k];
    };
  }
  if (!head.reach.is_exact()) {
    rules.hidden = [&head](std::size_t q, std::size_t first, std::span<HiddenRules> hidden) {
      hidden_row(head.problem.mask, head.at, q, hidden, first);
    };
  }
  return {std::move(rules), head.queries, *head.packed_keys, head.packed_values,
          head.values_are_finite};
}

Sums sums_of(const AttentionProblem& problem) {
  if (goes_row_by_row(problem)) return Sums::Double;
  return sums_for(predicted_multiply_adds(problem));
}

void score_cells(const HeadInputs& head, const CellRange& range, const MutableMatrix& out) {
  const MatrixView queries = queries_of(head, range);
  if (head.packed_keys != nullptr) {
    return multiply_packed(queries, *head.packed_keys, range.col, out);
  }
  const Scoring& scoring = head.problem.scoring;
  scoring_kernels(scoring.function)
      .scores({scoring, head.at.head, range.col, head.sums}, queries,
              rows_of(head.keys, range.col, range.cols), out);
}

void multiply_values(const HeadInputs& head, const CellRange& rows, const MatrixView& weights,
                     const MutableMatrix& out) {
  const bool packed = head.sums == Sums::Float;
  if (head.values_are_finite) {
    return packed ? multiply_packed(weights, *head.packed_values, 0, out)
                  : multiply(weights, head.values, out);
  }
  std::vector<HiddenRules> rules(weights.cols);
  for (std::size_t r = 0; r < weights.rows; ++r) {
    hidden_row(head.problem.mask, head.at, rows.row_at(r), rules);
    packed ? multiply_visible_packed(weights.row(r), rules, *head.packed_values, out.row(r))
           : multiply_visible_row(weights.row(r), rules, head.values, out.row(r));
  }
}

void compute_logits(const HeadInputs& head, Stage stage, const CellRange& range, float* out) {
  const MutableMatrix all = tile_at(out, range, range.cols);
  if (stage == Stage::Masked && head.packed_keys != nullptr) {
    ScoredHead undivided = scored(head);
    undivided.rules.temperature = 1.0F;
    return logits_of(undivided, range, all);
  }
  if (stage == Stage::Masked) {
    return fill_masked(head, range, -kInfinity, out,
                       [](std::size_t, std::span<float>, std::span<const HiddenRules>) {});
  }
  score_cells(head, range, all);
  for (std::size_t r = 0; r < range.rows; ++r) {
    scale_and_cap(head.problem, stage, {all.row(r), range.cols});
  }
}

void compute_norms(const HeadInputs& head, const CellRange& rows, std::span<RowSum> norms) {
  if (goes_by_blocks(head)) return sums_of_rows(scored(head), rows, norms);
  const Scoring& scoring = head.problem.scoring;
  std::vector<float> cells(kTileRows * std::min(kChunkKeys, head.keys.rows));
  for_tiles(with_all_keys(head, rows), kTileRows, [&](const CellRange& tile, std::size_t first) {
    std::vector<RowSoFar> found(tile.rows);
    for_chunks(keys_to_compute(head, tile), kChunkKeys, [&](const KeySpan& chunk) {
      stop_if_cancelled();
      const CellRange part = with_keys(tile, chunk);
      for_masked_rows(head, part, tile_at(cells.data(), part, part.cols),
                      [&](std::size_t r, std::span<float> row, std::span<const HiddenRules> rules) {
                        add_chunk(scoring, row, rules, part.col, found[r]);
                      });
    });
    for (std::size_t r = 0; r < tile.rows; ++r) {
      norms[first + r] = norm_of(scoring, head.at.head, found[r]);
    }
  });
}

void compute_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSum> norms,
                     float* out) {
  if (goes_by_blocks(head)) {
    return weights_of(scored(head), range, norms, tile_at(out, range, range.cols));
  }
  fill_masked(head, range, 0.0F, out,
              [&](std::size_t r, std::span<float> row, std::span<const HiddenRules> rules) {
                weigh_cells(head.problem.scoring, norms[r], row, rules, row);
              });
}

void compute_weights_and_norms(const HeadInputs& head, const CellRange& rows,
                               std::span<RowSum> norms, float* out) {
  if (goes_by_blocks(head)) {
    const std::size_t n_k = head.keys.rows;
    return attend_block(scored(head), rows,
                        {.weights = {out, rows.rows, n_k, n_k}, .output = {}, .sums = norms});
  }
  compute_norms(head, rows, norms);
  compute_weights(head, with_all_keys(head, rows), norms, out);
}

void compute_outputs(const HeadInputs& head, const CellRange& rows, std::span<const RowSum> norms,
                     const MutableMatrix& out) {
  if (goes_by_blocks(head)) {
    return attend_block(scored(head), rows, {.weights = {}, .output = out, .sums = {}});
  }
  const std::size_t n_k = head.keys.rows;
  const bool in_chunks = head.sums == Sums::Float && head.values_are_finite;
  const std::size_t most = kTileCells / std::max<std::size_t>(n_k, 1);
  const std::size_t at_once = in_chunks ? kTileRows : std::clamp<std::size_t>(most, 1, kTileRows);
  std::vector<float> weights(in_chunks ? 0 : at_once * n_k);
  for_tiles(with_all_keys(head, rows), at_once, [&](const CellRange& tile, std::size_t first) {
    const MutableMatrix to = rows_of(out, first, tile.rows);
    const auto own = norms.subspan(first, tile.rows);
    if (in_chunks) return add_outputs_of_chunks(head, tile, own, to);
    compute_weights(head, tile, own, weights.data());
    multiply_values(head, tile, {weights.data(), tile.rows, n_k, n_k}, to);
  });
}

namespace {

// Weights grow with logits, so the largest logit under an output cell gives its largest weight.

KeySpan keys_of(const LogitBins& bins, std::size_t bin) {
  const std::size_t first = bins.keys.begin + bin * bins.width;
  return {first, std::min(first + bins.width, bins.keys.end)};
}

// Bins that cover some of the keys.
RowSpan bins_of(const LogitBins& bins, const KeySpan& some) {
  const KeySpan& keys = bins.keys;
  const std::size_t begin = std::clamp(some.begin, keys.begin, keys.end) - keys.begin;
  const std::size_t end = std::clamp(some.end, keys.begin, keys.end) - keys.begin;
  return begin < end ? RowSpan{begin / bins.width, (end - 1) / bins.width + 1} : RowSpan{};
}

// Builder of one row of the output.
class PooledRow {
 public:
  PooledRow(const HeadInputs& head, const LogitBins& bins, std::size_t count)
      : head_(head),
        bins_(bins),
        most_(count, kNothing),
        seen_(count, 0),
        common_(count, HiddenRules{0xFF}),
        any_(count, kVisible),
        rules_(head.reach.is_exact() ? 0 : bins.keys.end - bins.keys.begin) {}

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
    const RowSpan bins = bins_of(bins_, head_.reach.of({q, q + 1}));
    std::fill(&seen_[bins.begin], &seen_[0] + bins.end, std::uint8_t{1});
    if (!is_defined) return;
    for (std::size_t bin = bins.begin; bin < bins.end; ++bin) raise(bin, weights[bin]);
  }

  void add_ruled(std::size_t q, std::span<const float> weights, bool is_defined) {
    hidden_row(head_.problem.mask, head_.at, q, rules_, bins_.keys.begin);
    for (std::size_t bin = 0; bin < most_.size(); ++bin) {
      const KeySpan keys = keys_of(bins_, bin);
      const std::size_t first = keys.begin - bins_.keys.begin;
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
    const KeySpan keys = keys_of(bins_, bin);
    const Mask& mask = head_.problem.mask;
    const HiddenRules a = hidden_by(mask, head_.at, last_q_, keys.begin);
    const HiddenRules b = hidden_by(mask, head_.at, first_q_, keys.end - 1);
    const auto common = static_cast<HiddenRules>(a & b);
    return common != kVisible ? common : static_cast<HiddenRules>(a | b);
  }

  const HeadInputs& head_;
  const LogitBins& bins_;
  std::vector<float> most_;
  std::vector<std::uint8_t> seen_;
  std::vector<HiddenRules> common_, any_;  // for rules that are checked cell by cell
  std::vector<HiddenRules> rules_;
  std::size_t first_q_ = static_cast<std::size_t>(-1), last_q_ = 0;
};

struct WeightPool {
  const ScoredHead& scored;
  const HeadInputs& head;
  CellRange rows;
  LogitBins bins;
  const KeepNorms& keep;
  PooledCells& out;
};

// Norms of some rows of the range, and in `bins` their largest weights.
std::vector<RowSum> find_maxima(const WeightPool& pool, const CellRange& rows,
                                const MutableMatrix& bins) {
  for (std::size_t r = 0; r < rows.rows; ++r) std::fill_n(bins.row(r), bins.cols, -kInfinity);
  std::vector<RowSum> norms(rows.rows);
  sums_of_rows(pool.scored, rows, norms, {pool.bins.keys, pool.bins.width, bins});
  pool.keep(rows, norms);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::span<float> row(bins.row(r), bins.cols);
    if (!norms[r].is_undefined()) row_weights(row, norms[r], row);
  }
  return norms;
}

// Rows [first, first + count) of the output.
void pool_rows(const WeightPool& pool, std::size_t first, std::size_t count) {
  const std::size_t step = pool.out.row_step;
  const std::size_t end = std::min((first + count) * step, pool.rows.rows);
  const std::size_t cols = pool.out.cols;
  std::vector<float> bins(kBlockQueries * cols);
  std::vector<PooledRow> pooled(count, PooledRow(pool.head, pool.bins, cols));
  for (std::size_t at = first * step; at < end; at += kBlockQueries) {
    const CellRange rows = part_of(pool.rows, at, std::min(kBlockQueries, end - at));
    const MutableMatrix maxima{bins.data(), rows.rows, cols, cols};
    const std::vector<RowSum> norms = find_maxima(pool, rows, maxima);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      pooled[(at + r) / step - first].add(rows.row_at(r), {maxima.row(r), cols},
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

bool pool_weights(const HeadInputs& head, const CellRange& range, std::span<const RowSpan> wanted,
                  const KeepNorms& keep, Progress* progress, PooledCells& out) {
  const ScoredHead block = scored(head);
  const KeySpan keys{range.col, range.col + range.cols};
  const WeightPool pool{block, head, range, {keys, out.col_step}, keep, out};
  const std::vector<RowSpan> turns = turns_of(wanted, out.row_step);
  return parallel_for(turns.size(), 0, progress, [&](std::size_t job) {
    pool_rows(pool, turns[job].begin, turns[job].end - turns[job].begin);
  });
}

}  // namespace attn
