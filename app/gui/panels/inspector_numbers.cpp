#include "gui/panels/inspector_numbers.h"

#include <algorithm>
#include <cmath>

#include "attention/mask.h"
#include "base/number_text.h"

namespace attn::gui {
namespace {

std::vector<float> read_row(const AttentionResult& result, Stage stage, const HeadAddress& head,
                            std::size_t row) {
  const std::size_t cols = result.stage_shape(stage).cols;
  std::vector<float> values(cols);
  if (cols > 0) result.read(stage, head, {row, 0, 1, cols}, values.data());
  return values;
}

}  // namespace

std::vector<ChainStep> chain_of(const AttentionResult& result, const CellHit& cell) {
  std::vector<ChainStep> chain;
  if (!stage_info(cell.stage).token_by_token()) return chain;
  const HiddenRules rules = result.hidden(cell.head, cell.row, cell.col);
  for (const Stage stage : result.stages()) {
    if (stage_info(stage).role != StageRole::Scores) continue;
    const float value = result.value(stage, cell.head, cell.row, cell.col);
    const bool hidden = stage == Stage::Masked && rules != kVisible;
    chain.push_back(
        {stage, hidden ? hidden_sentence(rules) : short_text(static_cast<double>(value))});
  }
  return chain;
}

std::vector<Bar> row_bars(const AttentionResult& result, const CellHit& cell, std::size_t count,
                          bool by_position) {
  const std::vector<float> row = read_row(result, cell.stage, cell.head, cell.row);
  // Masks only mark given weights, and what no query sees moves it through other states.
  const bool masked = stage_info(cell.stage).role == StageRole::Scores &&
                      result.problem().source != AttentionProblem::Source::Weights;
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool hidden = masked && result.hidden(cell.head, cell.row, i) != kVisible;
    if (!hidden && std::isfinite(row[i])) bars.push_back({i, row[i]});
  }
  const auto larger = [](const Bar& a, const Bar& b) {
    const float x = std::abs(a.value), y = std::abs(b.value);
    return x != y ? x > y : a.index < b.index;
  };
  const std::size_t kept = std::min(count, bars.size());
  std::partial_sort(bars.begin(), bars.begin() + static_cast<std::ptrdiff_t>(kept), bars.end(),
                    larger);
  bars.resize(kept);
  if (by_position) {
    std::sort(bars.begin(), bars.end(),
              [](const Bar& a, const Bar& b) { return a.index < b.index; });
  }
  return bars;
}

}  // namespace attn::gui
