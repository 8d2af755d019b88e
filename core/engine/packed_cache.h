// Keys and values of each head, laid out once for products in float. Internal to the engine.
#pragma once

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

  void clear() { panels_.clear(); }

 private:
  struct Entry {
    std::once_flag once;
    PackedPanels panels;
  };
  std::mutex mutex_;
  std::map<std::size_t, std::unique_ptr<Entry>> panels_;
};

}  // namespace attn
