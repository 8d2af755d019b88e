// Caches of a layer. Packing happens outside of the lock, so that heads do not wait for each other;
// pooled maps are in a short list, which is searched faster than anything is drawn.
#include "engine/layer/caches.h"

namespace attn {
namespace {

constexpr std::size_t kMostBytes = std::size_t{32} << 20U;

std::size_t bytes_of_pool(const PooledCells& cells) {
  return cells.values.size() * (sizeof(float) + sizeof(HiddenRules));
}

// Adds the row of the answer that covers a row of the map, if any.
void add_row_over(const PoolCache::Question& question, std::size_t row,
                  std::vector<std::size_t>& rows) {
  const CellRange& range = question.range;
  if (row < range.row || (row - range.row) % range.row_step != 0) return;
  const std::size_t number = (row - range.row) / range.row_step;
  if (number < range.rows) rows.push_back(number / question.row_step);
}

}  // namespace

std::shared_ptr<PackedCache::Entry> PackedCache::entry(std::size_t matrix) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Entry>& at = panels_[matrix];
  if (at == nullptr) at = std::make_shared<Entry>();
  return at;
}

const PackedPanels* PackedCache::find(std::size_t matrix, const Change& pack) {
  Entry* at = entry(matrix).get();
  std::call_once(at->once, [&] {
    pack(at->panels);
    at->is_packed.store(true, std::memory_order_release);
  });
  return &at->panels;
}

void PackedCache::take_over(std::size_t matrix, PackedCache& before, const Change& change) {
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

std::vector<RowSpan> PoolCache::read(const Question& question, PooledCells& out) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, question, &Entry::question);
  if (found == entries_.end()) return {{0, out.rows}};
  entries_.splice(entries_.begin(), entries_, found);
  out = *found->cells;
  std::vector<RowSpan> unknown;
  for (const std::size_t row : found->stale) unknown.push_back({row, row + 1});
  return unknown;
}

void PoolCache::keep(const Question& question, const PooledCells& cells) {
  auto kept = std::make_shared<const PooledCells>(cells);
  const std::lock_guard lock(mutex_);
  const auto old = std::ranges::find(entries_, question, &Entry::question);
  if (old != entries_.end()) {
    bytes_ -= bytes_of_pool(*old->cells);
    entries_.erase(old);
  }
  put_in_front({question, std::move(kept), {}});
}

void PoolCache::put_in_front(Entry entry) {
  bytes_ += bytes_of_pool(*entry.cells);
  entries_.push_front(std::move(entry));
  while (bytes_ > kMostBytes && entries_.size() > 1) {
    bytes_ -= bytes_of_pool(*entries_.back().cells);
    entries_.pop_back();
  }
}

void PoolCache::take_over(std::size_t head, PoolCache& before,
                          std::span<const std::size_t> changed_rows) {
  std::list<Entry> known;
  {
    const std::lock_guard lock(before.mutex_);
    known = before.entries_;
  }
  const std::lock_guard lock(mutex_);
  for (Entry& entry : known) {
    if (entry.question.head != head) continue;
    for (const std::size_t row : changed_rows) add_row_over(entry.question, row, entry.stale);
    put_in_front(std::move(entry));
  }
}

}  // namespace attn
