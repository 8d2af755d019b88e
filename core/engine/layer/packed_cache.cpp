// Packs outside of the lock, so that heads do not wait for each other.
#include "engine/layer/packed_cache.h"

namespace attn {

std::shared_ptr<PackedCache::Entry> PackedCache::entry(std::size_t matrix) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Entry>& at = panels_[matrix];
  if (at == nullptr) at = std::make_shared<Entry>();
  return at;
}

const PackedPanels* PackedCache::find(std::size_t matrix,
                                      const std::function<void(PackedPanels&)>& pack) {
  Entry* at = entry(matrix).get();
  std::call_once(at->once, [&] {
    pack(at->panels);
    at->is_packed.store(true, std::memory_order_release);
  });
  return &at->panels;
}

void PackedCache::take_over(std::size_t matrix, PackedCache& before,
                            const std::function<void(PackedPanels&)>& change) {
  const std::shared_ptr<Entry> known = before.entry(matrix);
  if (!known->is_packed.load(std::memory_order_acquire)) return;
  if (change) {
    find(matrix, [&](PackedPanels& panels) {
      panels.copy(known->panels);
      change(panels);
    });
    return;
  }
  const std::lock_guard lock(mutex_);
  panels_[matrix] = known;
}

}  // namespace attn
