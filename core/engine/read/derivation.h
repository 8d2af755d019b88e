// What is computed once from a result and then only read, such as derived matrices, measures of
// heads and small versions of maps: cached by key, within a memory budget.
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

// Immutable once made; safe to read from any thread.
class Derivation {
 public:
  virtual ~Derivation() = default;
  virtual std::uint64_t bytes() const = 0;  // that it holds by itself
};
using DerivationPtr = std::shared_ptr<const Derivation>;

// All that was derived from one result, or why it could not be. A value: copies share what they
// hold.
class Derivations {
 public:
  // What was made or went wrong; null as long as it was not tried. Borrowed until the next change.
  const Result<DerivationPtr>* find(std::string_view key) const;

  // What was made, when it is of this kind; null otherwise.
  template <class Kind>
  std::shared_ptr<const Kind> get(std::string_view key) const {
    const Result<DerivationPtr>* made = find(key);
    return made != nullptr && *made ? std::dynamic_pointer_cast<const Kind>(**made) : nullptr;
  }

  void keep(std::string key, Result<DerivationPtr> made);

  // These keys are shown now. What else failed is forgotten, so that it is tried again when it is
  // requested again; of the rest what was not shown for longest goes until all together hold at
  // most `budget_bytes`.
  void look_at(std::span<const std::string> keys, std::uint64_t budget_bytes);

  // Another number whenever something has come or gone.
  std::uint64_t version() const { return version_; }
  std::size_t size() const { return entries_.size(); }
  std::uint64_t bytes() const;

 private:
  struct Entry {
    std::string key;
    Result<DerivationPtr> made;
  };
  std::vector<Entry> entries_;  // what was shown last stands at the end
  std::uint64_t version_ = 0;
};

// Safe to use from several threads. Forgets what was not asked for longest when all together take
// more than 32 MiB.
class PooledMemo {
 public:
  // Null when it is not known.
  DerivationPtr find(const std::string& key);
  void keep(const std::string& key, DerivationPtr made);

 private:
  struct Entry {
    std::string key;
    DerivationPtr made;
    std::uint64_t bytes = 0;  // when it was kept
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  // what was asked for last stands in front
  std::uint64_t bytes_ = 0;
};

}  // namespace attn
