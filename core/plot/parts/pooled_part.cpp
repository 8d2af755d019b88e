// Cuts parts at steps that zooming and panning keep for a while.
#include "plot/parts/pooled_part.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "engine/compute.h"
#include "plot/colors/weight_range.h"

namespace attn {
namespace {

constexpr std::uint64_t kSoonSteps = 250'000'000;  // a quarter of a second
constexpr std::size_t kMapSide = 1024;             // cells of the output, whatever draws them
constexpr std::size_t kSnap = 128;                 // cells of the output that a part moves by

CellRange whole_of(const StageShape& extents) { return {0, 0, extents.rows, extents.cols}; }

std::size_t steps_of(std::size_t cells, std::size_t step) { return (cells + step - 1) / step; }

// At most twice as fine as it has to be.
std::size_t fine_step(double cells) {
  const auto wanted = static_cast<std::size_t>(cells / static_cast<double>(kMapSide));
  return std::bit_floor(std::max<std::size_t>(wanted, 1));
}

struct SnappedSpan {
  std::size_t begin = 0, end = 0, step = 1;
};

// What a span of cells is drawn from: somewhat longer, so that small steps stay in it.
SnappedSpan snapped(double first, double count, std::size_t cells) {
  SnappedSpan span;
  span.step = fine_step(count);
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
  return {whole_of(q.extents), fine_step(static_cast<double>(q.extents.rows)),
          fine_step(static_cast<double>(q.extents.cols))};
}

// Fewer rows, so that they are there soon.
PartPlan sample_plan(const PooledQuestion& q) {
  PartPlan plan = whole_plan(q);
  plan.row_step = steps_of(q.extents.rows, kMapSide);
  return plan;
}

PartPlan window_plan(const PooledQuestion& q, const CellWindow& window) {
  const SnappedSpan rows = snapped(window.row, window.rows, q.extents.rows);
  const SnappedSpan cols = snapped(window.col, window.cols, q.extents.cols);
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
         (q.pooling == Pooling::Mean ? ", mean" : "");
}

// Rows are read whole where weights are looked at for the first time.
std::uint64_t steps_to_read(const PooledQuestion& q, const CellRange& range) {
  constexpr std::uint64_t kMultiplyAddsOfAStep = 60, kStepsOfACell = 2;
  const std::uint64_t cells = element_count({range.rows, range.cols});
  const std::size_t made = q.id.stage == Stage::Weights ? range.cols + q.n_k : range.cols;
  const std::uint64_t products = element_count({range.rows, made, q.d});
  return products / kMultiplyAddsOfAStep + element_count({kStepsOfACell, cells});
}

KeptRange range_of(const PooledCells& cells) {
  SeenWeights seen;
  add_pixels(seen, cells);
  KeptRange kept;
  kept.summary = seen.summary;
  kept.least = least_above_zero(seen);
  kept.range = pixel_range(std::move(seen));
  return kept;
}

std::shared_ptr<PooledPart> read_part(const Matrix& matrix, const PartPlan& plan, Pooling pooling,
                                      Progress* progress) {
  auto part = std::make_shared<PooledPart>();
  part->range = plan.range;
  part->rows_read = plan.range.rows;
  part->cells = pooled_by_rows(matrix, plan.range, steps_of(plan.range.rows, plan.row_step),
                               steps_of(plan.range.cols, plan.col_step), pooling, progress);
  part->pixels = range_of(part->cells);
  return part;
}

// One row in the middle of those that a row of the output stands for.
std::shared_ptr<PooledPart> sample_part(const Matrix& matrix, const PartPlan& plan, Pooling pooling,
                                        Progress* progress) {
  PartPlan rows = plan;
  rows.row_step = 1;
  rows.range.row = std::min(plan.row_step / 2, plan.range.rows - 1);
  rows.range.rows = steps_of(plan.range.rows - rows.range.row, plan.row_step);
  rows.range.row_step = plan.row_step;
  std::shared_ptr<PooledPart> part = read_part(matrix, rows, pooling, progress);
  part->range = plan.range;
  part->cells.row_step = plan.row_step;
  return part;
}

Need need_of(const PooledQuestion& q, const PartPlan& plan, bool sampled, bool awaited) {
  CellRange read = plan.range;
  if (sampled) read.rows = steps_of(read.rows, plan.row_step);
  Need need{key_of(q, plan, sampled),
            sampled ? "First rows of the map" : "Map",
            steps_to_read(q, read),
            {},
            0,
            awaited};
  need.derive = [id = q.id, plan, pooling = q.pooling, sampled](
                    const Document&, const ResultPtr& result,
                    Progress* progress) -> Result<DerivationPtr> {
    const MatrixPtr matrix = stage_matrix(result, id);
    auto part = sampled ? sample_part(*matrix, plan, pooling, progress)
                        : read_part(*matrix, plan, pooling, progress);
    if (progress != nullptr && progress->cancelled) return stopped();
    return DerivationPtr(std::move(part));
  };
  return need;
}

bool is_cheap(const PooledQuestion& q) {
  return element_count({q.extents.rows, q.extents.cols}) <= kReadAtOnce;
}

}  // namespace

std::vector<Need> pooled_needs(const PooledQuestion& q, const CellWindow& window) {
  if (is_cheap(q)) return {};
  const PartPlan whole = whole_plan(q);
  const PartPlan part = window_plan(q, window);
  const bool soon = steps_to_read(q, whole.range) <= kSoonSteps;
  std::vector<Need> needs;
  if (!soon) needs.push_back(need_of(q, sample_plan(q), true, true));
  if (is_finer(part, whole)) needs.push_back(need_of(q, part, false, false));
  needs.push_back(need_of(q, whole, false, soon));
  return needs;
}

PooledPartPtr pooled_part(const Derivations& known, const PooledQuestion& q,
                          const CellWindow& window) {
  if (is_cheap(q)) return nullptr;
  const PartPlan whole = whole_plan(q);
  const PartPlan part = window_plan(q, window);
  PooledPartPtr found;
  if (is_finer(part, whole)) found = known.get<PooledPart>(key_of(q, part, false));
  if (found == nullptr) found = known.get<PooledPart>(key_of(q, whole, false));
  if (found == nullptr) found = known.get<PooledPart>(key_of(q, sample_plan(q), true));
  return found;
}

std::optional<PooledQuestion> pooled_question(const AttentionResult& result,
                                              const PlotOptions& options) {
  const bool is_kept = !result.has(options.stage) || result.range(options.stage, options.at);
  if (is_kept) return std::nullopt;
  return PooledQuestion{{options.stage, options.at, result.problem().part},
                        result.stage_shape(options.stage),
                        result.shape().d_k,
                        result.shape().n_k,
                        options.pooling};
}

bool has_range_of_pixels(const PooledQuestion& q, ColorSpan span) {
  const PartPlan whole = whole_plan(q);
  const bool by_share = span == ColorSpan::Automatic || span == ColorSpan::Percentile;
  return q.id.stage == Stage::Weights && by_share && !is_cheap(q) &&
         (whole.row_step > 1 || whole.col_step > 1);
}

std::optional<KeptRange> range_of_pixels(const Derivations& known, const PooledQuestion& q) {
  const StageShape& all = q.extents;
  const CellWindow window{0.0, 0.0, static_cast<double>(all.rows), static_cast<double>(all.cols)};
  const PooledPartPtr part = pooled_part(known, q, window);
  if (part == nullptr) return std::nullopt;
  return part->pixels;
}

std::string rows_read_words(const PooledPart& part) {
  if (part.rows_read >= part.range.rows) return "";
  return ", " + grouped_text(part.rows_read) + " of " + grouped_text(part.range.rows) +
         " rows so far";
}

}  // namespace attn
