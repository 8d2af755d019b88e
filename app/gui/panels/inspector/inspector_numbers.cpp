// Rows and columns of stages as bars.
#include "gui/panels/inspector/inspector_numbers.h"

#include <algorithm>
#include <cmath>

#include "attention/mask.h"

namespace attn::gui {
namespace {

std::vector<float> read_line(const AttentionResult& result, const CellHit& cell, bool column) {
  const StageShape extent = result.stage_shape(cell.matrix.stage);
  const CellRange line =
      column ? CellRange{0, cell.col, extent.rows, 1} : CellRange{cell.row, 0, 1, extent.cols};
  std::vector<float> values(line.rows * line.cols);
  if (!values.empty()) result.read(cell.matrix.stage, cell.matrix.head, line, values.data());
  return values;
}

}  // namespace

bool has_chain(const CellHit& cell) {
  return is_computed(cell.matrix) && stage_info(cell.matrix.stage).token_by_token();
}

bool bars_are_rows(const AttentionResult& result, Stage stage) {
  const StageShape extent = result.stage_shape(stage);
  return extent.cols == 1 && extent.rows > 1 && !stage_info(stage).token_by_token();
}

std::vector<Bar> line_bars(const AttentionResult& result, const CellHit& cell, std::size_t count,
                           bool by_position) {
  const std::vector<float> line = read_line(result, cell, bars_are_rows(result, cell.matrix.stage));
  // Masks only mark given weights, and what no query sees moves it through other states.
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
