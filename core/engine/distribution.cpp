// Two passes over the cells if the range is unknown, else one.
#include "engine/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/kernels/parallel.h"
#include "engine/statistics.h"

namespace attn {
namespace {

struct CellEnds {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

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
void settle_ends(CellEnds& ends) {
  if (ends.low > ends.high) ends = {0.0, 1.0};
  if (ends.low < ends.high) return;
  const double half = std::max(0.5, 1e-6 * std::abs(ends.low));
  ends.low -= half;
  ends.high += half;
}

CellEnds ends_of_cells(const Matrix& matrix, const CellRange& range, Progress* progress) {
  CellEnds ends;
  for_each_cell(matrix, range, progress, [&](float value, HiddenRules rules) {
    if (!is_counted_cell(value, rules)) return;
    ends.low = std::min(ends.low, static_cast<double>(value));
    ends.high = std::max(ends.high, static_cast<double>(value));
  });
  return ends;
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
      ++(rules != kVisible ? out.hidden : out.non_finite);
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

Distribution distribution_of(const Matrix& matrix, const BinsWanted& bins, std::size_t row_step,
                             Progress* progress) {
  const CellRange range = every_row(matrix.extents(), row_step);
  const float first = bins.low && bins.high ? 0.0F : 0.5F;
  CellEnds ends;
  if (first > 0.0F) {
    const ProgressPart part(progress, 0.0F, first);
    ends = ends_of_cells(matrix, range, progress);
  }
  const CellEnds wanted{bins.low.value_or(ends.low), bins.high.value_or(ends.high)};
  if (wanted.low < wanted.high) ends = wanted;
  settle_ends(ends);
  Distribution out;
  out.low = ends.low;
  out.high = ends.high;
  out.cells.resize(std::max<std::size_t>(bins.count, 1));
  out.rows_read = range.rows;
  const ProgressPart part(progress, first, 1.0F - first);
  count_cells(out, matrix, range, progress);
  return out;
}

}  // namespace attn
