// Packs outside of the lock, so that heads do not wait for each other.
#include "engine/packed_cache.h"

namespace attn {

const PackedPanels* PackedCache::find(std::size_t matrix,
                                      const std::function<void(PackedPanels&)>& pack) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Entry>& at = panels_[matrix];
    if (at == nullptr) at = std::make_unique<Entry>();
    entry = at.get();
  }
  std::call_once(entry->once, [&] { pack(entry->panels); });
  return &entry->panels;
}

}  // namespace attn
