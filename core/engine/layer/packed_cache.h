// Keys and values of each head, laid out once for products in float. Internal to the engine.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "engine/kernels/packed_panels.h"

namespace attn {

// Safe to use from several threads but for clear().
class PackedCache {
 public:
  // The panels of a matrix, by number; pack(panels) fills them when nobody asked before. Stays as
  // long as the cache is not cleared.
  const PackedPanels* find(std::size_t matrix, const std::function<void(PackedPanels&)>& pack);

  // Takes over the panels of a matrix from a cache that has them; change(panels) changes a copy of
  // them, when it is not empty. This cache must not have been asked for them before.
  void take_over(std::size_t matrix, PackedCache& before,
                 const std::function<void(PackedPanels&)>& change);

  void clear() { panels_.clear(); }

 private:
  struct Entry {
    std::once_flag once;
    std::atomic<bool> is_packed = false;
    PackedPanels panels;
  };
  std::shared_ptr<Entry> entry(std::size_t matrix);

  std::mutex mutex_;
  std::map<std::size_t, std::shared_ptr<Entry>> panels_;
};

}  // namespace attn
