// What counts of values say along a colour bar.
#include "plot/colors/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <span>

#include "base/quotient_up.h"
#include "plot/colors/value_counts.h"

namespace attn {
namespace {

// Of an end: values stand that much nearer to zero than they are.
constexpr double kRounding = 1.0 / 128.0;

// So that of `rows` at most about `wanted` are read.
std::size_t every_nth(std::size_t rows, std::size_t wanted) {
  return std::max<std::size_t>(quotient_up(rows, wanted), 1);
}

void divide_by_largest(std::span<float> row) {
  float largest = 0.0F;
  for (const float weight : row) {
    if (std::isfinite(weight)) largest = std::max(largest, weight);
  }
  if (largest > 0.0F) std::ranges::for_each(row, [=](float& weight) { weight /= largest; });
}

ValueCounts counts_of(RowReader& rows, bool parts_of_rows) {
  ValueCounts counts;
  while (rows.next()) {
    const std::span<float> row = rows.cells();
    if (parts_of_rows) divide_by_largest(row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (rows.rules()[k] == kVisible) counts.add(row[k]);
    }
  }
  return counts;
}

// Where the value lies on the scale, from 0 at its low end to 1 at its high one; what rounding
// alone took out of it lies at its ends.
double place_of(double value, const ColorScale& scale, bool log) {
  if (log) value = value > 0.0 ? std::log10(value) : -std::numeric_limits<double>::infinity();
  const double low = static_cast<double>(scale.low), high = static_cast<double>(scale.high);
  const double slack = log ? std::log10(1.0 + kRounding) : kRounding * std::abs(value);
  if (value < low && value + slack >= low) return 0.0;
  if (value > high && value - slack <= high) return 1.0;
  return (value - low) / (high - low);
}

}  // namespace

Spread spread_of(const Matrix& matrix, bool parts_of_rows, std::size_t most_cells,
                 Progress* progress) {
  const StageShape extents = matrix.extents();
  const std::size_t most = most_cells / std::max<std::size_t>(extents.cols, 1);
  const std::size_t step = every_nth(extents.rows, std::max<std::size_t>(most, 1));
  const CellRange range = every_row(extents, step);
  ValueCounts all;
  std::mutex mutex;
  read_in_parts(matrix, range, progress, [&](RowReader& rows) {
    const ValueCounts counts = counts_of(rows, parts_of_rows);
    const std::lock_guard lock(mutex);
    all.merge(counts);
  });
  Spread spread;
  spread.rows_read = range.rows;
  all.for_each([&](float value, std::uint64_t cells) { spread.entries.push_back({value, cells}); });
  return spread;
}

std::string key_of_spread(const MatrixId& matrix, bool parts_of_rows) {
  return (parts_of_rows ? "spread in rows of " : "spread of ") + text_of(matrix);
}

std::vector<std::uint64_t> binned(const Spread& spread, const ColorScale& scale, bool log,
                                  std::size_t bins) {
  std::vector<std::uint64_t> cells(bins);
  for (const Spread::Entry& entry : spread.entries) {
    const double place = place_of(static_cast<double>(entry.value), scale, log);
    if (!(place >= 0.0 && place <= 1.0)) continue;
    const auto bin = static_cast<std::size_t>(place * static_cast<double>(bins));
    cells[std::min(bin, bins - 1)] += entry.cells;
  }
  return cells;
}

}  // namespace attn
