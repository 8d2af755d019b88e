// What a layer that does not keep its maps caches of each head: rows, matrices laid out for
// products, and maps made small. Internal to the engine.
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
#include <span>
#include <utility>
#include <vector>

#include "attention/mask.h"
#include "engine/kernels/attention_block.h"
#include "engine/kernels/packed_product.h"
#include "engine/read/result.h"

namespace attn {

// `width` numbers for each row. Safe to use from several threads. Takes memory for a head when its
// first row becomes known, and gives back that of the head that was asked for first when they are
// more than `most_heads`.
template <class T>
class RowCache {
 public:
  struct Extents {
    std::size_t heads = 0;
    std::size_t rows = 0;
    std::size_t width = 1;
    std::size_t most_heads = static_cast<std::size_t>(-1);
  };
  explicit RowCache(const Extents& extents) : extents_(extents), heads_(extents.heads) {}

  // Copies what is known of the rows, one after the other, and returns the numbers, among these
  // rows, of those that are not.
  std::vector<RowSpan> read(std::size_t head, const HeadRows& rows, std::span<T> out) const {
    return read(head, rows, {0, extents_.width}, out);
  }
  // Some of the numbers of each row.
  std::vector<RowSpan> read(std::size_t head, const HeadRows& rows, const RowSpan& cols,
                            std::span<T> out) const {
    const std::lock_guard lock(mutex_);
    const Rows* known = heads_[head].rows.get();
    if (known == nullptr) return {{0, rows.count}};
    const std::size_t width = cols.end - cols.begin;
    std::vector<RowSpan> unknown;
    for (std::size_t i = 0; i < rows.count; ++i) {
      if (known->ages[rows.at(i)] > 0) {
        std::ranges::copy(values_of(*known, rows.at(i)).subspan(cols.begin, width),
                          out.begin() + static_cast<std::ptrdiff_t>(i * width));
      } else if (!unknown.empty() && unknown.back().end == i) {
        ++unknown.back().end;
      } else {
        unknown.push_back({i, i + 1});
      }
    }
    return unknown;
  }

  void keep(std::size_t head, const HeadRows& rows, std::span<const T> values) {
    const std::lock_guard lock(mutex_);
    Rows& known = rows_to_change(head);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const auto from = values.subspan(i * extents_.width, extents_.width);
      std::ranges::copy(from, values_of(known, rows.at(i)).begin());
      known.ages[rows.at(i)] = kComputed;
    }
  }

  // Takes over what another cache knows of a head. `adjust`, where it is not empty, makes of a row
  // what it became by an edit, or says that it cannot. A row that was adjusted 64 times since it
  // was computed is forgotten: roundings add up.
  using Adjust = std::function<bool(std::size_t row, std::span<T> values)>;
  void take_over(std::size_t head, const RowCache& before, const Adjust& adjust) {
    std::shared_ptr<Rows> shared = before.share(head);
    if (shared == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (heads_[head].rows == nullptr) claim(head);
    heads_[head] = {std::move(shared), true};
    if (!adjust) return;
    Rows& known = rows_to_change(head);
    for (std::size_t row = 0; row < extents_.rows; ++row) {
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
    std::vector<std::uint8_t> ages;  // of a row: 0 not known, else 1 and how often it was adjusted
  };
  // Rows that two caches have are changed by neither: who wants to, copies them first.
  struct Head {
    std::shared_ptr<Rows> rows;
    bool is_shared = false;
  };

  std::span<T> values_of(Rows& known, std::size_t row) const {
    return std::span(known.values).subspan(row * extents_.width, extents_.width);
  }
  std::span<const T> values_of(const Rows& known, std::size_t row) const {
    return std::span(known.values).subspan(row * extents_.width, extents_.width);
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
      at.rows->values.resize(extents_.rows * extents_.width);
      at.rows->ages.resize(extents_.rows);
    } else if (at.is_shared) {
      at = {std::make_shared<Rows>(*at.rows), false};
    }
    return *at.rows;
  }

  void claim(std::size_t head) {
    if (in_use_.size() == extents_.most_heads) {
      heads_[in_use_.front()] = {};
      in_use_.pop_front();
    }
    in_use_.push_back(head);
  }

  Extents extents_;
  mutable std::mutex mutex_;
  mutable std::vector<Head> heads_;
  std::list<std::size_t> in_use_;
};

// Safe to use from several threads but for clear().
class PackedCache {
 public:
  // The panels of a matrix, by number; pack(panels) fills them when they are requested first. Stays
  // as long as the cache is not cleared.
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

// Safe to use from several threads. Forgets what was not asked for longest when all together take
// more than 32 MiB.
class PoolCache {
 public:
  struct Question {
    std::size_t head = 0;  // by number
    CellRange range;
    std::size_t row_step = 1, col_step = 1;
    friend bool operator==(const Question&, const Question&) = default;
  };

  // Copies what is known to `out`, which has the extents of the answer, and returns the rows of it
  // that are not.
  std::vector<RowSpan> read(const Question& question, PooledCells& out);

  void keep(const Question& question, const PooledCells& cells);

  // Takes over what another cache knows of a head, but for what lies over some rows of its map.
  void take_over(std::size_t head, PoolCache& before, std::span<const std::size_t> changed_rows);

 private:
  struct Entry {
    Question question;
    std::shared_ptr<const PooledCells> cells;
    std::vector<std::size_t> stale;  // rows of the cells
  };
  void put_in_front(Entry entry);

  std::mutex mutex_;
  std::list<Entry> entries_;  // what was asked for last stands in front
  std::size_t bytes_ = 0;
};

}  // namespace attn
