// What is known of the rows of each head: norms, from which any cell of weights follows, or rows of
// the output. Internal to the engine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "attention/mask.h"
#include "engine/kernels/attention_block.h"

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
    const std::lock_guard lock(mutex_);
    const Head& at = heads_[head];
    if (at.ages.empty()) return {{0, rows.count}};
    std::vector<RowSpan> unknown;
    for (std::size_t i = 0; i < rows.count; ++i) {
      if (at.ages[rows.at(i)] > 0) {
        std::copy_n(at.values.begin() + place(rows.at(i)), extents_.width, out.begin() + place(i));
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
    Head& at = heads_[head];
    if (at.ages.empty()) {
      claim(head);
      at.values.resize(extents_.rows * extents_.width);
      at.ages.resize(extents_.rows);
    }
    for (std::size_t i = 0; i < rows.count; ++i) {
      std::copy_n(values.begin() + place(i), extents_.width, at.values.begin() + place(rows.at(i)));
      at.ages[rows.at(i)] = kComputed;
    }
  }

  // Takes over what another cache knows of a head. `adjust`, where it is not empty, makes of a row
  // what it became by an edit, or says that it cannot. A row that was adjusted 64 times since it
  // was computed is forgotten: roundings add up.
  using Adjust = std::function<bool(std::size_t row, std::span<T> values)>;
  void take_over(std::size_t head, const RowCache& before, const Adjust& adjust) {
    Head taken = before.copy(head);
    if (taken.ages.empty()) return;
    for (std::size_t row = 0; adjust && row < taken.ages.size(); ++row) {
      std::uint8_t& age = taken.ages[row];
      if (age == 0) continue;
      const auto values = std::span(taken.values).subspan(row * extents_.width, extents_.width);
      age = age < kTooOld && adjust(row, values) ? static_cast<std::uint8_t>(age + 1) : 0;
    }
    const std::lock_guard lock(mutex_);
    if (heads_[head].ages.empty()) claim(head);
    heads_[head] = std::move(taken);
  }

  void forget(std::size_t head, std::size_t row) {
    const std::lock_guard lock(mutex_);
    if (!heads_[head].ages.empty()) heads_[head].ages[row] = 0;
  }

  bool is_empty(std::size_t head) const {
    const std::lock_guard lock(mutex_);
    return heads_[head].ages.empty();
  }

 private:
  static constexpr std::uint8_t kComputed = 1;
  static constexpr std::uint8_t kTooOld = kComputed + 64;

  struct Head {
    std::vector<T> values;
    std::vector<std::uint8_t> ages;  // of a row: 0 not known, else 1 and how often it was adjusted
  };

  std::ptrdiff_t place(std::size_t row) const {
    return static_cast<std::ptrdiff_t>(row * extents_.width);
  }

  Head copy(std::size_t head) const {
    const std::lock_guard lock(mutex_);
    return heads_[head];
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
  std::vector<Head> heads_;
  std::list<std::size_t> in_use_;
};

}  // namespace attn
