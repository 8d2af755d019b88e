// Pooling by maximum or mean.
#include "engine/matrix/pool.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/quotient_up.h"
#include "base/special_numbers.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/row_kernels.h"

namespace attn {
namespace {

std::size_t step_for(std::size_t cells, std::size_t most) {
  most = std::max<std::size_t>(most, 1);
  return std::max<std::size_t>(quotient_up(cells, most), 1);
}

// How cells are reduced to one.
struct PoolingRule {
  Pooling pooling = Pooling::Maximum;
  bool by_magnitude = false;

  bool is_plain_maximum() const { return pooling == Pooling::Maximum && !by_magnitude; }
  bool exceeds(float a, float b) const {
    return by_magnitude ? !(std::abs(a) <= std::abs(b)) : !(a <= b);
  }
};

// Accumulator of one output cell.
class PooledCell {
 public:
  void add(float value, HiddenRules rules, const PoolingRule& rule) {
    common_ &= rules;
    any_ |= rules;
    if (rules != kVisible) return;
    visible_ = true;
    if (std::isnan(value)) return;
    if (rule.exceeds(value, most_)) most_ = value;
    sum_ += static_cast<double>(value);
    ++count_;
  }

  // Adds visible finite cells for the maximum, or cells hidden by one set of rules.
  void add_finite(float most, std::size_t count) {
    common_ = kVisible;
    visible_ = true;
    most_ = most <= most_ ? most_ : most;
    count_ += count;
  }
  void add_hidden(HiddenRules rules) {
    common_ &= rules;
    any_ |= rules;
  }

  float value(Pooling pooling) const {
    if (count_ == 0 || pooling == Pooling::Maximum) return most_;
    const double mean = sum_ / static_cast<double>(count_);
    // Infinities of both signs have no mean, and NaN would mean an empty cell.
    return std::isnan(mean) ? std::numeric_limits<float>::infinity() : static_cast<float>(mean);
  }

  HiddenRules hidden() const {
    if (visible_) return kVisible;
    return common_ != kVisible ? common_ : any_;
  }

 private:
  double sum_ = 0.0;
  std::size_t count_ = 0;
  float most_ = kNaN;
  HiddenRules common_ = 0xFF, any_ = kVisible;
  bool visible_ = false;
};

bool are_same(std::span<const HiddenRules> rules) {
  return std::memcmp(rules.data(), rules.data() + 1, rules.size() - 1) == 0;
}

// Adjacent cells under one output cell; most groups are entirely hidden or visible.
void add_group(std::span<const float> cells, std::span<const HiddenRules> rules,
               const PoolingRule& rule, PooledCell& cell) {
  const bool same = are_same(rules);
  if (same && rules[0] != kVisible) return cell.add_hidden(rules[0]);
  if (same && rule.is_plain_maximum()) {
    const CellSummary summary = summary_of(cells);
    if (summary.non_finite == 0) return cell.add_finite(summary.high, cells.size());
  }
  for (std::size_t col = 0; col < cells.size(); ++col) cell.add(cells[col], rules[col], rule);
}

// Pools a row without hidden cells and NaN, as most are, without a call for each group: groups are
// so small that the calls would take longer than the maxima.
void add_plain_row(std::span<const float> cells, std::size_t step,
                   std::vector<PooledCell>& pooled) {
  for (std::size_t out_col = 0, col = 0; out_col < pooled.size(); ++out_col) {
    const std::size_t begin = col, end = std::min(begin + step, cells.size());
    float most = cells[begin];
    while (++col < end) most = std::max(most, cells[col]);
    pooled[out_col].add_finite(most, end - begin);
  }
}

void add_row(std::span<const float> cells, std::span<const HiddenRules> rules, std::size_t step,
             const PoolingRule& rule, std::vector<PooledCell>& pooled) {
  constexpr std::size_t kFewCells = 16;
  if (rule.is_plain_maximum() && step < kFewCells && !rules.empty() && rules[0] == kVisible &&
      are_same(rules) && summary_of(cells).non_finite == 0) {
    return add_plain_row(cells, step, pooled);
  }
  for (std::size_t out_col = 0; out_col < pooled.size(); ++out_col) {
    PooledCell cell = pooled[out_col];
    const std::size_t begin = out_col * step;
    const std::size_t size = std::min(begin + step, cells.size()) - begin;
    add_group(cells.subspan(begin, size), rules.subspan(begin, size), rule, cell);
    pooled[out_col] = cell;
  }
}

void put_row(const std::vector<PooledCell>& pooled, Pooling pooling, std::size_t row,
             PooledCells& out) {
  for (std::size_t col = 0; col < out.cols; ++col) {
    out.values[row * out.cols + col] = pooled[col].value(pooling);
    out.hidden[row * out.cols + col] = pooled[col].hidden();
  }
}

// Output cells of one row after another.
void pool_rows(RowReader& rows, const CellRange& range, const PoolingRule& rule, PooledCells& out) {
  std::vector<PooledCell> pooled(out.cols);
  for (std::size_t out_row = 0; out_row < out.rows; ++out_row) {
    std::ranges::fill(pooled, PooledCell{});
    const std::size_t end = std::min((out_row + 1) * out.row_step, range.rows);
    for (std::size_t row = out_row * out.row_step; row < end && rows.next(); ++row) {
      add_row(rows.cells(), rows.rules(), out.col_step, rule, pooled);
    }
    put_row(pooled, rule.pooling, out_row, out);
  }
}

PooledCells empty_pool(const CellRange& range, std::size_t row_step, std::size_t col_step) {
  PooledCells out;
  out.row_step = row_step;
  out.col_step = col_step;
  out.rows = quotient_up(range.rows, row_step);
  out.cols = quotient_up(range.cols, col_step);
  out.values.resize(out.rows * out.cols);
  out.hidden.resize(out.rows * out.cols);
  return out;
}

// Pools on the calling thread.
PooledCells pooled_with_steps(const Matrix& matrix, const CellRange& range, std::size_t row_step,
                              std::size_t col_step, const PoolingRule& rule) {
  PooledCells out = empty_pool(range, row_step, col_step);
  RowReader rows(matrix, range);
  if (row_step > 1 || col_step > 1) {
    pool_rows(rows, range, rule, out);
    return out;
  }
  for (std::ptrdiff_t at = 0; rows.next(); at += std::ssize(rows.cells())) {
    std::ranges::copy(rows.cells(), out.values.begin() + at);
    std::ranges::copy(rows.rules(), out.hidden.begin() + at);
  }
  return out;
}

}  // namespace

bool pools_by_magnitude(const Matrix& matrix) {
  if (std::holds_alternative<made::Minus>(matrix.id().making)) return true;
  const auto seen = matrix.id().stage == Stage::Weights ? matrix.summary() : std::nullopt;
  return seen && seen->low < 0.0F;
}

PooledCells pooled_by_rows(const Matrix& matrix, const CellRange& range, std::size_t max_rows,
                           std::size_t max_cols, Pooling pooling, Progress* progress) {
  const std::size_t row_step = step_for(range.rows, max_rows);
  PooledCells out = empty_pool(range, row_step, step_for(range.cols, max_cols));
  const bool is_made_small = row_step > 1 || out.col_step > 1;
  out.by_magnitude = pools_by_magnitude(matrix);
  const PoolingRule rule{pooling, out.by_magnitude};
  if (is_made_small && rule.is_plain_maximum() && matrix.pool_maxima(range, progress, out)) {
    return out;
  }
  constexpr std::size_t kCellsOfATurn = std::size_t{1} << 19U;
  const std::size_t cells = std::max<std::size_t>(element_count({range.cols, row_step}), 1);
  const std::size_t turn = std::max<std::size_t>(kCellsOfATurn / cells, 1);  // rows of the output
  parallel_for(quotient_up(out.rows, turn), 0, progress, [&](std::size_t job) {
    const std::size_t first = job * turn * row_step;
    const CellRange part = part_of(range, first, std::min(turn * row_step, range.rows - first));
    const PooledCells pooled = pooled_with_steps(matrix, part, row_step, out.col_step, rule);
    const auto to = static_cast<std::ptrdiff_t>(job * turn * out.cols);
    std::ranges::copy(pooled.values, out.values.begin() + to);
    std::ranges::copy(pooled.hidden, out.hidden.begin() + to);
  });
  return out;
}

PooledCells coarsened(const PooledCells& maxima, std::size_t rows, std::size_t cols) {
  PooledCells out = empty_pool({0, 0, maxima.rows, maxima.cols}, rows, cols);
  out.by_magnitude = maxima.by_magnitude;
  const PoolingRule rule{Pooling::Maximum, maxima.by_magnitude};
  for (std::size_t r = 0; r < out.rows; ++r) {
    std::vector<PooledCell> pooled(out.cols);
    for (std::size_t row = r * rows; row < std::min((r + 1) * rows, maxima.rows); ++row) {
      const std::size_t at = row * maxima.cols;
      add_row(std::span(maxima.values).subspan(at, maxima.cols),
              std::span(maxima.hidden).subspan(at, maxima.cols), cols, rule, pooled);
    }
    put_row(pooled, Pooling::Maximum, r, out);
  }
  out.row_step *= maxima.row_step;
  out.col_step *= maxima.col_step;
  return out;
}

PooledCells with_steps(const PooledCells& pooled, const StageShape& extents, std::size_t row_step,
                       std::size_t col_step, Pooling pooling) {
  PooledCells out = empty_pool({0, 0, extents.rows, extents.cols}, row_step, col_step);
  out.by_magnitude = pooled.by_magnitude;
  const PoolingRule rule{pooling, pooled.by_magnitude};
  // Cells under one of the output; at least one.
  const auto under = [](std::size_t at, std::size_t step, std::size_t own_step, std::size_t cells) {
    const std::size_t begin = std::min(at * step / own_step, cells - 1);
    return RowSpan{begin, std::clamp(quotient_up((at + 1) * step, own_step), begin + 1, cells)};
  };
  for (std::size_t r = 0; r < out.rows; ++r) {
    std::vector<PooledCell> row(out.cols);
    const RowSpan rows = under(r, row_step, pooled.row_step, pooled.rows);
    for (std::size_t c = 0; c < out.cols; ++c) {
      const RowSpan cols = under(c, col_step, pooled.col_step, pooled.cols);
      const std::size_t count = cols.end - cols.begin;
      for (std::size_t at = rows.begin; at < rows.end; ++at) {
        const std::size_t first = at * pooled.cols + cols.begin;
        add_group(std::span(pooled.values).subspan(first, count),
                  std::span(pooled.hidden).subspan(first, count), rule, row[c]);
      }
    }
    put_row(row, pooling, r, out);
  }
  return out;
}

float largest_of(const PooledCells& pooled) {
  float largest = 0.0F;
  for (std::size_t i = 0; i < pooled.values.size(); ++i) {
    const float size = pooled.by_magnitude ? std::abs(pooled.values[i]) : pooled.values[i];
    if (pooled.hidden[i] == kVisible && std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

}  // namespace attn
