// Comparison of matrices, row by row.
#include "engine/matrix/comparison.h"

#include <cmath>
#include <limits>
#include <span>

#include "engine/kernels/parallel.h"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool equal_cells(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double distance(float a, float b) {
  if (equal_cells(a, b)) return 0.0;
  if (std::isnan(a) || std::isnan(b)) return kInfinity;
  return std::abs(static_cast<double>(a) - static_cast<double>(b));
}

// Term of the divergence of `a` from `b`, which is 0 for equal cells and never negative.
double divergence(double a, double b) {
  if (!(a >= 0.0 && b >= 0.0) || std::isinf(a) || std::isinf(b)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (a == 0.0) return b;
  if (b == 0.0) return kInfinity;
  return a * std::log(a / b) - a + b;
}

void compare_row(Comparison& comparison, RowReader& in_a, RowReader& in_b) {
  const std::span<const float> a = in_a.cells(), b = in_b.cells();
  double row_divergence = 0.0;
  for (std::size_t col = 0; col < a.size(); ++col) {
    const bool a_hidden = in_a.rules()[col] != kVisible, b_hidden = in_b.rules()[col] != kVisible;
    if (a_hidden && b_hidden) continue;
    comparison.hidden_in_one += a_hidden != b_hidden ? 1 : 0;
    if (a_hidden != b_hidden && (std::isinf(a[col]) || std::isinf(b[col]))) continue;
    const double by = distance(a[col], b[col]);
    ++comparison.cells;
    comparison.mean += by;
    row_divergence += divergence(static_cast<double>(a[col]), static_cast<double>(b[col]));
    if (by == 0.0) continue;
    ++comparison.changed;
    if (by <= comparison.largest) continue;
    comparison.largest = by;
    comparison.row = in_a.row();
    comparison.col = col;
    comparison.a = a[col];
    comparison.b = b[col];
  }
  comparison.mean_divergence += row_divergence;
  const bool is_larger = !(row_divergence <= comparison.largest_divergence);
  if (!is_larger || std::isnan(comparison.largest_divergence)) return;
  comparison.largest_divergence = row_divergence;
  comparison.divergence_row = in_a.row();
}

}  // namespace

double mean_variation(const Matrix& a, const Matrix& b) {
  const StageShape extents = a.extents();
  RowReader in_a(a, every_row(extents, 1)), in_b(b, every_row(extents, 1));
  double sum = 0.0;
  while (in_a.next() && in_b.next()) {
    const std::span<const float> x = in_a.cells(), y = in_b.cells();
    for (std::size_t i = 0; i < x.size(); ++i) sum += distance(x[i], y[i]);
  }
  return extents.rows > 0 ? 0.5 * sum / static_cast<double>(extents.rows) : 0.0;
}

Comparison compare_cells(const Matrix& a, const Matrix& b, Progress* progress) {
  Comparison comparison;
  const StageShape extents = a.extents();
  RowReader in_a(a, every_row(extents, 1)), in_b(b, every_row(extents, 1));
  while (!is_cancelled(progress) && in_a.next() && in_b.next()) {
    compare_row(comparison, in_a, in_b);
    report(progress, in_a.row(), extents.rows);
  }
  if (comparison.cells > 0) comparison.mean /= static_cast<double>(comparison.cells);
  if (extents.rows > 0) comparison.mean_divergence /= static_cast<double>(extents.rows);
  return comparison;
}

}  // namespace attn
