// Shares blocks of queries out over threads, those that see most keys first.
#include "whole_heads.h"

#include <algorithm>

#include "engine/kernels/parallel.h"

namespace attn {
namespace {

// Below this number of multiply-adds waking another thread takes longer than it saves.
constexpr std::size_t kAloneMultiplyAdds = 200'000;
// Heads that take no more are one job each.
constexpr std::size_t kSmallHeadMultiplyAdds = std::size_t{1} << 21;

std::size_t blocks_of(const HeadTask& head) {
  return (head.queries.rows + kBlockQueries - 1) / kBlockQueries;
}

// Multiply-adds of a head with all keys, twice for scores and output.
std::size_t multiply_adds(const HeadTask& head) {
  return head.queries.rows * head.keys.rows * (head.keys.cols + head.values.cols);
}

void attend_rows_of(const HeadTask& head, const PackedHead& packed, std::size_t first,
                    std::size_t rows) {
  attend_block({*head.rules, head.queries, packed.keys, &packed.values, packed.values_are_finite},
               {first, 0, rows},
               {rows_of(head.weights, first, rows), rows_of(head.output, first, rows), {}});
}

// A head that one thread packs and attends.
void attend_small_head(const HeadTask& head, PackedHead& packed) {
  packed.pack(head.keys, head.values);
  attend_rows_of(head, packed, 0, head.queries.rows);
}

// The last rows first: of a causal head they take longest.
void attend_block_of(const HeadTask& head, const PackedHead& packed, std::size_t block) {
  const std::size_t first = (blocks_of(head) - 1 - block) * kBlockQueries;
  const std::size_t rows = std::min(kBlockQueries, head.queries.rows - first);
  attend_rows_of(head, packed, first, rows);
}

}  // namespace

void PackedHead::pack(const MatrixView& keys_of_head, const MatrixView& values_of_head) {
  keys.pack_rows(keys_of_head);
  values.pack_columns(values_of_head);
  values_are_finite = summary_of_matrix(values_of_head).non_finite == 0;
}

void attend_heads(std::span<const HeadTask> heads, unsigned threads, AttentionBuffers& buffers) {
  const HeadTask& any = heads.front();
  if (heads.size() * multiply_adds(any) <= kAloneMultiplyAdds) threads = 1;
  if (buffers.size() < heads.size()) buffers.resize(heads.size());
  if (multiply_adds(any) <= kSmallHeadMultiplyAdds) {
    parallel_for(heads.size(), threads, nullptr,
                 [&](std::size_t head) { attend_small_head(heads[head], buffers[head]); });
    return;
  }
  parallel_for(heads.size(), threads, nullptr,
               [&](std::size_t head) { buffers[head].pack(heads[head].keys, heads[head].values); });
  const std::size_t blocks = blocks_of(any);
  parallel_for(heads.size() * blocks, threads, nullptr, [&](std::size_t job) {
    const std::size_t head = job / blocks;
    attend_block_of(heads[head], buffers[head], job % blocks);
  });
}

}  // namespace attn
