// Answers that every result gives in the same way, on top of reading a range of cells.
#include "engine/result.h"

#include <algorithm>
#include <array>
#include <span>

#include "engine/matrix/pooled_memo.h"

namespace attn {

CellRange part_of(const CellRange& range, std::size_t first, std::size_t rows) {
  return {range.row_at(first), range.col, rows, range.cols, range.row_step};
}

AttentionResult::AttentionResult() : memo_(std::make_shared<PooledMemo>()) {}

bool AttentionResult::has(Stage stage) const {
  return std::ranges::find(stages(), stage) != stages().end();
}

StageShape AttentionResult::stage_shape(Stage stage) const {
  return attn::stage_shape(shape(), stage);
}

float AttentionResult::value(Stage stage, const HeadAddress& head, std::size_t row,
                             std::size_t col) const {
  float cell = 0.0F;
  read(stage, head, {row, col, 1, 1}, &cell);
  return cell;
}

HiddenRules AttentionResult::hidden(const HeadAddress& head, std::size_t q, std::size_t k) const {
  return hidden_by(problem().mask, head, q, k);
}

// Looks at the keys that the rules leave, some at a time: most rows see one of the first.
bool AttentionResult::sees_no_key(const HeadAddress& head, std::size_t q) const {
  std::array<HiddenRules, 64> rules{};
  const KeySpan keys = reachable_keys(problem().mask, head.sample, {q, q + 1}, shape().n_k);
  for (std::size_t key = keys.begin; key < keys.end; key += rules.size()) {
    const std::span some(rules.data(), std::min(rules.size(), keys.end - key));
    if (hidden_row(problem().mask, head, q, some, key) > 0) return false;
    if ((some.front() & kHiddenByQueryPadding) != 0) return true;  // hides the whole row
  }
  return true;
}

std::vector<ResultNote> notes_on_all(const AttentionResult& result) {
  const std::span<const AttentionPartInfo> attentions = attentions_of(result.problem());
  if (attentions.size() == 1) return result.notes();
  std::vector<ResultNote> all;
  for (const AttentionPartInfo& attention : attentions) {
    for (ResultNote note : result.attended(attention.part).notes()) {
      note.text = std::string(attention.label) + ": " + note.text;
      all.push_back(std::move(note));
    }
  }
  return all;
}

}  // namespace attn
