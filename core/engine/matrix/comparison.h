// Distance between two matrices of equal extents, in a few numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/progress.h"
#include "engine/matrix/matrix.h"

namespace attn {

// |Δ| and the Kullback–Leibler divergence of rows over cells that are visible in A or B. Equal
// cells, NaN and infinities included, differ by 0; by ∞ if only one is NaN or infinite. A −∞ where
// only one of the masks hides the cell is not compared.
struct Comparison {
  std::uint64_t cells = 0, changed = 0;  // visible cells, and those that differ
  std::uint64_t hidden_in_one = 0;       // cells that only one of the masks hides
  double mean = 0.0;                     // of |Δ|
  double largest = 0.0;                  // |Δ| of the first cell with the maximum:
  std::size_t row = 0, col = 0;
  float a = 0.0F, b = 0.0F;

  // Σ a ln(a / b) − a + b of rows in nats: of distributions, the divergence of A from B. ∞ where B
  // has no weight but A has; NaN with negative or non-finite cells.
  double mean_divergence = 0.0, largest_divergence = 0.0;
  std::size_t divergence_row = 0;  // of the largest
};

// Σ |Δ| / 2 of each row, their mean: of weights the total variation, 0 for equal rows and 1 for
// rows without a common key. Reads both once. Precondition: equal extents.
double mean_variation(const Matrix& a, const Matrix& b);

// Reads both once, a few rows at a time. Incomplete if progress->cancelled becomes true; `progress`
// may be null. Precondition: equal extents.
Comparison compare_cells(const Matrix& a, const Matrix& b, Progress* progress = nullptr);

}  // namespace attn
