// Parts of matrices, cut on a grid of steps so that zooming and panning reuse them, and statistics.
#include "plot/kit/map_needs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/quotient_up.h"
#include "engine/read/derivation.h"

namespace attn {
namespace {

constexpr std::size_t kSnap = 128;  // grid of the bounds of a part, in cells of the output

// Step at most twice as fine as needed.
std::size_t fine_step(double cells, std::size_t side) {
  const auto wanted = static_cast<std::size_t>(cells / static_cast<double>(side));
  return std::bit_floor(std::max<std::size_t>(wanted, 1));
}

// The span of cells to read for a window: rounded outwards, so that small movements stay inside.
RowSpan snapped(double first, double count, std::size_t cells, std::size_t step) {
  const std::size_t unit = step * kSnap;
  const auto past = static_cast<std::size_t>(std::ceil(std::max(first + count, 0.0)));
  return {static_cast<std::size_t>(std::max(first, 0.0)) / unit * unit,
          std::min((past + unit - 1) / unit * unit, cells)};
}

// A part, and the number of matrix cells under one of its cells.
struct PartPlan {
  CellRange range;
  std::size_t row_step = 1, col_step = 1;
  bool is_sample = false;  // reads only the middle one of each row_step rows
};

PartPlan whole_plan(const PooledQuestion& q) {
  return {every_row(q.extents, 1), fine_step(static_cast<double>(q.extents.rows), q.side),
          fine_step(static_cast<double>(q.extents.cols), q.side)};
}

// A plan with fewer rows, which is read sooner.
PartPlan sample_plan(const PooledQuestion& q, std::size_t rows) {
  PartPlan plan = whole_plan(q);
  plan.row_step = std::max<std::size_t>(quotient_up(q.extents.rows, rows), 1);
  plan.is_sample = true;
  return plan;
}
PartPlan sample_plan(const PooledQuestion& q) { return sample_plan(q, q.side); }

PartPlan window_plan(const PooledQuestion& q, const CellWindow& window) {
  const std::size_t row_step = fine_step(window.rows, q.side);
  const std::size_t col_step = fine_step(window.cols, q.side);
  const RowSpan rows = snapped(window.row, window.rows, q.extents.rows, row_step);
  const RowSpan cols = snapped(window.col, window.cols, q.extents.cols, col_step);
  return {
      {rows.begin, cols.begin, rows.end - rows.begin, cols.end - cols.begin}, row_step, col_step};
}

bool is_finer(const PartPlan& part, const PartPlan& whole) {
  return part.row_step < whole.row_step || part.col_step < whole.col_step;
}

std::string key_of(const PooledQuestion& q, const PartPlan& plan) {
  const auto span = [](std::size_t first, std::size_t count, std::size_t step) {
    return std::to_string(first) + "+" + std::to_string(count) + "/" + std::to_string(step);
  };
  return std::string(plan.is_sample ? "some rows of " : "cells of ") + text_of(q.id) + ", rows " +
         span(plan.range.row, plan.range.rows, plan.row_step) + ", columns " +
         span(plan.range.col, plan.range.cols, plan.col_step) +
         (q.pooling == Pooling::Mean ? ", mean" : "") + (q.tops ? ", with tops" : "");
}

// Maxima over all columns of the rows under each row of the part.
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

StatisticsPtr statistics_of_part(const PooledPart& part) {
  auto seen = std::make_shared<Statistics>(of_cells(part.cells.values, part.cells.hidden));
  seen->rows_read = part.rows_read;
  return seen;
}

std::shared_ptr<PooledPart> read_part(const Matrix& matrix, const PartPlan& plan,
                                      const PooledQuestion& q, Progress* progress) {
  auto part = std::make_shared<PooledPart>();
  CellRange& range = part->range = plan.range;
  if (plan.is_sample) {
    range.row = std::min(plan.row_step / 2, plan.range.rows - 1);
    range.rows = quotient_up(plan.range.rows - range.row, plan.row_step);
    range.row_step = plan.row_step;
  }
  part->rows_read = range.rows;
  part->cells = pooled_by_rows(matrix, range,
                               plan.is_sample ? range.rows : quotient_up(range.rows, plan.row_step),
                               quotient_up(range.cols, plan.col_step), q.pooling, progress);
  if (q.tops) part->tops = tops_of(matrix, *part, q.pooling, progress);
  if (!is_computed(q.id) && plan.range == every_row(q.extents, 1)) {
    part->seen = statistics_of_part(*part);
  }
  range = plan.range;
  if (plan.is_sample) part->cells.row_step = plan.row_step;
  return part;
}

// Makes levels down to the number of pixels of a small pane.
void make_levels(const PooledPart& part, std::size_t first, std::size_t last) {
  constexpr std::size_t kFewPixels = 512;
  const std::size_t longer = std::max(part.cells.rows, part.cells.cols);
  for (std::size_t by = first; by <= last && longer / by >= kFewPixels; ++by) {
    part.levels.of(part.cells, {by, by});
  }
}

// Levels that windows draw while zooming and panning, so that no frame waits for them. The fine
// level of the whole matrix is copied until a finer part is there; the small one is the overview.
void make_levels(const PooledPart& part, const PooledQuestion& q) {
  constexpr std::size_t kMost = 3;
  const bool is_whole = part.range == every_row(q.extents, 1);
  if (q.pooling != Pooling::Maximum) return;
  make_levels(part, is_whole ? 2 : 1, kMost);
  if (!is_whole) return;
  const auto small = [](std::size_t cells) {
    return coarsening(static_cast<double>(cells), kOverviewSide);
  };
  part.levels.of(part.cells, {small(part.cells.rows), small(part.cells.cols)});
}

MatrixSource source_of(const PooledQuestion& q) {
  if (q.source != nullptr) return q.source;
  return
      [id = q.id](const Sources& from) { return Result<MatrixPtr>(stage_matrix(from.result, id)); };
}

Need need_of(const PooledQuestion& q, const PartPlan& plan, bool awaited) {
  CellRange read = plan.range;
  if (plan.is_sample) read.rows = quotient_up(read.rows, plan.row_step);
  if (q.tops) read.cols = q.extents.cols;
  const auto make = [q, plan](const Sources& from,
                              const Pass& /*pass*/) -> Result<std::shared_ptr<PooledPart>> {
    const Result<MatrixPtr> matrix = source_of(q)({from.document, from.result});
    if (!matrix) return matrix.error();
    auto part = read_part(**matrix, plan, q, from.progress);
    if (!is_cancelled(from.progress)) make_levels(*part, q);
    return part;
  };
  const std::string label = plan.is_sample ? "First rows of the map" : "Map";
  return needs_of<PooledPart>(key_of(q, plan), {{"", label, reading_time(q, read), 1, awaited}},
                              make)
      .front();
}

constexpr std::size_t kMostSampled = std::size_t{1} << 24U;          // cells
constexpr std::size_t kMostSampledInHaste = std::size_t{1} << 22U;   // of a map that waits for them
constexpr std::size_t kMostCountedForFiles = std::size_t{1} << 30U;  // for a histogram

std::string key_of(const MatrixId& matrix, const StatisticsOptions& how) {
  return "statistics of " + text_of(matrix) + (how.all_heads ? ", all heads" : "") +
         (how.parts_of_rows ? ", parts of rows" : "");
}

std::uint64_t time_of(const StatisticsQuestion& q, std::size_t row_step) {
  constexpr std::size_t kNanosecondsPerCell = 6;
  CellRange rows = every_row(q.cells.extents, row_step);
  rows.rows = element_count({rows.rows, q.heads});
  const std::uint64_t looking = element_count({kNanosecondsPerCell, rows.rows, rows.cols});
  const std::uint64_t reading = q.is_materialised ? 0 : reading_time(q.cells, rows);
  return saturating_sum({reading, looking});
}

// --- rows that see no key ---------------------------------------------------------------------

std::vector<std::size_t> found_unseeing(const AttentionResult& result, const HeadAddress& head,
                                        Progress* progress) {
  constexpr std::size_t kRowsOfAReport = 1024;
  const std::size_t n_q = result.shape(head).n_q;
  std::vector<std::size_t> rows;
  StepCount steps(progress, n_q);
  for (std::size_t row = 0; row < n_q; ++row) {
    if (result.sees_no_key(head, row)) rows.push_back(row);
    if ((row + 1) % kRowsOfAReport == 0 && !steps.add(kRowsOfAReport)) break;
  }
  return rows;
}

bool is_found_quickly(const AttentionProblem& problem, const HeadAddress& head) {
  const AttentionShape s = shape_of(problem, head);
  return !can_hide(mask_of(problem, head)) || element_count({s.n_q, s.n_k}) <= kReadAtOnce;
}

}  // namespace

std::vector<Need> unseeing_needs(const AttentionResult& result, const HeadAddress& head) {
  if (is_found_quickly(result.problem(), head)) return {};
  constexpr std::size_t kNanosecondsPerRow = 60;
  const auto make = [head](const Sources& from, const Pass& /*pass*/) {
    auto found = std::make_shared<UnseeingRows>();
    found->rows = found_unseeing(*from.result, head, from.progress);
    return found;
  };
  const HeadAddress of_all_layers = head.moved_to(0, head.sample, head.head);
  return needs_of<UnseeingRows>(
      "rows that see no key, " + text_of(MatrixId{Stage::Weights, of_all_layers}),
      {{"", "Queries that see no key", element_count({kNanosecondsPerRow, result.shape(head).n_q}),
        1, false}},
      make);
}

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

std::uint64_t DrawnLevels::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& [by, level] : made_) {
    bytes += level.cells->values.size() * (sizeof(float) + sizeof(HiddenRules));
  }
  return bytes;
}

std::uint64_t reading_time(const PooledQuestion& q, const CellRange& range) {
  constexpr std::uint64_t kMultiplyAddsPerNanosecond = 40, kNanosecondsPerCell = 3;
  // Weights and matrices made from them read whole rows the first time.
  const bool of_scores = stage_info(q.id.stage).role == StageRole::Scores;
  const std::size_t row = of_scores ? range.cols : range.cols + q.n_k;
  const std::uint64_t products = element_count({range.rows, row, q.d});
  return products / kMultiplyAddsPerNanosecond +
         element_count({kNanosecondsPerCell, range.rows, row});
}

std::size_t coarsening(double cells, std::size_t pixels) {
  const double most = static_cast<double>(std::max<std::size_t>(pixels, 1));
  return static_cast<std::size_t>(std::max(std::ceil(cells / most - 1e-9), 1.0));
}

Coarsening steps_of_whole(const PooledQuestion& q) {
  const PartPlan plan = whole_plan(q);
  return {plan.row_step, plan.col_step};
}

std::shared_ptr<PooledPart> read_map(const Matrix& matrix, const PooledQuestion& q,
                                     std::size_t rows, Progress* progress) {
  return read_part(matrix, rows == 0 ? whole_plan(q) : sample_plan(q, rows), q, progress);
}

std::vector<Need> pooled_needs(const PooledQuestion& q, const CellWindow& window) {
  const PartPlan whole = whole_plan(q);
  const PartPlan part = window_plan(q, window);
  const bool soon = reading_time(q, whole.range) <= kShortTime;
  std::vector<Need> needs;
  if (!soon) needs.push_back(need_of(q, sample_plan(q), true));
  if (is_finer(part, whole)) needs.push_back(need_of(q, part, false));
  needs.push_back(need_of(q, whole, soon));
  return needs;
}

std::vector<Need> window_needs(const PooledQuestion& q, const CellWindow& window) {
  const PartPlan part = window_plan(q, window);
  if (!is_finer(part, whole_plan(q))) return pooled_needs(q, window);
  return {need_of(q, part, true)};
}

PooledPartPtr pooled_part(const Derivations* known, const PooledQuestion& q,
                          const CellWindow& window) {
  if (known == nullptr) return nullptr;
  for (const PartPlan& plan : {window_plan(q, window), whole_plan(q), sample_plan(q)}) {
    if (auto found = known->get<PooledPart>(key_of(q, plan))) return found;
  }
  return nullptr;
}

Error why_no_part(const Derivations* known, const PooledQuestion& q) {
  for (const PartPlan& plan : {sample_plan(q), whole_plan(q)}) {
    if (const Error* error = error_of(known, key_of(q, plan))) return *error;
  }
  return usage_error("The map is not computed yet");
}

std::optional<PooledQuestion> pooled_question(const AttentionResult& result,
                                              const PlotOptions& options) {
  if (is_materialised(result, options.stage, options.at)) return std::nullopt;
  const std::size_t heads = stage_info(options.stage).per_head ? 1 : result.shape().heads;
  return PooledQuestion{{options.stage, options.at},
                        result.stage_shape(options.stage, options.at),
                        result.shape().d_k * heads,
                        result.shape(options.at).n_k,
                        options.pooling,
                        has_parts_of_rows(options)};
}

std::vector<Need> statistics_needs(const StatisticsQuestion& q) {
  const std::size_t cells = element_count({q.cells.extents.rows, q.cells.extents.cols, q.heads});
  if (cells == 0 || (q.is_materialised && cells <= kReadAtOnce)) return {};
  const bool in_haste = q.of_colors && !q.is_materialised;
  const std::size_t step =
      sampling_step(q.cells.extents, q.heads, in_haste ? kMostSampledInHaste : kMostSampled);
  const auto make = [source = source_of(q.cells), how = q.how](
                        const Sources& from,
                        const Pass& pass) -> Result<std::shared_ptr<Statistics>> {
    const Result<MatrixPtr> matrix = source({from.document, from.result});
    if (!matrix) return matrix.error();
    return std::make_shared<Statistics>(
        statistics_of(**matrix, from.result.get(), how, pass.row_step, from.progress));
  };
  const std::string label = q.of_colors ? "Range of the colours" : "Histogram of the values";
  std::vector<Pass> passes{{std::string(kSomeRows), label, time_of(q, step), step, in_haste}};
  const bool is_worth_all = q.of_colors || cells <= kMostCountedForFiles;
  if (step > 1 && is_worth_all) passes.push_back({"", label, time_of(q, 1), 1, false, true});
  return needs_of<Statistics>(key_of(q.cells.id, q.how), passes, make);
}

StatisticsPtr shown_statistics(const PlotInput& input, const Matrix& matrix,
                               const StatisticsOptions& how) {
  const std::string key = key_of(matrix.id(), how);
  for (const std::string_view pass : {std::string_view(), kSomeRows}) {
    if (input.derivations == nullptr) break;
    if (auto known = input.derivations->get<Statistics>(key + std::string(pass))) return known;
  }
  if (!is_materialised(matrix)) return std::make_shared<Statistics>();
  return cached<Statistics>(input.result, "at once, " + key, [&] {
    const std::size_t heads = how.all_heads ? input.result.shape().heads : 1;
    const std::size_t step = sampling_step(matrix.extents(), heads, kReadAtOnce);
    return std::make_shared<Statistics>(statistics_of(matrix, &input.result, how, step));
  });
}

std::vector<std::size_t> unseeing_rows(const Derivations* known, const AttentionResult& result,
                                       const HeadAddress& head) {
  if (!can_hide(mask_of(result.problem(), head))) return {};
  if (is_found_quickly(result.problem(), head)) return found_unseeing(result, head, nullptr);
  const auto found = best_of<UnseeingRows>(unseeing_needs(result, head), known);
  return found != nullptr ? found->rows : std::vector<std::size_t>();
}

}  // namespace attn
