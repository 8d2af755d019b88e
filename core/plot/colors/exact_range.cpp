// The range of all cells of matrices of any length: counted first, and once more for percentiles.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "plot/colors/value_counts.h"
#include "plot/colors/weight_range.h"

namespace attn {
namespace {

// What is known of the cells that were read.
struct SeenCells {
  ValueCounts values;       // of rows that see several keys
  std::vector<float> lone;  // of rows that see one: no more than there are rows
  Matrix::Summary summary;
  float least = 0.0F;  // above 0
  bool any = false;

  void add(float value);
  void merge(const SeenCells& other);
};

float lesser_above_zero(float a, float b) {
  if (!(a > 0.0F) || !(b > 0.0F)) return std::max({a, b, 0.0F});
  return std::min(a, b);
}

void SeenCells::add(float value) {
  if (!std::isfinite(value)) {
    ++summary.non_finite;
    return;
  }
  summary.low = any ? std::min(summary.low, value) : value;
  summary.high = any ? std::max(summary.high, value) : value;
  least = lesser_above_zero(least, value);
  any = true;
}

void SeenCells::merge(const SeenCells& other) {
  values.merge(other.values);
  lone.insert(lone.end(), other.lone.begin(), other.lone.end());
  summary.non_finite += other.summary.non_finite;
  if (!other.any) return;
  summary.low = any ? std::min(summary.low, other.summary.low) : other.summary.low;
  summary.high = any ? std::max(summary.high, other.summary.high) : other.summary.high;
  least = lesser_above_zero(least, other.least);
  any = true;
}

bool is_lone(std::span<const HiddenRules> rules) {
  return std::ranges::count(rules, HiddenRules{kVisible}) == 1;
}

template <class Each>
void for_visible(RowReader& rows, Each each) {
  const std::span<const float> row = rows.cells();
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (rows.rules()[k] == kVisible) each(row[k]);
  }
}

SeenCells seen_in(RowReader& rows) {
  SeenCells seen;
  while (rows.next()) {
    const bool lone = is_lone(rows.rules());
    for_visible(rows, [&](float value) {
      seen.add(value);
      if (!lone) return seen.values.add(value);
      if (std::isfinite(value)) seen.lone.push_back(value);
    });
  }
  return seen;
}

ExactPlace places_in(RowReader& rows, ExactPlace place) {
  while (rows.next()) {
    if (!is_lone(rows.rules())) for_visible(rows, [&](float value) { place.add(value); });
  }
  return place;
}

CellRange all_of(const Matrix& matrix) { return every_row(matrix.extents(), 1); }

SeenCells seen_cells(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                     Progress* progress) {
  const ProgressPart half(progress, 0.0F, 0.5F);
  SeenCells seen;
  std::mutex mutex;
  for_each_head(matrix, span, result, progress, [&](const Matrix& one) {
    read_in_parts(one, all_of(one), progress, [&](RowReader& rows) {
      const SeenCells part = seen_in(rows);
      const std::lock_guard lock(mutex);
      seen.merge(part);
    });
  });
  return seen;
}

// Reads all cells once more.
WeightRange up_to_percentile(const Matrix& matrix, const SeenCells& seen, Progress* progress) {
  const ProgressPart half(progress, 0.5F, 0.5F);
  const ExactPlace wanted(seen.values, place_of_percentile(seen.values.total()));
  ExactPlace found = wanted;
  std::mutex mutex;
  read_in_parts(matrix, all_of(matrix), progress, [&](RowReader& rows) {
    const ExactPlace part = places_in(rows, wanted);
    const std::lock_guard lock(mutex);
    found.merge(part);
  });
  const float high = found.value();
  const auto beyond =
      std::ranges::count_if(seen.lone, [high](float weight) { return weight > high; });
  return percentile_range(seen.summary.low, high,
                          found.above() + static_cast<std::uint64_t>(beyond));
}

bool is_percentile(const SeenCells& seen, ColorSpan span) {
  if (span == ColorSpan::Percentile) return seen.values.total() > 0;
  return span == ColorSpan::Automatic && seen.values.total() > kMostCellsToTheLargest;
}

// What depends on the ends alone.
WeightRange range_of_ends(const SeenCells& seen, ColorSpan span) {
  SeenWeights ends;
  if (seen.any) ends.values = {seen.summary.low, seen.summary.high};
  return weight_range(std::move(ends), span, span == ColorSpan::Heads ? "all heads" : "this head");
}

}  // namespace

KeptRange exact_range(const Matrix& matrix, ColorSpan span, const AttentionResult* result,
                      Progress* progress) {
  const SeenCells seen = seen_cells(matrix, span, result, progress);
  KeptRange kept;
  kept.summary = seen.summary;
  kept.least = seen.least;
  if (matrix.id().stage != Stage::Weights) {
    kept.range = {seen.summary.low, seen.summary.high, whose_cells(matrix, span)};
  } else if (is_percentile(seen, span)) {
    kept.range = up_to_percentile(matrix, seen, progress);
  } else {
    kept.range = range_of_ends(seen, span);
  }
  return kept;
}

}  // namespace attn
