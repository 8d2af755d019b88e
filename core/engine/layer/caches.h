// Caches of a layer without materialised maps, per head: rows, packed matrices and pooled maps.
// Internal to the engine.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "attention/mask.h"
#include "engine/kernels/attention_block.h"
#include "engine/kernels/packed_product.h"
#include "engine/read/result.h"

namespace attn {

// `width` numbers per row. Thread-safe. Allocates for a head when its first row is stored; beyond
// `most_heads` frees the head allocated first.
template <class T>
class RowCache {
 public:
  RowCache(std::size_t heads, std::size_t rows, std::size_t width = 1,
           std::size_t most_heads = static_cast<std::size_t>(-1))
      : rows_(rows), width_(width), most_heads_(most_heads), heads_(heads) {}

  // Copies cached rows, or some columns of each, to `out`, one after another, and returns the
  // indices, among these rows, of those missing.
  std::vector<RowSpan> read(std::size_t head, const CellRange& rows, std::span<T> out,
                            std::optional<RowSpan> some = {}) const {
    const RowSpan cols = some.value_or(RowSpan{0, width_});
    const std::lock_guard lock(mutex_);
    const Rows* known = heads_[head].rows.get();
    if (known == nullptr) return {{0, rows.rows}};
    const std::size_t width = cols.end - cols.begin;
    std::vector<RowSpan> unknown;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      if (known->ages[rows.row_at(i)] > 0) {
        std::ranges::copy(values_of(*known, rows.row_at(i)).subspan(cols.begin, width),
                          out.begin() + static_cast<std::ptrdiff_t>(i * width));
      } else if (!unknown.empty() && unknown.back().end == i) {
        ++unknown.back().end;
      } else {
        unknown.push_back({i, i + 1});
      }
    }
    return unknown;
  }

  void keep(std::size_t head, const CellRange& rows, std::span<const T> values) {
    const std::lock_guard lock(mutex_);
    Rows& known = rows_to_change(head);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const auto from = values.subspan(i * width_, width_);
      std::ranges::copy(from, values_of(known, rows.row_at(i)).begin());
      known.ages[rows.row_at(i)] = kComputed;
    }
  }

  // Reuses the rows of another cache for a head. A non-empty `adjust` updates a row after an edit,
  // or returns false if it cannot. Rows adjusted 64 times since they were computed are dropped,
  // because roundings accumulate.
  using Adjust = std::function<bool(std::size_t row, std::span<T> values)>;
  void take_over(std::size_t head, const RowCache& before, const Adjust& adjust) {
    std::shared_ptr<Rows> shared = before.share(head);
    if (shared == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (heads_[head].rows == nullptr) claim(head);
    heads_[head] = {std::move(shared), true};
    if (!adjust) return;
    Rows& known = rows_to_change(head);
    for (std::size_t row = 0; row < rows_; ++row) {
      std::uint8_t& age = known.ages[row];
      if (age == 0) continue;
      const bool is_known = age < kTooOld && adjust(row, values_of(known, row));
      age = is_known ? static_cast<std::uint8_t>(age + 1) : std::uint8_t{0};
    }
  }

  void forget(std::size_t head, std::size_t row) {
    const std::lock_guard lock(mutex_);
    if (heads_[head].rows != nullptr) rows_to_change(head).ages[row] = 0;
  }

  bool is_empty(std::size_t head) const {
    const std::lock_guard lock(mutex_);
    return heads_[head].rows == nullptr;
  }

 private:
  static constexpr std::uint8_t kComputed = 1;
  static constexpr std::uint8_t kTooOld = kComputed + 64;

  struct Rows {
    std::vector<T> values;
    std::vector<std::uint8_t> ages;  // per row: 0 missing, else 1 + number of adjustments
  };
  // Rows shared by two caches are immutable; copy before changing.
  struct Head {
    std::shared_ptr<Rows> rows;
    bool is_shared = false;
  };

  std::span<T> values_of(Rows& known, std::size_t row) const {
    return std::span(known.values).subspan(row * width_, width_);
  }
  std::span<const T> values_of(const Rows& known, std::size_t row) const {
    return std::span(known.values).subspan(row * width_, width_);
  }

  std::shared_ptr<Rows> share(std::size_t head) const {
    const std::lock_guard lock(mutex_);
    if (heads_[head].rows != nullptr) heads_[head].is_shared = true;
    return heads_[head].rows;
  }

  Rows& rows_to_change(std::size_t head) {
    Head& at = heads_[head];
    if (at.rows == nullptr) {
      claim(head);
      at.rows = std::make_shared<Rows>();
      at.rows->values.resize(rows_ * width_);
      at.rows->ages.resize(rows_);
    } else if (at.is_shared) {
      at = {std::make_shared<Rows>(*at.rows), false};
    }
    return *at.rows;
  }

  void claim(std::size_t head) {
    if (in_use_.size() == most_heads_) {
      heads_[in_use_.front()] = {};
      in_use_.pop_front();
    }
    in_use_.push_back(head);
  }

  std::size_t rows_, width_, most_heads_;
  mutable std::mutex mutex_;
  mutable std::vector<Head> heads_;
  std::list<std::size_t> in_use_;
};

// Thread-safe except clear() and drop().
class PackedCache {
 public:
  using Change = std::function<void(PackedPanels&)>;
  // Panels of a matrix by number; pack(panels) fills them on the first request. Valid until
  // clear() or drop() of this one.
  const PackedPanels* find(std::size_t matrix, const Change& pack);

  // Reuses the panels of a matrix from a cache that has them; a non-empty change(panels) changes a
  // copy. Precondition: not requested from this cache before.
  void take_over(std::size_t matrix, PackedCache& before, const Change& change);

  void clear() { panels_.clear(); }
  void drop(std::size_t matrix) { panels_.erase(matrix); }

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

// Thread-safe. Drops the least recently used entries beyond 32 MiB.
class PoolCache {
 public:
  struct Question {
    std::size_t head = 0;  // index
    CellRange range;
    std::size_t row_step = 1, col_step = 1;
    friend bool operator==(const Question&, const Question&) = default;
  };

  // Copies cached rows to `out`, which has the extents of the answer, and returns the missing rows.
  std::vector<RowSpan> read(const Question& question, PooledCells& out);

  void keep(const Question& question, const PooledCells& cells);

  // Reuses what another cache has of a head, except rows that cover changed rows of the map.
  void take_over(std::size_t head, PoolCache& before, std::span<const std::size_t> changed_rows);

 private:
  struct Entry {
    Question question;
    std::shared_ptr<const PooledCells> cells;
    std::vector<std::size_t> stale;  // rows of the cells
  };
  void put_in_front(Entry entry);

  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::size_t bytes_ = 0;
};

}  // namespace attn
