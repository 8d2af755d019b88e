// Asks for ranges by what they are of, and finds them again.
#include "plot/parts/range_needs.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "engine/compute.h"

namespace attn {
namespace {

// A bar shows no more of the cells beyond, and says of how many rows it is.
constexpr std::size_t kMostCountedForFiles = std::size_t{1} << 30U;

std::string key_of_range(const MatrixId& matrix, ColorSpan span, bool exact) {
  return (exact ? "exact range " : "range ") + std::to_string(static_cast<int>(span)) + " of " +
         text_of(matrix);
}

std::string key_of(const MatrixId& matrix, bool parts_of_rows, bool exact) {
  return (exact ? "exact " : "") + key_of_spread(matrix, parts_of_rows);
}

std::size_t cells_of(const RangeQuestion& q) {
  return element_count({q.cells.extents.rows, q.cells.extents.cols, q.heads});
}

// Of so many cells, rows at equal distances, one at least.
std::uint64_t steps_of_cells(const RangeQuestion& q, std::size_t cells, std::size_t steps) {
  const std::size_t row = std::max<std::size_t>(element_count({q.cells.extents.cols, q.heads}), 1);
  CellRange rows{0, 0, std::clamp<std::size_t>(cells / row, 1, q.cells.extents.rows),
                 q.cells.extents.cols};
  const std::uint64_t looking = element_count({steps, rows.rows, row});
  if (q.is_kept) return looking;
  rows.rows = element_count({rows.rows, q.heads});
  const std::uint64_t reading = steps_to_read(q.cells, rows);
  return reading > UINT64_MAX - looking ? UINT64_MAX : reading + looking;
}

// A stage of scores with what the mask hides hidden: such cells are drawn, and are in no range.
class SeenScores final : public Matrix {
 public:
  SeenScores(MatrixPtr scores, const Mask& mask) : scores_(std::move(scores)), mask_(mask) {}
  const MatrixId& id() const override { return scores_->id(); }
  StageShape extents() const override { return scores_->extents(); }
  void read(const CellRange& range, float* out) const override { scores_->read(range, out); }
  std::optional<Summary> summary() const override { return scores_->summary(); }
  bool is_masked() const override { return true; }
  void hidden_row(std::size_t row, std::span<HiddenRules> out,
                  std::size_t first_col) const override {
    attn::hidden_row(mask_, id().head, row, out, first_col);
  }

 private:
  MatrixPtr scores_;
  const Mask& mask_;  // borrowed
};

MatrixPtr as_seen(MatrixPtr matrix, const AttentionResult& result) {
  const MatrixId& id = matrix->id();
  const bool is_shown_whole =
      is_computed(id) && stage_info(id.stage).token_by_token() && !matrix->is_masked();
  if (!is_shown_whole || !can_hide(result.problem().mask)) return matrix;
  return std::make_shared<SeenScores>(std::move(matrix), result.problem().mask);
}

// A need of what find(matrix, result, progress) finds.
template <class Find>
Need need_of(const RangeQuestion& q, std::string key, std::string label, Find find) {
  Need need{std::move(key), std::move(label), 0, {}, 0, false};
  need.derive = [source = source_of(q.cells), find](const Document& document,
                                                    const ResultPtr& result,
                                                    Progress* progress) -> Result<DerivationPtr> {
    const Result<MatrixPtr> matrix = source(document, result);
    if (!matrix) return matrix.error();
    DerivationPtr found = find(*matrix, *result, progress);
    if (progress != nullptr && progress->cancelled) return stopped();
    return found;
  };
  return need;
}

// Of all cells, for files, or of rows at equal distances.
Need range_need(const RangeQuestion& q, bool exact) {
  constexpr std::size_t kStepsOfACell = 8;
  const std::size_t cells = exact ? cells_of(q) : std::min(cells_of(q), kMostGathered);
  Need need = need_of(
      q, key_of_range(q.cells.id, q.span, exact), "Range of the colours",
      [span = q.span, find = exact ? exact_range : kept_range](
          const MatrixPtr& matrix, const AttentionResult& result,
          Progress* progress) -> DerivationPtr {
        return std::make_shared<KeptRange>(find(*as_seen(matrix, result), span, &result, progress));
      });
  need.steps = steps_of_cells(q, exact ? cells : kMostGathered, kStepsOfACell);
  need.bytes = exact ? 0 : element_count({cells, sizeof(float)});
  need.awaited = !exact && !q.is_kept;
  need.only_for_files = exact;
  return need;
}

Need spread_need(const RangeQuestion& q, bool in_rows, bool exact) {
  constexpr std::size_t kStepsOfACell = 4;
  const std::size_t most = exact ? cells_of(q) : kMostCounted;
  Need need =
      need_of(q, key_of(q.cells.id, in_rows, exact), "Histogram of the values",
              [in_rows, most](const MatrixPtr& matrix, const AttentionResult& /*result*/,
                              Progress* progress) -> DerivationPtr {
                return std::make_shared<Spread>(spread_of(*matrix, in_rows, most, progress));
              });
  need.steps = steps_of_cells(q, most, kStepsOfACell);
  need.only_for_files = exact;
  return need;
}

// The best first.
template <class Kind>
std::shared_ptr<const Kind> first_known(const Derivations* known,
                                        const std::array<std::string, 2>& keys) {
  if (known == nullptr) return nullptr;
  for (const std::string& key : keys) {
    if (auto found = known->get<Kind>(key)) return found;
  }
  return nullptr;
}

// --- rows that see no key ---------------------------------------------------------------------

std::string key_of_unseeing(const AttentionResult& result, const HeadAddress& head) {
  const HeadAddress of_all_layers{0, head.sample, head.head};
  return "rows that see no key, " +
         text_of(MatrixId{Stage::Weights, of_all_layers, result.problem().part});
}

// Looks at the keys that the rules leave, some at a time: most rows see one of the first.
bool sees_no_key(const AttentionProblem& problem, const HeadAddress& head, std::size_t row,
                 std::vector<HiddenRules>& rules) {
  constexpr std::size_t kAtOnce = 64;
  const KeySpan keys = reachable_keys(problem.mask, head.sample, {row, row + 1}, problem.shape.n_k);
  for (std::size_t key = keys.begin; key < keys.end; key += kAtOnce) {
    rules.resize(std::min(kAtOnce, keys.end - key));
    if (hidden_row(problem.mask, head, row, rules, key) > 0) return false;
    if ((rules.front() & kHiddenByQueryPadding) != 0) return true;  // hides the whole row
  }
  return true;
}

std::vector<std::size_t> found_unseeing(const AttentionProblem& problem, const HeadAddress& head,
                                        Progress* progress) {
  constexpr std::size_t kRowsOfAReport = 1024;
  std::vector<HiddenRules> rules;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < problem.shape.n_q; ++row) {
    if (progress != nullptr && row % kRowsOfAReport == 0) {
      if (progress->cancelled) return rows;
      progress->report(static_cast<float>(row) / static_cast<float>(problem.shape.n_q));
    }
    if (sees_no_key(problem, head, row, rules)) rows.push_back(row);
  }
  return rows;
}

bool is_asked_at_once(const AttentionProblem& problem) {
  return !can_hide(problem.mask) ||
         element_count({problem.shape.n_q, problem.shape.n_k}) <= kReadAtOnce;
}

}  // namespace

std::vector<Need> range_needs(const RangeQuestion& q) {
  const std::size_t cells = cells_of(q);
  if (cells == 0 || (q.is_kept && cells <= kReadAtOnce)) return {};
  std::vector<Need> needs{range_need(q, false)};
  if (cells > kMostGathered) needs.push_back(range_need(q, true));
  return needs;
}

std::vector<Need> spread_needs(const RangeQuestion& q, bool parts_of_rows) {
  const std::size_t cells = cells_of(q);
  if (cells == 0 || (q.is_kept && cells <= kReadAtOnce)) return {};
  std::vector<Need> needs{spread_need(q, parts_of_rows, false)};
  const bool is_worth_all = cells > kMostCounted && cells <= kMostCountedForFiles;
  if (is_worth_all) needs.push_back(spread_need(q, parts_of_rows, true));
  return needs;
}

std::shared_ptr<const KeptRange> known_range(const Derivations* known, const MatrixId& matrix,
                                             ColorSpan span) {
  return first_known<KeptRange>(
      known, {key_of_range(matrix, span, true), key_of_range(matrix, span, false)});
}

SpreadPtr known_spread(const Derivations* known, const MatrixId& matrix, bool parts_of_rows) {
  return first_known<Spread>(
      known, {key_of(matrix, parts_of_rows, true), key_of(matrix, parts_of_rows, false)});
}

std::vector<Need> unseeing_needs(const AttentionResult& result, const HeadAddress& head) {
  constexpr std::size_t kStepsOfARow = 60;
  if (is_asked_at_once(result.problem())) return {};
  Need need{key_of_unseeing(result, head),
            "Queries that see no key",
            element_count({kStepsOfARow, result.shape().n_q}),
            {},
            0,
            false};
  need.derive = [head](const Document& /*document*/, const ResultPtr& from,
                       Progress* progress) -> Result<DerivationPtr> {
    auto found = std::make_shared<UnseeingRows>();
    found->rows = found_unseeing(from->problem(), head, progress);
    if (progress != nullptr && progress->cancelled) return stopped();
    return DerivationPtr(std::move(found));
  };
  return {need};
}

std::vector<std::size_t> unseeing_rows(const Derivations* known, const AttentionResult& result,
                                       const HeadAddress& head) {
  if (!can_hide(result.problem().mask)) return {};
  if (is_asked_at_once(result.problem())) return found_unseeing(result.problem(), head, nullptr);
  const auto found =
      known != nullptr ? known->get<UnseeingRows>(key_of_unseeing(result, head)) : nullptr;
  return found != nullptr ? found->rows : std::vector<std::size_t>();
}

}  // namespace attn
