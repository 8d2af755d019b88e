// Functions of results built on reading ranges.
#include "engine/read/result.h"

#include <algorithm>

#include "base/special_numbers.h"
#include "engine/kernels/parallel.h"

namespace attn {

void copy_range(const MatrixView& from, const CellRange& range, float* out) {
  for (std::size_t r = 0; r < range.rows; ++r) {
    const float* row = from.data + range.row_at(r) * from.row_stride + range.col;
    out = std::copy_n(row, range.cols, out);
  }
}

AttentionResult::AttentionResult() : memo_(std::make_shared<PooledMemo>()) {}

bool AttentionResult::has(Stage stage, const HeadAddress& at) const {
  return std::ranges::find(stages(at), stage) != stages(at).end();
}

StageShape AttentionResult::stage_shape(Stage stage, const HeadAddress& at) const {
  return attn::stage_shape(shape(at), stage);
}

float AttentionResult::value(Stage stage, const HeadAddress& head, std::size_t row,
                             std::size_t col) const {
  float cell = 0.0F;
  read(stage, head, {row, col, 1, 1}, &cell);
  return cell;
}

HiddenRules AttentionResult::hidden(const HeadAddress& head, std::size_t q, std::size_t k) const {
  return hidden_by(mask_of(problem(), head), head, q, k);
}

// Checks keys in blocks: most rows have a visible key in the first.
bool AttentionResult::sees_no_key(const HeadAddress& head, std::size_t q) const {
  std::array<HiddenRules, 64> rules{};
  const Mask& mask = mask_of(problem(), head);
  const KeySpan keys = reachable_keys(mask, head.sample, {q, q + 1}, shape(head).n_k);
  for (std::size_t key = keys.begin; key < keys.end; key += rules.size()) {
    const std::span some(rules.data(), std::min(rules.size(), keys.end - key));
    if (hidden_row(mask, head, q, some, key) > 0) return false;
    if ((some.front() & kHiddenByQueryPadding) != 0) return true;  // hides the whole row
  }
  return true;
}

const std::vector<ResultNote>& AttentionResult::notes(const HeadAddress& at) const {
  return notes_[among(attentions_of(problem()), at).attention];
}

void AttentionResult::set_notes(const HeadAddress& at, std::vector<ResultNote> notes) {
  notes_[at.attention] = std::move(notes);
}

Error stopped() {
  return {.kind = ErrorKind::Interrupted, .message = "the computation was stopped"};
}

std::vector<ResultNote> notes_on_all(const AttentionResult& result) {
  const std::span<const AttentionInfo> attentions = attentions_of(result.problem());
  if (attentions.size() == 1) return result.notes();
  std::vector<ResultNote> all;
  for (const AttentionInfo& attention : attentions) {
    for (ResultNote note : result.notes(attention.at())) {
      note.text = std::string(attention.label) + ": " + note.text;
      all.push_back(std::move(note));
    }
  }
  return all;
}

Tensor whole_stage(const AttentionResult& result, Stage stage, const HeadAddress& head) {
  const StageShape shape = result.stage_shape(stage, head);
  std::vector<float> numbers(shape.rows * shape.cols);
  result.read(stage, head, {0, 0, shape.rows, shape.cols}, numbers.data());
  return {{shape.rows, shape.cols}, std::move(numbers)};
}

KeySpan keys_reached(const AttentionProblem& problem, const HeadAddress& head,
                     const RowSpan& rows) {
  const std::size_t n_k = shape_of(problem, head).n_k;
  if (!has_scores(problem)) return {0, n_k};
  return reachable_keys(mask_of(problem, head), head.sample, rows, n_k);
}

std::size_t rows_at_once(std::size_t cols, std::size_t rows) {
  constexpr std::size_t kCells = std::size_t{1} << 19U;
  const std::size_t most = kCells / std::max<std::size_t>(cols, 1);
  return std::clamp<std::size_t>(most, 1, std::max<std::size_t>(rows, 1));
}

std::uint64_t nanoseconds_to_read_weights(const AttentionResult& result, const HeadAddress& at,
                                          std::size_t rows) {
  constexpr std::uint64_t kMultiplyAddsOfANanosecond = 60,
                          kPasses = 2;  // one for sums, one for weights
  if (result.range(Stage::Weights, at)) return 0;
  const AttentionShape s = result.shape(at);
  return element_count({kPasses, rows, s.n_k, s.d_k}) / kMultiplyAddsOfANanosecond;
}

void WeightRows::read(std::size_t first, std::size_t rows, std::size_t row_step) {
  range_ = {first, 0, rows, 0, row_step};
  const KeySpan keys = keys_reached(result_.problem(), head_, {first, range_.row_at(rows - 1) + 1});
  range_.col = keys.begin;
  range_.cols = std::max(keys.end, keys.begin) - keys.begin;
  cells_.resize(range_.rows * range_.cols);
  rules_.resize(range_.cols);
  if (!cells_.empty()) result_.read(Stage::Weights, head_, range_, cells_.data());
}

WeightRow WeightRows::row(std::size_t at) {
  WeightRow row;
  row.query = range_.row_at(at);
  row.first = range_.col;
  row.weights = std::span(cells_).subspan(at * range_.cols, range_.cols);
  row.seen = hidden_row(mask_of(result_.problem(), head_), head_, row.query, rules_, range_.col);
  row.rules = rules_;
  if (has_scores(result_.problem()) || row.seen == 0) return row;
  // A mask only marks given weights: a key with a weight was seen.
  for (std::size_t k = 0; k < row.weights.size(); ++k) {
    const float weight = row.weights[k];
    if (rules_[k] == kVisible || weight == 0.0F || is_no_number(weight)) continue;
    rules_[k] = kVisible;
    ++row.seen;
  }
  return row;
}

void for_each_weight_row(const AttentionResult& result, const HeadAddress& head,
                         const CellRange& range, Progress* progress,
                         const std::function<void(const WeightRow&)>& each) {
  const std::size_t at_once = rows_at_once(result.shape(head).n_k, range.rows);
  WeightRows rows(result, head);
  for (std::size_t done = 0; done < range.rows && !is_cancelled(progress); done += at_once) {
    report(progress, done, range.rows);
    const std::size_t some = std::min(at_once, range.rows - done);
    rows.read(range.row_at(done), some, range.row_step);
    for (std::size_t r = 0; r < some; ++r) each(rows.row(r));
  }
}

}  // namespace attn
