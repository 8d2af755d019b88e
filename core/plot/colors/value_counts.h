// How many cells have which value, of a matrix of any length: what percentiles and histograms are
// found from without keeping the cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/progress.h"
#include "engine/matrix/row_reader.h"

namespace attn {

// Finite values by the upper half of their bits: rounded towards zero to eight binary digits.
class ValueCounts {
 public:
  void add(float value);
  void merge(const ValueCounts& other);
  std::uint64_t total() const;

  // Calls each(value, cells) for values that occur, ascending.
  void for_each(const std::function<void(float, std::uint64_t)>& each) const;

 private:
  friend class ExactPlace;
  static constexpr unsigned kCutBits = 16;  // of a float's 32
  static constexpr std::size_t kNegative = std::size_t{1} << 15U;
  std::vector<std::uint64_t> cells_ = std::vector<std::uint64_t>(2 * kNegative);
};

// The value that stands at a place of the sorted ones: the counts tell nearly which, those of the
// values about it, seen once more, exactly.
class ExactPlace {
 public:
  // Precondition: place < counts.total().
  ExactPlace(const ValueCounts& counts, std::uint64_t place);

  void add(float value);  // each of the values once more
  void merge(const ExactPlace& other);

  float value() const;
  std::uint64_t above() const;  // how many values are larger

 private:
  std::size_t bucket_ = 0;    // of the counts, that the value is in
  std::uint64_t before_ = 0;  // values of the buckets below it
  std::uint64_t place_ = 0, total_ = 0;
  std::vector<std::uint64_t> cells_ = std::vector<std::uint64_t>(2 * ValueCounts::kNegative);
};

// Calls read(rows) for parts of the range, each some rows after each other, on several threads.
// False when it was cancelled.
bool read_in_parts(const Matrix& matrix, const CellRange& range, Progress* progress,
                   const std::function<void(RowReader& rows)>& read);

}  // namespace attn
