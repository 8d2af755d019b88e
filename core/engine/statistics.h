// What is known of all cells of a matrix: ends, counts, mean, percentiles, histogram.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "engine/matrix/matrix.h"

namespace attn {

// A percentile at a place between values is the upper one of both.
struct ExactPercentile {
  double share = 0.0;
  float value = 0.0F;
  std::uint64_t above = 0;  // cells that are larger
};

inline constexpr double kUsualShare = 0.9;  // which colours ask of every frame

// Of visible finite cells; 0 where there are none.
struct Statistics final : Derivation {
  struct Entry {
    float value = 0.0F;
    std::uint64_t cells = 0;
  };

  float low = 0.0F, high = 0.0F, least_above_zero = 0.0F;
  std::uint64_t cells = 0, hidden = 0, non_finite = 0;
  std::size_t rows_read = 0;           // of the matrix; fewer than it has: they stand for all
  double mean = 0.0, deviation = 0.0;  // of the cells that were read
  std::vector<float> values;           // the cells in any order, while they are few
  std::vector<Entry> counted;          // others by value, rounded towards zero to 8 binary digits
  std::optional<ExactPercentile> exact;
  std::optional<float> usual_magnitude;  // that of kUsualShare, found once

  // Whether counts and percentiles are of the values themselves, not of rounded ones.
  bool is_exact() const { return counted.empty(); }
  // The value that a share of the cells does not exceed; 0 without cells.
  float percentile(double share) const;
  // The same of the magnitudes of those that are not 0.
  float magnitude(double share) const;
  std::uint64_t above(float value) const;
  std::uint64_t below(float value) const;
  static constexpr std::size_t kMostBins = 250;
  // The cells in each of `bins` equal parts of a scale, from the low end up; place(value) is 0 at
  // its low end and 1 at its high one, and never falls. Those beyond its ends are in none.
  std::vector<std::uint64_t> histogram(std::size_t bins,
                                       const std::function<double(double)>& place) const;
  std::uint64_t bytes() const override {
    return values.size() * sizeof(float) + counted.size() * sizeof(Entry);
  }
};
using StatisticsPtr = std::shared_ptr<const Statistics>;

// Mean and deviation by sums about the first value, so that large close numbers keep their digits.
class Moments {
 public:
  void add(double value) {
    if (count_ == 0) first_ = value;
    ++count_;
    const double by = value - first_;
    sum_ += by;
    squares_ += by * by;
  }
  void merge(const Moments& other);
  double mean() const;
  double deviation() const;  // of all, not of a sample

 private:
  std::uint64_t count_ = 0;
  double first_ = 0.0, sum_ = 0.0, squares_ = 0.0;
};

// Finite values by the upper half of their bits: rounded towards zero to eight binary digits.
class ValueCounts {
 public:
  // `value` is finite.
  void add(float value) { ++cells_[std::bit_cast<std::uint32_t>(value) >> kCutBits]; }
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

// Fewer cells are kept one by one, and read in every frame that draws them.
inline constexpr std::size_t kReadAtOnce = 250'000;

struct StatisticsOptions {
  bool all_heads = false;         // of all heads of the layer, where the matrix is of one of them
  bool parts_of_rows = false;     // each cell as part of the largest one of its row
  std::optional<double> share{};  // a percentile that is found exactly, by reading all cells twice
  friend bool operator==(const StatisticsOptions&, const StatisticsOptions&) = default;
};

// Of every row_step-th row, on several threads, with the same bits for any number of them. Leaves
// out what the mask of `result` hides, also of scores, whose hidden cells are drawn; `result` may
// be null, and `matrix` is of the attention that it is of. Unfinished when it is cancelled;
// `progress` may be null.
Statistics statistics_of(const Matrix& matrix, const AttentionResult* result,
                         const StatisticsOptions& options = {}, std::size_t row_step = 1,
                         Progress* progress = nullptr);

// Of pixels, or of any cells; without `hidden` all are visible.
Statistics of_cells(std::span<const float> values, std::span<const HiddenRules> hidden);

// Adds cells that share a scale with those of `all`.
void join(Statistics& all, const Statistics& more);

// A stage of scores with the cells hidden that the mask hides from its head; others as they are.
// The mask is borrowed.
MatrixPtr as_seen(MatrixPtr matrix, const AttentionResult& result);

// Of so many cells of rows at equal distances, those of a coarser step among those of a finer one.
std::size_t sampling_step(const StageShape& extents, std::size_t heads, std::size_t most_cells);

}  // namespace attn
