// A short list: looking through it takes less than anything that is drawn from it.
#include "engine/matrix/pooled_memo.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

constexpr std::uint64_t kMostPooledBytes = std::uint64_t{32} << 20U;

}  // namespace

DerivationPtr PooledMemo::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return found->made;
}

void PooledMemo::keep(const std::string& key, DerivationPtr made) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t bytes = made->bytes();
  bytes_ += bytes;
  entries_.push_front({key, std::move(made), bytes});
  while (bytes_ > kMostPooledBytes && entries_.size() > 1) {
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
}

}  // namespace attn
