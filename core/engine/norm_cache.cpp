// One flag beside each row.
#include "engine/norm_cache.h"

#include <algorithm>

namespace attn {

std::vector<RowSpan> NormCache::read(std::size_t head, const HeadRows& rows,
                                     std::span<RowNorm> norms) const {
  const std::lock_guard lock(mutex_);
  const Head& at = heads_[head];
  if (at.norms.empty()) return {{0, rows.count}};
  std::vector<RowSpan> unknown;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t row = rows.first + i * rows.step;
    if (at.known[row]) {
      norms[i] = at.norms[row];
    } else if (!unknown.empty() && unknown.back().end == i) {
      ++unknown.back().end;
    } else {
      unknown.push_back({i, i + 1});
    }
  }
  return unknown;
}

void NormCache::keep(std::size_t head, const HeadRows& rows, std::span<const RowNorm> norms) {
  const std::lock_guard lock(mutex_);
  Head& at = heads_[head];
  if (at.norms.empty()) {
    at.norms.resize(rows_);
    at.known.resize(rows_);
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    at.norms[rows.first + i * rows.step] = norms[i];
    at.known[rows.first + i * rows.step] = true;
  }
}

}  // namespace attn
