// Statistics in one pass over the cells.
#include "engine/statistics.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/quotient_up.h"
#include "base/special_numbers.h"
#include "engine/kernels/parallel.h"

namespace attn {
namespace {

// Rounding moves values towards zero by at most this share.
constexpr double kRounding = 1.0 / 128.0;

template <class Each>
void for_each_value(const Statistics& seen, Each each) {
  for (const float value : seen.values) each(value, std::uint64_t{1});
  for (const Statistics::Entry& entry : seen.counted) each(entry.value, entry.cells);
}

// Position of a value on a scale; moves values that are outside only by rounding to the end.
double settled_place(double value, double rounding, const std::function<double(double)>& place) {
  const double at = place(value);
  if (at >= 0.0 && at <= 1.0) return at;
  const double outer = place(value * (1.0 + rounding));
  const bool is_between = at < 0.0 ? outer >= 0.0 : outer <= 1.0;
  return is_between ? std::clamp(at, 0.0, 1.0) : at;
}

// Calls bin_of only where an edge may lie between values of equal upper bits: bins ascend with
// values.
template <class BinOf>
class BinTable {
 public:
  explicit BinTable(BinOf bin_of) : bin_of_(std::move(bin_of)) {}

  std::size_t bin(float value) {
    constexpr std::uint32_t kLower = 0xFFFF;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    std::uint8_t& known = bins_[bits >> 16U];
    if (known == kUnknown) {
      const std::size_t first = bin_of_(std::bit_cast<float>(bits & ~kLower));
      const bool is_one = first == bin_of_(std::bit_cast<float>(bits | kLower));
      known = is_one ? static_cast<std::uint8_t>(first) : kSeveral;
    }
    return known == kSeveral ? bin_of_(value) : known;
  }

 private:
  static constexpr std::uint8_t kUnknown = 255, kSeveral = 254;
  BinOf bin_of_;
  std::vector<std::uint8_t> bins_ = std::vector<std::uint8_t>(std::size_t{1} << 16U, kUnknown);
};

void divide_by_largest(std::span<float> row) {
  float largest = 0.0F;
  for (const float weight : row) {
    if (std::isfinite(weight)) largest = std::max(largest, weight);
  }
  if (largest > 0.0F) std::ranges::for_each(row, [=](float& weight) { weight /= largest; });
}

// Calls one(matrix) for the matrix, or for every head of its layer if requested.
template <class One>
void for_each_head(const Matrix& matrix, const AttentionResult* result, bool all_heads,
                   Progress* progress, One one) {
  const auto seen = [&](MatrixPtr head) {
    one(result != nullptr ? *as_seen(std::move(head), *result) : *head);
  };
  MatrixId id = matrix.id();
  const bool of_one = is_computed(id) && stage_info(id.stage).per_head;
  if (!all_heads || result == nullptr || !of_one) return seen(MatrixPtr(MatrixPtr(), &matrix));
  const std::size_t heads = result->shape().heads;
  for (id.head.head = 0; id.head.head < heads; ++id.head.head) {
    const ProgressPart part(progress, id.head.head, heads);
    seen(stage_matrix(borrowed(*result), id));
  }
}

// Calls read(rows) for parts of the range on several threads. The partition depends only on the
// range.
template <class Read>
void read_in_parts(const Matrix& matrix, const CellRange& range, Progress* progress, Read read) {
  constexpr std::size_t kCellsOfAPart = std::size_t{1} << 22U;
  const std::size_t rows =
      std::max<std::size_t>(kCellsOfAPart / std::max<std::size_t>(range.cols, 1), 1);
  parallel_for(quotient_up(range.rows, rows), 0, progress, [&](std::size_t part) {
    const std::size_t first = part * rows;
    RowReader reader(matrix, part_of(range, first, std::min(rows, range.rows - first)));
    read(reader);
  });
}

// Precondition: `more` has cells; the caller adds its count.
void widen_ends(Statistics& all, const Statistics& more) {
  all.low = all.cells == 0 ? more.low : std::min(all.low, more.low);
  all.high = all.cells == 0 ? more.high : std::max(all.high, more.high);
}

// Counts of finite values by their upper half of bits: rounded towards 0 to eight binary digits.
class ValueCounts {
 public:
  static constexpr unsigned kCutBits = 16;  // of a float's 32
  static constexpr std::size_t kNegative = std::size_t{1} << 15U;

  // Precondition: finite.
  void add(float value) { ++cells_[std::bit_cast<std::uint32_t>(value) >> kCutBits]; }
  void merge(const ValueCounts& other) {
    std::ranges::transform(cells_, other.cells_, cells_.begin(), std::plus());
  }

  // Calls each(value, cells) for values that occur, ascending.
  template <class Each>
  void for_each(Each each) const {
    const auto visit = [&](std::size_t at) {
      const auto bits = static_cast<std::uint32_t>(at << kCutBits);
      if (cells_[at] > 0) each(std::bit_cast<float>(bits), cells_[at]);
    };
    for (std::size_t at = cells_.size(); at-- > kNegative;) visit(at);
    for (std::size_t at = 0; at < kNegative; ++at) visit(at);
  }

 private:
  std::vector<std::uint64_t> cells_ = std::vector<std::uint64_t>(2 * kNegative);
};

// Accumulates cells row by row; keeps the values while they are few.
class CellTally {
 public:
  // Without `rules` all cells are visible.
  void add(std::span<const float> row, std::span<const HiddenRules> rules) {
    float low = seen_.low, high = seen_.high;
    if (seen_.cells == 0) {
      low = std::numeric_limits<float>::infinity();
      high = -low;
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
      const float value = row[k];
      if (!rules.empty() && rules[k] != kVisible) {
        ++seen_.hidden;
      } else if (std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
        keep(value);
      }
    }
    if (seen_.cells == 0) return;
    seen_.low = low;
    seen_.high = high;
  }

  void merge(CellTally other) {
    if (seen_.cells < other.seen_.cells) std::swap(*this, other);
    const Statistics& more = other.seen_;
    seen_.hidden += more.hidden;
    if (more.cells == 0) return;
    widen_ends(seen_, more);
    seen_.cells += more.cells;
    if (other.counts_ || seen_.values.size() + more.values.size() > kReadAtOnce) use_counts();
    if (other.counts_) counts_->merge(*other.counts_);
    if (!counts_) {
      seen_.values.insert(seen_.values.end(), more.values.begin(), more.values.end());
      return;
    }
    for (const float value : more.values) counts_->add(value);
  }

  void expect(std::size_t cells) { seen_.values.reserve(std::min(cells, kReadAtOnce)); }
  // Precondition: it is called once.
  Statistics statistics() {
    Statistics all = std::move(seen_);
    if (counts_) {
      counts_->for_each([&](float value, std::uint64_t cells) {
        all.counted.push_back({value, cells});
      });
    }
    return all;
  }

 private:
  void keep(float value) {
    ++seen_.cells;
    if (counts_) return counts_->add(value);
    seen_.values.push_back(value);
    if (seen_.values.size() > kReadAtOnce) use_counts();
  }

  void use_counts() {
    if (counts_) return;
    counts_.emplace();
    for (const float value : seen_.values) counts_->add(value);
    seen_.values = {};
  }

  Statistics seen_;
  std::optional<ValueCounts> counts_;
};

void add_rows(CellTally& tally, RowReader& rows, bool parts_of_rows) {
  while (rows.next()) {
    if (parts_of_rows) divide_by_largest(rows.cells());
    tally.add(rows.cells(), rows.rules());
  }
}

}  // namespace

std::uint64_t Statistics::above(float value) const {
  std::uint64_t sum = 0;
  for_each_value(*this, [&](float at, std::uint64_t n) { sum += at > value ? n : 0; });
  return sum;
}

std::uint64_t Statistics::below(float value) const {
  std::uint64_t sum = 0;
  for_each_value(*this, [&](float at, std::uint64_t n) { sum += at < value ? n : 0; });
  return sum;
}

std::vector<std::uint64_t> Statistics::histogram(std::size_t bins,
                                                 const std::function<double(double)>& place) const {
  assert(bins <= kMostBins);
  std::vector<std::uint64_t> in_bins(bins);
  const double rounding = is_exact() ? 0.0 : kRounding;
  BinTable table([&](float value) {
    const double at = settled_place(static_cast<double>(value), rounding, place);
    if (!(at >= 0.0 && at <= 1.0)) return at < 0.0 ? bins + 1 : bins;
    return std::min(static_cast<std::size_t>(at * static_cast<double>(bins)), bins - 1);
  });
  for_each_value(*this, [&](float value, std::uint64_t n) {
    const std::size_t bin = table.bin(value);
    if (bin < bins) in_bins[bin] += n;
  });
  return in_bins;
}

double Moments::mean() const {
  return count_ == 0 ? 0.0 : first_ + sum_ / static_cast<double>(count_);
}

double Moments::deviation() const {
  if (count_ == 0) return 0.0;
  const double n = static_cast<double>(count_), mean = sum_ / n;
  return std::sqrt(std::max(0.0, squares_ / n - mean * mean));
}

Statistics statistics_of(const Matrix& matrix, const AttentionResult* result,
                         const StatisticsOptions& options, std::size_t row_step,
                         Progress* progress) {
  const CellRange range = every_row(matrix.extents(), row_step);
  CellTally all;
  std::mutex mutex;
  const auto read = [&](const auto& each) {
    for_each_head(matrix, result, options.all_heads, progress, each);
  };
  read([&](const Matrix& head) {
    read_in_parts(head, range, progress, [&](RowReader& rows) {
      CellTally tally;
      tally.expect(element_count({range.rows, range.cols}));
      add_rows(tally, rows, options.parts_of_rows);
      const std::lock_guard lock(mutex);
      all.merge(std::move(tally));
    });
  });
  Statistics seen = all.statistics();
  seen.rows_read = range.rows;
  if (row_step > 1 && !options.parts_of_rows) {
    read([&](const Matrix& head) {
      const auto known = head.summary().value_or(Matrix::Summary{seen.low, seen.high});
      seen.low = std::min(seen.low, known.low);
      seen.high = std::max(seen.high, known.high);
    });
  }
  return seen;
}

Statistics of_cells(std::span<const float> values, std::span<const HiddenRules> hidden) {
  CellTally tally;
  tally.expect(values.size());
  tally.add(values, hidden);
  return tally.statistics();
}

void join(Statistics& all, const Statistics& more) {
  all.hidden += more.hidden;
  if (more.cells == 0) return;
  widen_ends(all, more);
  all.cells += more.cells;
  all.values.insert(all.values.end(), more.values.begin(), more.values.end());
  all.counted.insert(all.counted.end(), more.counted.begin(), more.counted.end());
}

MatrixPtr as_seen(MatrixPtr matrix, const AttentionResult& result) {
  const MatrixId& id = matrix->id();
  const bool is_shown_whole =
      is_computed(id) && stage_info(id.stage).token_by_token() && !matrix->is_masked();
  const Mask& mask = mask_of(result.problem(), matrix->id().head);
  if (!is_shown_whole || !can_hide(mask)) return matrix;
  return masked(std::move(matrix), mask);
}

std::size_t sampling_step(const StageShape& extents, std::size_t heads, std::size_t most_cells) {
  const std::size_t row = std::max<std::size_t>(extents.cols * std::max<std::size_t>(heads, 1), 1);
  const std::size_t rows = std::max<std::size_t>(most_cells / row, 1);
  return std::bit_ceil(std::max<std::size_t>(quotient_up(extents.rows, rows), 1));
}

namespace {

// Calls each(cell, rules) for every cell of the rows.
template <class Each>
void for_each_cell(const Matrix& matrix, const CellRange& range, Progress* progress, Each each) {
  RowReader rows(matrix, range);
  for (std::size_t done = 0; rows.next(); ++done) {
    if (is_cancelled(progress)) return;
    report(progress, done, range.rows);
    const std::span<const float> cells = rows.cells();
    for (std::size_t k = 0; k < cells.size(); ++k) each(cells[k], rows.rules()[k]);
  }
}

bool is_counted_cell(float value, HiddenRules rules) {
  return rules == kVisible && std::isfinite(value);
}

// Widens the range of a single value by half a unit, or by enough to be distinguishable.
void settle_ends(Distribution& out) {
  if (out.low > out.high) {
    out.low = 0.0;
    out.high = 1.0;
  }
  if (out.low < out.high) return;
  const double half = std::max(0.5, 1e-6 * std::abs(out.low));
  out.low -= half;
  out.high += half;
}

void find_ends(Distribution& out, const Matrix& matrix, const CellRange& range,
               Progress* progress) {
  for_each_cell(matrix, range, progress, [&](float value, HiddenRules rules) {
    if (!is_counted_cell(value, rules)) return;
    out.low = std::min(out.low, static_cast<double>(value));
    out.high = std::max(out.high, static_cast<double>(value));
  });
}

void add_to_bins(Distribution& out, double value) {
  if (value < out.low) {
    ++out.below;
  } else if (value > out.high) {
    ++out.above;
  } else {
    const double place = (value - out.low) / (out.high - out.low);
    const auto bin = static_cast<std::size_t>(place * static_cast<double>(out.cells.size()));
    ++out.cells[std::min(bin, out.cells.size() - 1)];
  }
}

void count_cells(Distribution& out, const Matrix& matrix, const CellRange& range,
                 Progress* progress) {
  Moments moments;
  for_each_cell(matrix, range, progress, [&](float cell, HiddenRules rules) {
    if (!is_counted_cell(cell, rules)) {
      const NumberKind kind = number_kind(cell, rules != kVisible);
      ++(kind == NumberKind::Hidden      ? out.hidden
         : kind == NumberKind::Concealed ? out.concealed
                                         : out.non_finite);
      return;
    }
    const auto value = static_cast<double>(cell);
    add_to_bins(out, value);
    moments.add(value);
  });
  out.mean = moments.mean();
  out.deviation = moments.deviation();
}

}  // namespace

std::uint64_t Distribution::finite() const {
  return std::accumulate(cells.begin(), cells.end(), below + above);
}

Distribution distribution_of(const Matrix& matrix, const BinOptions& bins, std::size_t row_step,
                             Progress* progress) {
  const CellRange range = every_row(matrix.extents(), row_step);
  const float first = bins.low && bins.high ? 0.0F : 0.5F;
  Distribution out;
  out.low = std::numeric_limits<double>::infinity();
  out.high = -out.low;
  if (first > 0.0F) {
    const ProgressPart part(progress, 0.0F, first);
    find_ends(out, matrix, range, progress);
  }
  const double low = bins.low.value_or(out.low), high = bins.high.value_or(out.high);
  if (low < high) {
    out.low = low;
    out.high = high;
  }
  settle_ends(out);
  out.cells.resize(std::max<std::size_t>(bins.count, 1));
  out.rows_read = range.rows;
  const ProgressPart part(progress, first, 1.0F - first);
  count_cells(out, matrix, range, progress);
  return out;
}

}  // namespace attn
