// Keeps packed weights by the tensors that they are packed from.
#include "engine/kernels/panel_store.h"

#include <iterator>

#include "base/mapped_file.h"

namespace attn {

void pack_map(const Tensor& w, PackedPanels& panels, unsigned threads) {
  const Strided<float> from = w.source();
  const std::size_t in = w.extent(0), out = w.extent(1);
  if (from.data == nullptr) {
    panels.pack_columns(matrix_at(w, 0), threads);
    return give_back(w.data(), w.size() * sizeof(float));
  }
  if (from.col != 1) return panels.pack_rows({from.data, out, in, from.col}, true, threads);
  panels.pack_columns({from.data, in, out, from.row}, threads);
  give_back(from.data, ((in - 1) * from.row + out) * sizeof(float));
}

void PanelStore::begin_pass() {
  const std::lock_guard lock(mutex_);
  ++pass_;
}

std::uint64_t PanelStore::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void PanelStore::make_room(std::uint64_t bytes) {
  for (auto it = entries_.begin(); it != entries_.end() && bytes_ + bytes > most_bytes_;) {
    const bool is_old = it->second.pass + 1 < pass_;
    if (is_old) bytes_ -= it->second.panels->bytes();
    it = is_old ? entries_.erase(it) : std::next(it);
  }
}

std::shared_ptr<const PackedPanels> PanelStore::panels_of(const Tensor& w, unsigned threads) {
  const Key key{w.data(), w.extent(0), w.extent(1)};
  {
    const std::lock_guard lock(mutex_);
    if (const auto kept = entries_.find(key); kept != entries_.end()) {
      kept->second.pass = pass_;
      return kept->second.panels;
    }
  }
  // Packs without the lock: two threads may pack the same matrix, and one of both is kept.
  auto panels = std::make_shared<PackedPanels>();
  pack_map(w, *panels, threads);
  const std::lock_guard lock(mutex_);
  make_room(panels->bytes());
  const bool has_room = bytes_ + panels->bytes() <= most_bytes_;
  if (has_room && entries_.try_emplace(key, Entry{w, panels, pass_}).second) {
    bytes_ += panels->bytes();
  }
  return panels;
}

}  // namespace attn
