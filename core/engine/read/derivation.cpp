// Caches of derivations.
#include "engine/read/derivation.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

constexpr std::uint64_t kMostPooledBytes = std::uint64_t{32} << 20U;

}  // namespace

const Result<DerivationPtr>* Derivations::find(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  return found != entries_.end() ? &found->made : nullptr;
}

void Derivations::keep(std::string key, Result<DerivationPtr> made) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
  entries_.push_back({std::move(key), std::move(made)});
  ++version_;
}

void Derivations::mark_shown(std::span<const std::string> keys, std::uint64_t budget_bytes) {
  const auto wanted = [&](const Entry& entry) {
    return std::ranges::find(keys, entry.key) != keys.end();
  };
  std::erase_if(entries_, [&](const Entry& entry) { return !entry.made.ok() && !wanted(entry); });
  std::stable_partition(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return !wanted(entry); });
  while (bytes() > budget_bytes && !wanted(entries_.front())) entries_.erase(entries_.begin());
}

std::uint64_t Derivations::bytes() const {
  std::uint64_t sum = 0;
  for (const Entry& entry : entries_) {
    if (entry.made) sum += (*entry.made)->bytes();
  }
  return sum;
}

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
