// Blocks of queries against chunks of keys, in the thread's scratch memory.
#include "engine/kernels/attention_block.h"

#include <array>
#include <cmath>

#include "base/special_numbers.h"

namespace attn {
namespace {

static_assert(kChunkKeys % kSumBlock == 0);

std::span<float> cells_of(const MutableMatrix& matrix, std::size_t r) {
  return {matrix.row(r), matrix.cols};
}

MutableMatrix columns_of(const MutableMatrix& matrix, const KeySpan& range) {
  return {matrix.data + range.begin, matrix.rows, range.end - range.begin, matrix.row_stride};
}

std::span<float> part_of(std::span<float> row, const KeySpan& range) {
  return row.subspan(range.begin, range.end - range.begin);
}

void fill_beside(const KeySpan& range, float value, std::span<float> row) {
  std::ranges::fill(row.first(range.begin), value);
  std::ranges::fill(row.subspan(range.end), value);
}

KeySpan seen_by(const LogitRules& rules, std::size_t q, std::size_t keys) {
  if (!rules.seen) return {0, keys};
  const KeySpan range = rules.seen(q);
  const std::size_t end = std::min(range.end, keys);
  return {std::min(range.begin, end), end};
}

// Some queries of a head and their visible keys.
struct Block {
  Block(const ScoredHead& head, const CellRange& some)
      : rules(head.rules),
        keys(head.keys),
        values(head.values),
        rows(some),
        asking{head.queries.data + some.row * head.queries.row_stride, some.rows, head.queries.cols,
               head.queries.row_stride * some.row_step} {
    for (std::size_t r = 0; r < rows.rows; ++r)
      seen[r] = seen_by(rules, rows.row_at(r), keys.cols());
  }

  const LogitRules& rules;
  const PackedPanels& keys;
  const PackedPanels* values;
  CellRange rows;
  MatrixView asking;
  std::array<KeySpan, kBlockQueries> seen;
};

// Union of the rows' visible keys, rounded down to a panel's start to keep rows of weights aligned.
KeySpan seen_by_all(const Block& block) {
  KeySpan all{block.keys.cols(), 0};
  for (std::size_t r = 0; r < block.asking.rows; ++r) {
    const KeySpan& range = block.seen[r];
    if (range.begin == range.end) continue;
    all = {std::min(all.begin, range.begin), std::max(all.end, range.end)};
  }
  if (all.begin >= all.end) return {};
  return {all.begin / PackedPanels::kWidth * PackedPanels::kWidth, all.end};
}

// Rules of some keys for row r of the block.
std::vector<HiddenRules> rules_of_row(const Block& block, std::size_t r, const KeySpan& keys) {
  std::vector<HiddenRules> hidden(keys.end - keys.begin, kVisible);
  if (block.rules.hidden) block.rules.hidden(block.rows.row_at(r), keys.begin, hidden);
  for (std::size_t k = keys.begin; k < keys.end; ++k) {
    if (k < block.seen[r].begin || k >= block.seen[r].end) hidden[k - keys.begin] |= kHiddenByHand;
  }
  return hidden;
}

void hide(const LogitRules& rules, std::size_t q, std::size_t first, std::span<float> logits) {
  constexpr std::size_t kPart = 512;
  std::array<HiddenRules, kPart> hidden;
  for (std::size_t at = 0; at < logits.size(); at += kPart) {
    const std::span<float> part = logits.subspan(at, std::min(kPart, logits.size() - at));
    const std::span<HiddenRules> of_part(hidden.data(), part.size());
    rules.hidden(q, first + at, of_part);
    mask_row(part, {}, of_part, part);
  }
}

// Keys [first, first + work.cols) of a block, held in `work`.
struct Chunk {
  const Block& block;
  std::size_t first;
  MutableMatrix work;

  std::size_t rows() const { return work.rows; }
  std::span<float> row(std::size_t r) const { return cells_of(work, r); }
  KeySpan seen(std::size_t r) const {
    return {in_work(block.seen[r].begin), in_work(block.seen[r].end)};
  }
  // Range rounded to whole registers for sums; logits in between are -Inf and add nothing.
  KeySpan summed(std::size_t r) const {
    constexpr std::size_t kStep = PackedPanels::kStep;
    const KeySpan range = seen(r);
    const std::size_t end = (range.end + kStep - 1) / kStep * kStep;
    return {range.begin - range.begin % kStep, std::min(end, work.cols)};
  }

 private:
  std::size_t in_work(std::size_t key) const {
    return std::clamp(key, first, first + work.cols) - first;
  }
};

// Scaled scores, then logits.
void put_logits(const Chunk& chunk) {
  const Block& block = chunk.block;
  const LogitRules& rules = block.rules;
  multiply_packed(block.asking, block.keys, chunk.first, chunk.work, rules.scale);
  for (std::size_t r = 0; r < chunk.rows(); ++r) {
    const KeySpan seen = chunk.seen(r);
    const std::size_t q = block.rows.row_at(r), first = chunk.first + seen.begin;
    const std::span<float> logits = part_of(chunk.row(r), seen);
    if (rules.softcap) softcap_row(logits, *rules.softcap, logits);
    if (rules.add_bias) rules.add_bias(q, first, logits);
    if (rules.hidden) hide(rules, q, first, logits);
    if (rules.temperature != 1.0F) divide_row(logits, rules.temperature, logits);
    fill_beside(seen, -kInfinity, chunk.row(r));
  }
}

// The thread's scratch for scores, valid until its next call: rows start at cache lines, at
// differing offsets within pages.
MutableMatrix scratch_rows(std::size_t rows, std::size_t cols) {
  constexpr std::size_t kLine = PackedPanels::kStep;
  const std::size_t stride = (cols + kLine - 1) / kLine * kLine + kLine;
  static thread_local FloatBuffer scratch;
  scratch.resize(rows * stride);
  return {scratch.data(), rows, cols, stride};
}

// Weights of a row without a normalising sum.
void fill_undefined(const Chunk& chunk, std::size_t r) {
  fill_visible(rules_of_row(chunk.block, r, {chunk.first, chunk.first + chunk.work.cols}), kNaN,
               chunk.row(r));
}

using BlockSums = std::array<RowSum, kBlockQueries>;

// Rows of a matrix from `first` on; empty if there is no matrix.
MutableMatrix rows_if_any(const MutableMatrix& matrix, std::size_t first, std::size_t rows) {
  return matrix.data == nullptr ? matrix : rows_of(matrix, first, rows);
}

void raise_bins_of_row(const LogitBins& bins, const Chunk& chunk, std::size_t r) {
  const KeySpan seen = chunk.seen(r);
  const std::size_t begin = std::max(chunk.first + seen.begin, bins.keys.begin);
  const std::size_t end = std::min(chunk.first + seen.end, bins.keys.end);
  if (begin >= end) return;
  const std::size_t inside = begin - bins.keys.begin;
  raise_bins(chunk.row(r).subspan(begin - chunk.first, end - begin), inside % bins.width,
             bins.width, cells_of(bins.largest, r).subspan(inside / bins.width));
}

// One pass over all keys of `range` for their sums and bins.
void sum_rows(const Block& block, const KeySpan& range, std::span<RowSum> sums,
              const LogitBins& bins) {
  std::vector<std::vector<RowSum>> chunks(sums.size());
  for_chunks(range, kChunkKeys, [&](const KeySpan& part) {
    const Chunk chunk{block, part.begin, scratch_rows(block.asking.rows, part.end - part.begin)};
    put_logits(chunk);
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const KeySpan summed = chunk.summed(r);
      chunks[r].push_back(chunk_sum(part_of(chunk.row(r), summed), part.begin + summed.begin));
      if (bins.largest.data != nullptr) raise_bins_of_row(bins, chunk, r);
    }
  });
  for (std::size_t r = 0; r < sums.size(); ++r) sums[r] = row_sum(chunks[r], block.rules.sink);
}

// Keys of `wanted` that some row of the block sees.
KeySpan seen_of(const Block& block, const KeySpan& wanted) {
  const KeySpan seen = seen_by_all(block);
  const std::size_t begin = std::clamp(seen.begin, wanted.begin, wanted.end);
  return {begin, std::clamp(seen.end, begin, wanted.end)};
}

void weigh_wanted(const Block& block, std::span<const RowSum> sums, const KeySpan& wanted,
                  const MutableMatrix& out) {
  const KeySpan seen = seen_of(block, wanted);
  for (std::size_t r = 0; r < out.rows; ++r) {
    fill_beside({seen.begin - wanted.begin, seen.end - wanted.begin}, 0.0F, cells_of(out, r));
  }
  for_chunks(seen, kChunkKeys, [&](const KeySpan& part) {
    const Chunk chunk{block, part.begin,
                      columns_of(out, {part.begin - wanted.begin, part.end - wanted.begin})};
    put_logits(chunk);
    for (std::size_t r = 0; r < chunk.rows(); ++r) {
      const RowSum& sum = sums[r];
      sum.is_undefined() ? fill_undefined(chunk, r) : row_weights(chunk.row(r), sum, chunk.row(r));
    }
  });
}

// Multiplies a chunk's exponentials with the rows' factors, which gives weights, and adds their
// products to the output, if any, in one loop, so that stores overlap with multiplications.
void weigh_and_multiply(const Chunk& chunk, std::span<const RowSum> sums,
                        const MutableMatrix& output) {
  for (std::size_t r = 0; r < chunk.rows(); ++r) {
    if (sums[r].is_undefined()) fill_undefined(chunk, r);
  }
  const KeySpan all{chunk.first, chunk.first + chunk.work.cols};
  for_chunks(all, kSumBlock, [&](const KeySpan& keys) {
    const KeySpan part{keys.begin - all.begin, keys.end - all.begin};
    for (std::size_t r = 0; r < chunk.rows(); ++r) {
      if (sums[r].is_undefined()) continue;
      const std::span<float> row = part_of(chunk.row(r), part);
      scale_row(row, sums[r].factor(), row);
    }
    if (output.data == nullptr) return;
    add_packed(view_of(columns_of(chunk.work, part)), *chunk.block.values, keys.begin, output);
  });
}

// Weights are computed in place if they are requested.
MutableMatrix work_of(const Block& block, const KeySpan& range, const AttentionOut& out) {
  if (out.weights.data != nullptr) return columns_of(out.weights, range);
  return scratch_rows(block.asking.rows, range.end - range.begin);
}

// Rows of one chunk without a sink: reuses the exponentials of the sums for the weights.
void attend_one_chunk(const Block& block, const KeySpan& range, const AttentionOut& out) {
  const Chunk chunk{block, range.begin, work_of(block, range, out)};
  put_logits(chunk);
  std::array<RowPart, kBlockQueries> parts;
  for (std::size_t r = 0; r < chunk.rows(); ++r) {
    const KeySpan summed = chunk.summed(r);
    parts[r] = {chunk.work.row(r) + summed.begin, summed.end - summed.begin,
                range.begin + summed.begin};
    fill_beside(summed, 0.0F, chunk.row(r));
  }
  BlockSums all_sums;
  const std::span<RowSum> sums = std::span(all_sums).first(chunk.rows());
  chunk_exponentials(std::span(parts).first(chunk.rows()), sums);
  std::ranges::copy(sums.first(out.sums.size()), out.sums.begin());
  weigh_and_multiply(chunk, sums, out.output);
}

void attend_chunks(const Block& block, const KeySpan& range, const AttentionOut& out) {
  BlockSums all_sums;
  const std::span<RowSum> sums = std::span(all_sums).first(block.asking.rows);
  sum_rows(block, range, sums, {});
  std::ranges::copy(sums.first(out.sums.size()), out.sums.begin());
  for_chunks(range, kChunkKeys, [&](const KeySpan& part) {
    const Chunk chunk{block, part.begin, work_of(block, part, out)};
    put_logits(chunk);
    for (std::size_t r = 0; r < chunk.rows(); ++r) {
      exponentials(chunk.row(r), sums[r].shift, chunk.row(r));
    }
    weigh_and_multiply(chunk, sums, out.output);
  });
}

void clear(const KeySpan& range, const AttentionOut& out) {
  for (std::size_t r = 0; r < out.output.rows; ++r)
    std::ranges::fill(cells_of(out.output, r), 0.0F);
  for (std::size_t r = 0; r < out.weights.rows; ++r) {
    fill_beside(range, 0.0F, cells_of(out.weights, r));
  }
}

void attend(const Block& block, const AttentionOut& out) {
  const KeySpan range = seen_by_all(block);
  clear(range, out);
  std::ranges::fill(out.sums, RowSum{});
  if (range.begin == range.end) return;
  const bool is_one_chunk = range.begin / kChunkKeys == (range.end - 1) / kChunkKeys;
  if (is_one_chunk && std::isnan(block.rules.sink)) {
    attend_one_chunk(block, range, out);
  } else {
    attend_chunks(block, range, out);
  }
}

// Non-finite values may be read for visible keys only.
void attend_non_finite(const Block& block, const AttentionOut& out) {
  const std::size_t keys = block.keys.cols(), rows = block.asking.rows;
  std::vector<float> own(out.weights.data == nullptr ? rows * keys : 0);
  AttentionOut weights = out;
  weights.output = {};
  if (!own.empty()) weights.weights = {own.data(), rows, keys, keys};
  attend(block, weights);
  for (std::size_t r = 0; r < rows; ++r) {
    multiply_visible_packed(cells_of(weights.weights, r), rules_of_row(block, r, {0, keys}),
                            *block.values, out.output.row(r));
  }
}

// Calls each(block, first, count) for the rows of a range.
template <class Each>
void for_blocks(const ScoredHead& head, const CellRange& range, Each each) {
  for (std::size_t first = 0; first < range.rows; first += kBlockQueries) {
    const std::size_t count = std::min(kBlockQueries, range.rows - first);
    each(Block(head, part_of(range, first, count)), first, count);
  }
}

AttentionOut rows_of_out(const AttentionOut& out, std::size_t first, std::size_t rows) {
  AttentionOut part = out;
  part.weights = rows_if_any(out.weights, first, rows);
  part.output = rows_if_any(out.output, first, rows);
  if (!out.sums.empty()) part.sums = out.sums.subspan(first, rows);
  return part;
}

}  // namespace

void logits_of(const ScoredHead& head, const CellRange& range, const MutableMatrix& out) {
  const KeySpan wanted{range.col, range.col + range.cols};
  for_blocks(head, range, [&](const Block& block, std::size_t first, std::size_t count) {
    const MutableMatrix to = rows_of(out, first, count);
    const KeySpan seen = seen_of(block, wanted);
    const KeySpan inside{seen.begin - wanted.begin, seen.end - wanted.begin};
    put_logits({block, seen.begin, columns_of(to, inside)});
    for (std::size_t r = 0; r < count; ++r) fill_beside(inside, -kInfinity, cells_of(to, r));
  });
}

void sums_of_rows(const ScoredHead& head, const CellRange& rows, std::span<RowSum> sums,
                  const LogitBins& bins) {
  for_blocks(head, rows, [&](const Block& block, std::size_t first, std::size_t count) {
    LogitBins own = bins;
    own.largest = rows_if_any(bins.largest, first, count);
    sum_rows(block, seen_by_all(block), sums.subspan(first, count), own);
  });
}

void weights_of(const ScoredHead& head, const CellRange& range, std::span<const RowSum> sums,
                const MutableMatrix& out) {
  for_blocks(head, range, [&](const Block& block, std::size_t first, std::size_t count) {
    weigh_wanted(block, sums.subspan(first, count), {range.col, range.col + range.cols},
                 rows_of(out, first, count));
  });
}

void attend_block(const ScoredHead& head, const CellRange& rows, const AttentionOut& out) {
  const bool is_plain = out.output.data == nullptr || head.values_are_finite;
  for_blocks(head, rows, [&](const Block& block, std::size_t first, std::size_t count) {
    const AttentionOut part = rows_of_out(out, first, count);
    is_plain ? attend(block, part) : attend_non_finite(block, part);
  });
}

}  // namespace attn
