// A short list: looking through it takes less than anything that is drawn from it.
#include "engine/matrix/pooled_memo.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

constexpr std::size_t kMostPooledBytes = std::size_t{32} << 20U;

std::size_t bytes_of(const PooledCells& cells) {
  return cells.values.size() * (sizeof(float) + sizeof(std::uint8_t));
}

}  // namespace

std::shared_ptr<const PooledCells> PooledMemo::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return found->cells;
}

void PooledMemo::keep(const std::string& key, std::shared_ptr<const PooledCells> cells) {
  const std::lock_guard lock(mutex_);
  bytes_ += bytes_of(*cells);
  entries_.push_front({key, std::move(cells)});
  while (bytes_ > kMostPooledBytes && entries_.size() > 1) {
    bytes_ -= bytes_of(*entries_.back().cells);
    entries_.pop_back();
  }
}

}  // namespace attn
