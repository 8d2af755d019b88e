// Statistics of a matrix: extremes, counts, histogram.
#pragma once

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

// Statistics of the visible finite cells; 0 if there are none.
struct Statistics final : Derivation {
  struct Entry {
    float value = 0.0F;
    std::uint64_t cells = 0;
  };

  float low = 0.0F, high = 0.0F;
  std::uint64_t cells = 0, hidden = 0;
  std::size_t rows_read = 0;   // rows read; fewer than all: a sample
  std::vector<float> values;   // all cells, unordered, while they are few
  std::vector<Entry> counted;  // else by value, rounded towards zero to 8 binary digits

  // True if counts use exact, not rounded, values.
  bool is_exact() const { return counted.empty(); }
  std::uint64_t above(float value) const;
  std::uint64_t below(float value) const;
  static constexpr std::size_t kMostBins = 250;
  // Cells in each of `bins` equal parts of a scale, from the low end up; place(value) is 0 at its
  // low end and 1 at its high one, and must not fall. Cells outside are not counted.
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
  double mean() const;
  double deviation() const;  // of the population

 private:
  std::uint64_t count_ = 0;
  double first_ = 0.0, sum_ = 0.0, squares_ = 0.0;
};

// Up to this many cells are stored, and read in every frame that draws them.
inline constexpr std::size_t kReadAtOnce = 250'000;

struct StatisticsOptions {
  bool all_heads = false;      // of all heads of the layer, if the matrix is of one
  bool parts_of_rows = false;  // cells relative to their row's largest
  friend bool operator==(const StatisticsOptions&, const StatisticsOptions&) = default;
};

// Reads every row_step-th row on several threads; the bits do not depend on their number. Excludes
// cells that the mask of `result` hides, for scores too, whose hidden cells are drawn; `result` may
// be null, and `matrix` must be of its attention. Incomplete after cancellation; `progress` may be
// null.
Statistics statistics_of(const Matrix& matrix, const AttentionResult* result,
                         const StatisticsOptions& options = {}, std::size_t row_step = 1,
                         Progress* progress = nullptr);

// Statistics of any cells, such as pixels; without `hidden` all are visible.
Statistics of_cells(std::span<const float> values, std::span<const HiddenRules> hidden);

// Adds cells that share the scale of `all`.
void join(Statistics& all, const Statistics& more);

// Returns a view with hidden cells excluded if the matrix is a stage of scores, else the matrix.
// The mask is borrowed.
MatrixPtr as_seen(MatrixPtr matrix, const AttentionResult& result);

// Power-of-two step for at most `most_cells` cells; coarser samples are subsets of finer ones.
std::size_t sampling_step(const StageShape& extents, std::size_t heads, std::size_t most_cells);

// Range and number (at least 1) of bins. A missing end is the smallest or largest value.
struct BinOptions {
  std::size_t count = 1;
  std::optional<double> low{}, high{};
  friend bool operator==(const BinOptions&, const BinOptions&) = default;
};

// Exact histogram of a matrix.
struct Distribution final : Derivation {
  double low = 0.0, high = 1.0;      // ends of the bins; low < high
  std::vector<std::uint64_t> cells;  // per bin; the last one includes its upper end
  // Cells outside of all bins.
  std::uint64_t below = 0, above = 0, hidden = 0, concealed = 0, non_finite = 0;
  double mean = 0.0, deviation = 0.0;  // of all finite cells
  std::size_t rows_read = 0;           // rows read; fewer than all: a sample
  std::uint64_t bytes() const override { return cells.size() * sizeof(std::uint64_t); }

  std::uint64_t finite() const;
};

// Reads every row_step-th row. Incomplete after cancellation; `progress` may be null.
Distribution distribution_of(const Matrix& matrix, const BinOptions& bins, std::size_t row_step = 1,
                             Progress* progress = nullptr);

}  // namespace attn
