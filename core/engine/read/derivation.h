// Derivations: computed once from a result and then only read, such as derived matrices, measures
// of heads and pooled maps; cached by key within a budget of memory.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace attn {

// Immutable and thread-safe.
class Derivation {
 public:
  virtual ~Derivation() = default;
  virtual std::uint64_t bytes() const = 0;  // that it owns
};
using DerivationPtr = std::shared_ptr<const Derivation>;

// All derivations of one result, with errors of failed ones. Copies share the derivations.
class Derivations {
 public:
  // Derivation or error; null if not tried. Borrowed until the next change.
  const Result<DerivationPtr>* find(std::string_view key) const;

  // Derivation of this kind; null otherwise.
  template <class Kind>
  std::shared_ptr<const Kind> get(std::string_view key) const {
    const Result<DerivationPtr>* made = find(key);
    return made != nullptr && *made ? std::dynamic_pointer_cast<const Kind>(**made) : nullptr;
  }

  void keep(std::string key, Result<DerivationPtr> made);

  // Marks keys as shown. Drops other failures, so that they are retried on request, and the least
  // recently shown of the rest beyond `budget_bytes`.
  void mark_shown(std::span<const std::string> keys, std::uint64_t budget_bytes);

  // Changes whenever an entry is added or removed.
  std::uint64_t version() const { return version_; }
  std::size_t size() const { return entries_.size(); }
  std::uint64_t bytes() const;

 private:
  struct Entry {
    std::string key;
    Result<DerivationPtr> made;
  };
  std::vector<Entry> entries_;  // most recently shown last
  std::uint64_t version_ = 0;
};

// Thread-safe. Drops the least recently used entries beyond 32 MiB.
class PooledMemo {
 public:
  // Null if absent.
  DerivationPtr find(const std::string& key);
  void keep(const std::string& key, DerivationPtr made);

 private:
  struct Entry {
    std::string key;
    DerivationPtr made;
    std::uint64_t bytes = 0;  // when it was stored
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::uint64_t bytes_ = 0;
};

}  // namespace attn
