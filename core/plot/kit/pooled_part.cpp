// Cuts parts at steps that zooming and panning keep for a while.
#include "plot/kit/pooled_part.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "engine/compute.h"

namespace attn {

DrawnCells drawn_cells(PooledCells pooled) {
  auto cells = std::make_shared<MatrixCells>();
  cells->rows = pooled.rows;
  cells->cols = pooled.cols;
  cells->values = std::move(pooled.values);
  cells->hidden = std::move(pooled.hidden);
  return {std::move(cells), pooled.row_step, pooled.col_step};
}

DrawnCells DrawnLevels::of(const PooledCells& fine, const Coarsening& by) const {
  const std::lock_guard lock(mutex_);
  DrawnCells& level = made_[by];
  if (level.cells == nullptr) {
    level = drawn_cells(by == Coarsening{} ? fine : coarsened(fine, by.rows, by.cols));
  }
  return level;
}

StatisticsPtr DrawnLevels::pixels(const PooledCells& fine, const Coarsening& by) const {
  const DrawnCells drawn = of(fine, by);
  const std::lock_guard lock(mutex_);
  StatisticsPtr& known = pixels_[by];
  if (known == nullptr) {
    known = std::make_shared<Statistics>(of_cells(drawn.cells->values, drawn.cells->hidden));
  }
  return known;
}

std::uint64_t DrawnLevels::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& [by, level] : made_) {
    bytes += level.cells->values.size() * (sizeof(float) + sizeof(HiddenRules));
  }
  for (const auto& [by, pixels] : pixels_) bytes += pixels->bytes();
  return bytes;
}

namespace {

constexpr std::size_t kSnap = 128;  // cells of the output that a part moves by

// At most twice as fine as it has to be.
std::size_t fine_step(double cells, std::size_t side) {
  const auto wanted = static_cast<std::size_t>(cells / static_cast<double>(side));
  return std::bit_floor(std::max<std::size_t>(wanted, 1));
}

struct SnappedSpan {
  std::size_t begin = 0, end = 0, step = 1;
};

// What a span of cells is drawn from: somewhat longer, so that small steps stay in it.
SnappedSpan snapped(double first, double count, std::size_t cells, std::size_t side) {
  SnappedSpan span;
  span.step = fine_step(count, side);
  const std::size_t unit = span.step * kSnap;
  span.begin = static_cast<std::size_t>(std::max(first, 0.0)) / unit * unit;
  const auto past = static_cast<std::size_t>(std::ceil(std::max(first + count, 0.0)));
  span.end = std::min((past + unit - 1) / unit * unit, cells);
  return span;
}

// A part, and how many cells stand beside each other under one of its cells.
struct PartPlan {
  CellRange range;
  std::size_t row_step = 1, col_step = 1;
};

PartPlan whole_plan(const PooledQuestion& q) {
  return {every_row(q.extents, 1), fine_step(static_cast<double>(q.extents.rows), q.side),
          fine_step(static_cast<double>(q.extents.cols), q.side)};
}

// Fewer rows, so that they are there soon.
PartPlan sample_plan(const PooledQuestion& q, std::size_t rows) {
  PartPlan plan = whole_plan(q);
  plan.row_step = std::max<std::size_t>(quotient_up(q.extents.rows, rows), 1);
  return plan;
}
PartPlan sample_plan(const PooledQuestion& q) { return sample_plan(q, q.side); }

PartPlan window_plan(const PooledQuestion& q, const CellWindow& window) {
  const SnappedSpan rows = snapped(window.row, window.rows, q.extents.rows, q.side);
  const SnappedSpan cols = snapped(window.col, window.cols, q.extents.cols, q.side);
  return {
      {rows.begin, cols.begin, rows.end - rows.begin, cols.end - cols.begin}, rows.step, cols.step};
}

bool is_finer(const PartPlan& part, const PartPlan& whole) {
  return part.row_step < whole.row_step || part.col_step < whole.col_step;
}

std::string key_of(const PooledQuestion& q, const PartPlan& plan, bool sampled) {
  const auto span = [](std::size_t first, std::size_t count, std::size_t step) {
    return std::to_string(first) + "+" + std::to_string(count) + "/" + std::to_string(step);
  };
  return std::string(sampled ? "some rows of " : "cells of ") + text_of(q.id) + ", rows " +
         span(plan.range.row, plan.range.rows, plan.row_step) + ", columns " +
         span(plan.range.col, plan.range.cols, plan.col_step) +
         (q.pooling == Pooling::Mean ? ", mean" : "") + (q.tops ? ", with tops" : "");
}

// Of weights and what is made of them rows are read whole, the first time.
std::size_t cells_of_a_row(const PooledQuestion& q, const CellRange& range) {
  const bool of_scores = stage_info(q.id.stage).role == StageRole::Scores;
  return of_scores ? range.cols : range.cols + q.n_k;
}

// The largest cell of those in all columns of the rows under each row of the part.
std::vector<float> tops_of(const Matrix& matrix, const PooledPart& part, Pooling pooling,
                           Progress* progress) {
  CellRange rows = part.range;
  rows.col = 0;
  rows.cols = matrix.extents().cols;
  const bool has_all = part.range.cols == rows.cols && pooling == Pooling::Maximum;
  const PooledCells widest =
      has_all ? coarsened(part.cells, 1, part.cells.cols)
              : pooled_by_rows(matrix, rows, part.cells.rows, 1, Pooling::Maximum, progress);
  return widest.values;
}

std::shared_ptr<PooledPart> read_part(const Matrix& matrix, const PartPlan& plan,
                                      const PooledQuestion& q, Progress* progress) {
  auto part = std::make_shared<PooledPart>();
  part->range = plan.range;
  part->rows_read = plan.range.rows;
  part->cells = pooled_by_rows(matrix, plan.range, quotient_up(plan.range.rows, plan.row_step),
                               quotient_up(plan.range.cols, plan.col_step), q.pooling, progress);
  if (q.tops) part->tops = tops_of(matrix, *part, q.pooling, progress);
  return part;
}

// One row in the middle of those that a row of the output stands for.
std::shared_ptr<PooledPart> sample_part(const Matrix& matrix, const PartPlan& plan,
                                        const PooledQuestion& q, Progress* progress) {
  PartPlan rows = plan;
  rows.row_step = 1;
  rows.range.row = std::min(plan.row_step / 2, plan.range.rows - 1);
  rows.range.rows = quotient_up(plan.range.rows - rows.range.row, plan.row_step);
  rows.range.row_step = plan.row_step;
  std::shared_ptr<PooledPart> part = read_part(matrix, rows, q, progress);
  part->range = plan.range;
  part->cells.row_step = plan.row_step;
  return part;
}

// Down to as few cells as a side of a small pane has pixels.
void make_levels(const PooledPart& part, std::size_t first, std::size_t last) {
  constexpr std::size_t kFewPixels = 512;
  const std::size_t longer = std::max(part.cells.rows, part.cells.cols);
  for (std::size_t by = first; by <= last && longer / by >= kFewPixels; ++by) {
    part.levels.of(part.cells, {by, by});
  }
}

// What windows draw of a part while they zoom and pan, so that no frame waits for it. Of the whole
// they copy what is in view until a finer part is there, and show it small.
void make_levels(const PooledPart& part, const PooledQuestion& q) {
  constexpr std::size_t kMost = 3;
  const bool is_whole = part.range == every_row(q.extents, 1);
  if (q.pooling != Pooling::Maximum) return;
  make_levels(part, is_whole ? 2 : 1, kMost);
  if (!is_whole) return;
  part.levels.pixels(part.cells, {1, 1});
  const auto small = [](std::size_t cells) {
    return coarsening(static_cast<double>(cells), kOverviewSide);
  };
  part.levels.of(part.cells, {small(part.cells.rows), small(part.cells.cols)});
}

Need need_of(const PooledQuestion& q, const PartPlan& plan, bool sampled, bool awaited) {
  CellRange read = plan.range;
  if (sampled) read.rows = quotient_up(read.rows, plan.row_step);
  if (q.tops) read.cols = q.extents.cols;
  Need need{key_of(q, plan, sampled),
            sampled ? "First rows of the map" : "Map",
            steps_to_read(q, read),
            {},
            0,
            awaited};
  need.derive = [q, plan, sampled](const Document& document, const ResultPtr& result,
                                   Progress* progress) -> Result<DerivationPtr> {
    const Result<MatrixPtr> matrix = source_of(q)(document, result);
    if (!matrix) return matrix.error();
    auto part =
        sampled ? sample_part(**matrix, plan, q, progress) : read_part(**matrix, plan, q, progress);
    if (progress != nullptr && progress->cancelled) return stopped();
    make_levels(*part, q);
    return DerivationPtr(std::move(part));
  };
  return need;
}

}  // namespace

MatrixSource source_of(const PooledQuestion& q) {
  if (q.source != nullptr) return q.source;
  return [id = q.id](const Document& /*document*/, const ResultPtr& result) {
    return Result<MatrixPtr>(stage_matrix(result, id));
  };
}

std::uint64_t steps_to_read(const PooledQuestion& q, const CellRange& range) {
  constexpr std::uint64_t kMultiplyAddsOfAStep = 40, kStepsOfACell = 3;
  const std::size_t row = cells_of_a_row(q, range);
  const std::uint64_t products = element_count({range.rows, row, q.d});
  return products / kMultiplyAddsOfAStep + element_count({kStepsOfACell, range.rows, row});
}

std::size_t coarsening(double cells, std::size_t pixels) {
  const double most = static_cast<double>(std::max<std::size_t>(pixels, 1));
  return static_cast<std::size_t>(std::max(std::ceil(cells / most - 1e-9), 1.0));
}

std::size_t step_of_whole(const PooledQuestion& q) {
  const PartPlan plan = whole_plan(q);
  return std::max(plan.row_step, plan.col_step);
}

std::shared_ptr<PooledPart> read_whole(const Matrix& matrix, const PooledQuestion& q,
                                       Progress* progress) {
  return read_part(matrix, whole_plan(q), q, progress);
}

std::shared_ptr<PooledPart> read_some_rows(const Matrix& matrix, const PooledQuestion& q,
                                           std::size_t rows, Progress* progress) {
  return sample_part(matrix, sample_plan(q, rows), q, progress);
}

std::vector<Need> pooled_needs(const PooledQuestion& q, const CellWindow& window) {
  const PartPlan whole = whole_plan(q);
  const PartPlan part = window_plan(q, window);
  const bool soon = steps_to_read(q, whole.range) <= kSoonSteps;
  std::vector<Need> needs;
  if (!soon) needs.push_back(need_of(q, sample_plan(q), true, true));
  if (is_finer(part, whole)) needs.push_back(need_of(q, part, false, false));
  needs.push_back(need_of(q, whole, false, soon));
  return needs;
}

std::vector<Need> window_needs(const PooledQuestion& q, const CellWindow& window) {
  const PartPlan part = window_plan(q, window);
  if (!is_finer(part, whole_plan(q))) return pooled_needs(q, window);
  return {need_of(q, part, false, true)};
}

PooledPartPtr pooled_part(const Derivations& known, const PooledQuestion& q,
                          const CellWindow& window) {
  const PartPlan whole = whole_plan(q);
  const PartPlan part = window_plan(q, window);
  PooledPartPtr found;
  if (is_finer(part, whole)) found = known.get<PooledPart>(key_of(q, part, false));
  if (found == nullptr) found = known.get<PooledPart>(key_of(q, whole, false));
  if (found == nullptr) found = known.get<PooledPart>(key_of(q, sample_plan(q), true));
  return found;
}

Error why_no_part(const Derivations* known, const PooledQuestion& q) {
  const std::string some = key_of(q, sample_plan(q), true), all = key_of(q, whole_plan(q), false);
  for (const std::string& key : {some, all}) {
    const Result<DerivationPtr>* made = known != nullptr ? known->find(key) : nullptr;
    if (made != nullptr && !*made) return made->error();
  }
  return usage_error("The map is not computed yet");
}

std::optional<PooledQuestion> pooled_question(const AttentionResult& result,
                                              const PlotOptions& options) {
  const bool is_kept =
      !result.has(options.stage, options.at) || result.range(options.stage, options.at);
  if (is_kept) return std::nullopt;
  const std::size_t heads = stage_info(options.stage).per_head ? 1 : result.shape().heads;
  return PooledQuestion{{options.stage, options.at},
                        result.stage_shape(options.stage, options.at),
                        result.shape().d_k * heads,
                        result.shape(options.at).n_k,
                        options.pooling,
                        has_parts_of_rows(options)};
}

bool has_range_of_pixels(const PooledQuestion& q, ColorSpan span) {
  const PartPlan whole = whole_plan(q);
  const bool by_share = span == ColorSpan::Automatic || span == ColorSpan::Percentile;
  return q.id.stage == Stage::Weights && by_share && (whole.row_step > 1 || whole.col_step > 1);
}

PooledPartPtr whole_part(const Derivations& known, const PooledQuestion& q) {
  return pooled_part(
      known, q,
      {0.0, 0.0, static_cast<double>(q.extents.rows), static_cast<double>(q.extents.cols)});
}

std::string rows_read_words(const PooledPart& part) {
  const std::string rows = rows_of_all(part.rows_read, part.range.rows);
  return rows.empty() ? "" : ", " + rows + " so far";
}

}  // namespace attn
