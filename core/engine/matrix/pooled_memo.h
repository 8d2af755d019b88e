// Small versions of whole maps, and what is known of them, that plots need again and again.
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <string>

#include "engine/matrix/derivation.h"

namespace attn {

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
