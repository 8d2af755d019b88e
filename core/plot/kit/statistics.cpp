// Asks for statistics by what they are of, and finds them again.
#include "plot/kit/statistics.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/compute.h"
#include "engine/read/derivation.h"

namespace attn {
namespace {

constexpr std::size_t kMostSampled = std::size_t{1} << 24U;          // cells
constexpr std::size_t kMostSampledInHaste = std::size_t{1} << 22U;   // of a map that waits for them
constexpr std::size_t kMostCountedForFiles = std::size_t{1} << 30U;  // for a histogram

std::string key_of(const MatrixId& matrix, const StatisticsOptions& how, bool exact) {
  return (exact ? "exact statistics of " : "statistics of ") + text_of(matrix) +
         (how.all_heads ? ", all heads" : "") + (how.parts_of_rows ? ", parts of rows" : "") +
         (how.share ? ", percentile" : "");
}

std::size_t cells_of(const StatisticsQuestion& q) {
  return element_count({q.cells.extents.rows, q.cells.extents.cols, q.heads});
}

std::size_t step_of(const StatisticsQuestion& q, bool exact) {
  const bool in_haste = q.of_colors && !q.is_kept;
  return exact ? 1
               : sampling_step(q.cells.extents, q.heads,
                               in_haste ? kMostSampledInHaste : kMostSampled);
}

std::uint64_t steps_of(const StatisticsQuestion& q, std::size_t row_step) {
  constexpr std::size_t kStepsOfACell = 6;
  CellRange rows = every_row(q.cells.extents, row_step);
  const std::size_t readings = q.how.share ? 2 : 1;
  rows.rows = element_count({rows.rows, q.heads, readings});
  const std::uint64_t looking = element_count({kStepsOfACell, rows.rows, rows.cols});
  const std::uint64_t reading = q.is_kept ? 0 : steps_to_read(q.cells, rows);
  return reading > UINT64_MAX - looking ? UINT64_MAX : reading + looking;
}

Need statistics_need(const StatisticsQuestion& q, bool exact) {
  const std::size_t step = step_of(q, exact);
  Need need{key_of(q.cells.id, q.how, exact),
            q.of_colors ? "Range of the colours" : "Histogram of the values",
            steps_of(q, step),
            {},
            0,
            q.of_colors && !exact && !q.is_kept,
            exact};
  need.derive = [source = source_of(q.cells), how = q.how, step](
                    const Document& document, const ResultPtr& result,
                    Progress* progress) -> Result<DerivationPtr> {
    const Result<MatrixPtr> matrix = source(document, result);
    if (!matrix) return matrix.error();
    auto found =
        std::make_shared<Statistics>(statistics_of(**matrix, result.get(), how, step, progress));
    if (progress != nullptr && progress->cancelled) return stopped();
    return DerivationPtr(std::move(found));
  };
  return need;
}

// --- rows that see no key ---------------------------------------------------------------------

std::vector<std::size_t> found_unseeing(const AttentionResult& result, const HeadAddress& head,
                                        Progress* progress) {
  constexpr std::size_t kRowsOfAReport = 1024;
  const std::size_t n_q = result.shape().n_q;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < n_q; ++row) {
    if (progress != nullptr && row % kRowsOfAReport == 0) {
      if (progress->cancelled) return rows;
      progress->report(static_cast<float>(row) / static_cast<float>(n_q));
    }
    if (result.sees_no_key(head, row)) rows.push_back(row);
  }
  return rows;
}

Ask<UnseeingRows> ask_for_unseeing(const AttentionResult& result, const HeadAddress& head) {
  constexpr std::size_t kStepsOfARow = 60;
  const auto make = [head](const Document& /*document*/, const ResultPtr& from,
                           const Pass& /*pass*/, Progress* progress) {
    auto found = std::make_shared<UnseeingRows>();
    found->rows = found_unseeing(*from, head, progress);
    return found;
  };
  const HeadAddress of_all_layers = head.moved_to(0, head.sample, head.head);
  return {"rows that see no key, " + text_of(MatrixId{Stage::Weights, of_all_layers}),
          {{"", "Queries that see no key", element_count({kStepsOfARow, result.shape().n_q}), 1,
            false}},
          make};
}

bool is_asked_at_once(const AttentionProblem& problem, const HeadAddress& head) {
  const AttentionShape s = shape_of(problem, head);
  return !can_hide(mask_of(problem, head)) || element_count({s.n_q, s.n_k}) <= kReadAtOnce;
}

}  // namespace

std::vector<Need> statistics_needs(const StatisticsQuestion& q) {
  const std::size_t cells = cells_of(q);
  if (cells == 0 || (q.is_kept && cells <= kReadAtOnce)) return {};
  std::vector<Need> needs{statistics_need(q, false)};
  const bool is_worth_all = q.of_colors || cells <= kMostCountedForFiles;
  if (step_of(q, false) > 1 && is_worth_all) needs.push_back(statistics_need(q, true));
  return needs;
}

StatisticsPtr known_statistics(const Derivations* known, const MatrixId& matrix,
                               const StatisticsOptions& how) {
  if (known == nullptr) return nullptr;
  for (const bool exact : {true, false}) {
    if (auto found = known->get<Statistics>(key_of(matrix, how, exact))) return found;
  }
  return nullptr;
}

StatisticsPtr shown_statistics(const PlotInput& input, const Matrix& matrix,
                               const StatisticsOptions& how) {
  if (auto known = known_statistics(input.derivations, matrix.id(), how)) return known;
  if (is_read_beforehand(matrix)) return std::make_shared<Statistics>();
  PooledMemo& memo = input.result.pooled_memo();
  const std::string key = "at once, " + key_of(matrix.id(), how, false);
  if (auto known = std::dynamic_pointer_cast<const Statistics>(memo.find(key))) return known;
  const std::size_t heads = how.all_heads ? input.result.shape().heads : 1;
  auto made = std::make_shared<Statistics>(statistics_of(
      matrix, &input.result, how, sampling_step(matrix.extents(), heads, kReadAtOnce)));
  memo.keep(key, made);
  return made;
}

std::vector<Need> unseeing_needs(const AttentionResult& result, const HeadAddress& head) {
  if (is_asked_at_once(result.problem(), head)) return {};
  return needs_of(ask_for_unseeing(result, head));
}

std::vector<std::size_t> unseeing_rows(const Derivations* known, const AttentionResult& result,
                                       const HeadAddress& head) {
  if (!can_hide(mask_of(result.problem(), head))) return {};
  if (is_asked_at_once(result.problem(), head)) return found_unseeing(result, head, nullptr);
  const auto found = best_of(ask_for_unseeing(result, head), known);
  return found != nullptr ? found->rows : std::vector<std::size_t>();
}

}  // namespace attn
