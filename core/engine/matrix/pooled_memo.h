// Small versions of whole maps that plots draw again and again.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "engine/matrix/pool.h"

namespace attn {

// Safe to use from several threads. Forgets what was not asked for longest when all together take
// more than 32 MiB.
class PooledMemo {
 public:
  // Null when it is not known.
  std::shared_ptr<const PooledCells> find(const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const PooledCells> cells);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const PooledCells> cells;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  // what was asked for last stands in front
  std::size_t bytes_ = 0;
};

}  // namespace attn
