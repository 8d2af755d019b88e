// Reads rows and columns of stages, and computes what the inspector shows.
#include "gui/panels/inspector/inspector_numbers.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "attention/mask.h"
#include "engine/terms.h"

namespace attn::gui {
namespace {

std::vector<float> read_line(const AttentionResult& result, const CellHit& cell, bool column) {
  const StageShape extent = result.stage_shape(cell.matrix.stage, cell.matrix.head);
  const CellRange line =
      column ? CellRange{0, cell.col, extent.rows, 1} : CellRange{cell.row, 0, 1, extent.cols};
  std::vector<float> values(line.rows * line.cols);
  if (!values.empty()) result.read(cell.matrix.stage, cell.matrix.head, line, values.data());
  return values;
}

LargestTerms largest_of(std::vector<ScoreTerm> terms) {
  LargestTerms largest{std::move(terms), 0};
  largest.all = largest.terms.size();
  if (largest.all <= kInspectedTerms) return largest;
  std::partial_sort(largest.terms.begin(), largest.terms.begin() + kInspectedTerms,
                    largest.terms.end(), [](const ScoreTerm& a, const ScoreTerm& b) {
                      return std::abs(a.product()) > std::abs(b.product());
                    });
  largest.terms.resize(kInspectedTerms);
  largest.terms.shrink_to_fit();
  return largest;
}

// Difference of two cells of one stage and attention, in any heads.
std::optional<double> difference_of(const AttentionResult& result,
                                    const std::vector<CellHit>& cells) {
  if (cells.size() < 2) return std::nullopt;
  const CellHit &a = cells[0], &b = cells[1];
  const bool comparable =
      is_computed(a.matrix) && is_computed(b.matrix) && a.matrix.stage == b.matrix.stage;
  if (!comparable) return std::nullopt;
  const auto value = [&](const CellHit& cell) {
    return static_cast<double>(
        result.value(cell.matrix.stage, cell.matrix.head, cell.row, cell.col));
  };
  return value(a) - value(b);
}

// The `count` largest magnitudes of the cell's row (its column if bars_are_rows), largest first or
// by position, without hidden and non-finite cells.
std::vector<Bar> line_bars(const AttentionResult& result, const CellHit& cell, std::size_t count,
                           bool by_position) {
  const std::vector<float> line = read_line(result, cell, bars_are_rows(result, cell.matrix.stage));
  // A mask only marks given weights; recurrent models see hidden keys through other states.
  const bool masked =
      stage_info(cell.matrix.stage).role == StageRole::Scores && has_scores(result.problem());
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool hidden = masked && result.hidden(cell.matrix.head, cell.row, i) != kVisible;
    if (!hidden && std::isfinite(line[i])) bars.push_back({i, line[i]});
  }
  const auto larger = [](const Bar& a, const Bar& b) {
    const float x = std::abs(a.value), y = std::abs(b.value);
    return x != y ? x > y : a.index < b.index;
  };
  const std::size_t shown = std::min(count, bars.size());
  std::partial_sort(bars.begin(), bars.begin() + static_cast<std::ptrdiff_t>(shown), bars.end(),
                    larger);
  bars.resize(shown);
  if (by_position) {
    std::sort(bars.begin(), bars.end(),
              [](const Bar& a, const Bar& b) { return a.index < b.index; });
  }
  return bars;
}

InspectedNumbers read_numbers(const AttentionResult& result, const std::vector<CellHit>& cells,
                              bool by_position, const FirstNumbers& first_number) {
  InspectedNumbers numbers;
  for (const CellHit& cell : cells) {
    std::vector<SumLine> lines = sum_of(result, cell, first_number);
    if (!lines.empty()) numbers.sums.push_back(std::move(lines));
  }
  numbers.difference = difference_of(result, cells);
  const CellHit& first = cells.front();
  if (!is_computed(first.matrix)) return numbers;
  const HeadAddress& head = first.matrix.head;
  numbers.bars = line_bars(result, first, kInspectedBars, by_position);
  if (first.matrix.stage == Stage::Weights) {
    numbers.entropy = row_entropy(result, head, first.row);
    numbers.rank = row_rank(result, first);
  }
  if (has_chain(first)) {
    numbers.product = largest_of(score_terms(result, head, first.row, first.col));
  }
  numbers.output = largest_of(output_terms(result, first));
  numbers.linear =
      largest_of(linear_terms(result, first.matrix.stage, head, first.row, first.col).terms);
  return numbers;
}

// Reading longer rows takes more time than a frame has.
constexpr std::size_t kMaxKeysInFrame = 2048;

bool is_long(const AttentionResult& result, const std::vector<CellHit>& cells) {
  return result.shape(cells.front().matrix.head).n_k > kMaxKeysInFrame &&
         std::ranges::any_of(cells, [](const CellHit& cell) { return has_chain(cell); });
}

}  // namespace

bool has_chain(const CellHit& cell) {
  return is_computed(cell.matrix) && stage_info(cell.matrix.stage).token_by_token();
}

bool bars_are_rows(const AttentionResult& result, Stage stage) {
  const StageShape extent = result.stage_shape(stage);
  return extent.cols == 1 && extent.rows > 1 && !stage_info(stage).token_by_token();
}

void InspectorCache::ask(const Key& key, const AttentionResult& result) {
  if (asked_ == key) return;
  asked_ = key;
  if (jobs_ == nullptr) jobs_ = std::make_unique<JobQueue>();
  jobs_->submit("row", "", [inbox = inbox_.get(), key, &result](Progress&) -> JobQueue::Outcome {
    InspectedNumbers numbers;
    try {
      numbers = read_numbers(result, key.cells, key.by_position, key.first);
    } catch (const std::bad_alloc&) {  // the rest of the inspector remains available
    }
    const std::lock_guard lock(inbox->mutex);
    inbox->read.emplace(key, std::move(numbers));
    return {};
  });
}

void InspectorCache::take_finished() {
  const std::lock_guard lock(inbox_->mutex);
  if (!inbox_->read) return;
  auto [key, numbers] = *std::exchange(inbox_->read, std::nullopt);
  if (key != asked_) return;
  key_ = std::move(key);
  numbers_ = std::move(numbers);
  asked_.reset();
}

bool InspectorCache::is_reading() const {
  const std::lock_guard lock(inbox_->mutex);
  return asked_ && !(inbox_->read && inbox_->read->first == asked_);
}

const InspectedNumbers* InspectorCache::numbers(const AppState& state,
                                                const AttentionResult& result,
                                                const std::vector<CellHit>& cells,
                                                bool by_position) {
  take_finished();
  const HeadAddress at = cells.empty() ? HeadAddress{} : cells.front().matrix.head;
  Key key{state.result, state.derivations.version(), cells, by_position,
          first_numbers(state.document, at)};
  if (key_ == key) return &numbers_;
  if (is_long(result, cells)) {
    ask(key, result);
    return nullptr;
  }
  asked_.reset();
  numbers_ = read_numbers(result, cells, by_position, key.first);
  key_ = std::move(key);
  return &numbers_;
}

}  // namespace attn::gui
