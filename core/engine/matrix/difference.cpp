// Row-wise subtraction of two matrices, with a list of the largest changes.
#include "engine/matrix/difference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/special_numbers.h"
#include "base/tensor.h"
#include "engine/kernels/parallel.h"

namespace attn {
namespace {

float minus(float a, float b) {
  for (const float number : {a, b}) {
    if (number_kind(number) == NumberKind::Concealed) return number;
  }
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0F;
  return a - b;
}

Status check_extents(const Matrix& of_a, const Matrix& of_b) {
  const StageShape a = of_a.extents(), b = of_b.extents();
  if (a.rows == b.rows && a.cols == b.cols) return ok_status();
  return Error{.kind = ErrorKind::Usage,
               .message = "matrices of different extents have no difference",
               .found = shape_text({a.rows, a.cols}) + " and " + shape_text({b.rows, b.cols}),
               .expected = "the same extents",
               .hint = "choose two matrices with as many rows and columns"};
}

bool is_larger(const Change& a, const Change& b) { return std::abs(a.by) > std::abs(b.by); }

}  // namespace

void Difference::read(const CellRange& range, float* out) const {
  const std::size_t count = range.rows * range.cols;
  std::vector<float> before(count);
  a_->read(range, out);
  b_->read(range, before.data());
  for (std::size_t i = 0; i < count; ++i) out[i] = minus(out[i], before[i]);
}

void Difference::hidden_row(std::size_t row, std::span<HiddenRules> out,
                            std::size_t first_col) const {
  a_->hidden_row(row, out, first_col);
  std::vector<HiddenRules> other(out.size());
  b_->hidden_row(row, other, first_col);
  for (std::size_t col = 0; col < out.size(); ++col) {
    if (other[col] == kVisible) out[col] = kVisible;
  }
}

void Difference::add_change(const Change& change, std::size_t most_changes) {
  if (number_kind(change.by) == NumberKind::Concealed) {
    ++concealed_;
    return;
  }
  ++cells_;
  if (change.by == 0.0F) return;
  ++changed_;
  if (!std::isfinite(change.by)) {
    ++summary_->non_finite;
    return;
  }
  summary_->low = std::min(summary_->low, change.by);
  summary_->high = std::max(summary_->high, change.by);
  if (largest_.size() == most_changes && (largest_.empty() || !is_larger(change, largest_.back())))
    return;
  largest_.insert(std::upper_bound(largest_.begin(), largest_.end(), change, is_larger), change);
  if (largest_.size() > most_changes) largest_.pop_back();
}

// False if cancelled.
bool Difference::compare_all(std::size_t most_changes, Progress* progress) {
  const StageShape shape = extents();
  const CellRange all{0, 0, shape.rows, shape.cols};
  RowReader after(*a_, all), before(*b_, all);
  std::vector<HiddenRules> rules(shape.cols);
  summary_.emplace();
  for (std::size_t row = 0; after.next() && before.next(); ++row) {
    if (is_cancelled(progress)) return false;
    hidden_row(row, rules);
    for (std::size_t col = 0; col < shape.cols; ++col) {
      if (rules[col] != kVisible) continue;
      const float a = after.cells()[col], b = before.cells()[col];
      add_change({row, col, b, a, minus(a, b)}, most_changes);
    }
    report(progress, row + 1, shape.rows);
  }
  return true;
}

Result<MatrixPtr> Difference::compared(MatrixPtr a, MatrixPtr b, MatrixId id,
                                       std::size_t most_changes, Progress* progress) {
  if (const Status fits = check_extents(*a, *b); !fits) return fits.error();
  const std::shared_ptr<Difference> made(new Difference(std::move(a), std::move(b), std::move(id)));
  if (made->compare_all(most_changes, progress)) return MatrixPtr(made);
  return Error{.kind = ErrorKind::Interrupted, .message = "the comparison was interrupted"};
}

Result<MatrixPtr> Difference::unseen(MatrixPtr a, MatrixPtr b, MatrixId id) {
  if (const Status fits = check_extents(*a, *b); !fits) return fits.error();
  return MatrixPtr(new Difference(std::move(a), std::move(b), std::move(id)));
}

}  // namespace attn
