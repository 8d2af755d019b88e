// An age beside each row.
#include "engine/norm_cache.h"

#include <algorithm>

namespace attn {
namespace {

constexpr std::uint8_t kComputed = 1;
constexpr std::uint8_t kTooOld = kComputed + 64;

}  // namespace

std::vector<RowSpan> NormCache::read(std::size_t head, const HeadRows& rows,
                                     std::span<RowNorm> norms) const {
  const std::lock_guard lock(mutex_);
  const Head& at = heads_[head];
  if (at.norms.empty()) return {{0, rows.count}};
  std::vector<RowSpan> unknown;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t row = rows.first + i * rows.step;
    if (at.age[row] > 0) {
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
    at.age.resize(rows_);
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    at.norms[rows.first + i * rows.step] = norms[i];
    at.age[rows.first + i * rows.step] = kComputed;
  }
}

void NormCache::take_over(std::size_t head, const NormCache& before, const Adjust& adjust) {
  Head taken;
  {
    const std::lock_guard lock(before.mutex_);
    taken = before.heads_[head];
  }
  for (std::size_t row = 0; adjust && row < taken.norms.size(); ++row) {
    std::uint8_t& age = taken.age[row];
    if (age == 0) continue;
    const bool is_known = age < kTooOld && adjust(row, taken.norms[row]);
    age = is_known ? static_cast<std::uint8_t>(age + 1) : std::uint8_t{0};
  }
  const std::lock_guard lock(mutex_);
  heads_[head] = std::move(taken);
}

bool NormCache::is_empty(std::size_t head) const {
  const std::lock_guard lock(mutex_);
  return heads_[head].norms.empty();
}

void NormCache::forget(std::size_t head, std::size_t row) {
  const std::lock_guard lock(mutex_);
  if (!heads_[head].age.empty()) heads_[head].age[row] = 0;
}

}  // namespace attn
