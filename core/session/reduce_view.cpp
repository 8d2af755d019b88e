// What is looked at: not undoable, always within the bounds of the document.
#include <algorithm>
#include <cmath>

#include "document/edit.h"
#include "figure/colormap.h"
#include "session/handlers.h"

namespace attn {
namespace {

StageShape extent_of(const AppState& state) {
  return stage_shape(shown_shape(state), state.view.stage);
}

bool operator!=(const StageShape& a, const StageShape& b) {
  return a.rows != b.rows || a.cols != b.cols;
}

// The spreadsheet follows the chosen head, so that both show the same numbers.
void show_head(AppState& state, const HeadAddress& head) {
  state.view.head = head;
  fit_to_document(state);
  const AttentionShape shape = shape_of(state.document);
  MatrixRef& matrix = state.grid.matrix;
  const bool key_value = matrix.role == MatrixRole::Key || matrix.role == MatrixRole::Value;
  matrix.at = state.view.head;
  if (key_value) matrix.at.head /= shape.heads / shape.kv_heads;
  fit_to_document(state);
}

// (q, k) is the same cell in all token-by-token stages: a pin there is of the one that is shown.
CellHit in_shown_stage(CellHit cell, Stage shown) {
  const bool shared = is_computed(cell.matrix) &&
                      same_axes(cell.matrix, {shown, cell.matrix.head, cell.matrix.attention, {}});
  if (shared) cell.matrix.stage = shown;
  return cell;
}

std::size_t wrapped(std::size_t index, int by, std::size_t count) {
  const auto n = static_cast<std::int64_t>(count);
  const std::int64_t sum = static_cast<std::int64_t>(index) + by % n;
  return static_cast<std::size_t>((sum % n + n) % n);
}

}  // namespace

void apply(Step& step, const command::SelectPlot& c) {
  if (plot_named(c.plot)) {
    step.state.view.plot = c.plot;
  } else {
    notify(step.state, Notice::Level::Warning, "There is no plot named " + c.plot);
  }
}

void apply(Step& step, const command::SelectStage& c) {
  AppState& state = step.state;
  if (state.result && !shown_result(state).has(c.stage)) {
    return notify(state, Notice::Level::Warning,
                  std::string(stage_info(c.stage).label) + " do not exist for this document");
  }
  const StageShape before = extent_of(state);
  state.view.stage = c.stage;
  if (extent_of(state) != before) state.window = {};
  state.hover.reset();
  for (CellHit& pin : state.pins) pin = in_shown_stage(pin, c.stage);
}

void apply(Step& step, const command::SelectAttention& c) {
  AppState& state = step.state;
  if (!is_decoder(state.document)) {
    return notify(state, Notice::Level::Warning,
                  "Only the blocks of a decoder have two attentions to choose from");
  }
  if (state.view.attention == c.part) return;
  state.view.attention = c.part;
  // The same place is another cell there.
  state.pins.clear();
  state.hover.reset();
  state.window = {};
  if (state.result) return fit_to_result(state);
  fit_to_document(state);
}

void apply(Step& step, const command::SelectHead& c) { show_head(step.state, c.head); }

void apply(Step& step, const command::StepHead& c) {
  HeadAddress head = step.state.view.head;
  head.head = wrapped(head.head, c.by, shape_of(step.state.document).heads);
  show_head(step.state, head);
}

void apply(Step& step, const command::SetColorMap& c) {
  if (colormap_choice_named(c.colormap)) {
    step.state.view.colormap = c.colormap;
  } else {
    notify(step.state, Notice::Level::Warning, "There is no colour map named " + c.colormap);
  }
}

void apply(Step& step, const command::ShowValues& c) { step.state.view.values = c.show; }

void apply(Step& step, const command::UseOwnRange& c) { step.state.view.own_range = c.own; }

void apply(Step& step, const command::SelectDerived& c) { step.state.derived = c.derived; }

void apply(Step& step, const command::SetResidual& c) {
  if (!std::isfinite(c.residual)) return;
  step.state.residual = std::clamp(c.residual, 0.0, 1.0);
}

void apply(Step& step, const command::StepDecoder& c) {
  const std::size_t n_q = shape_of(step.state.document).n_q;
  const std::size_t shown = step.state.step == 0 ? n_q : std::min(step.state.step, n_q);
  step.state.step = wrapped(shown - 1, c.by, n_q) + 1;
}

void apply(Step& step, const command::SetStep& c) {
  step.state.step = std::min(c.step, shape_of(step.state.document).n_q);
}

void apply(Step& step, const command::SetKernel& c) {
  step.state.kernel = std::clamp(c.kernel, kLeastKernel, kMostKernel);
}

void apply(Step& step, const command::SetWindow& c) {
  step.state.window = fitted_window(c.window, extent_of(step.state));
}

void apply(Step& step, const command::FitWindow& /*c*/) { step.state.window = {}; }

void apply(Step& step, const command::SetTool& c) { step.state.tool = c.tool; }

void apply(Step& step, const command::Hover& c) {
  step.state.hover = c.cell;
  fit_to_document(step.state);
}

void apply(Step& step, const command::HoverTensor& c) { step.state.tensor_hover = c.tensor; }

void apply(Step& step, const command::Pin& c) {
  std::vector<CellHit>& pins = step.state.pins;
  const CellHit cell = in_shown_stage(c.cell, step.state.view.stage);
  const auto pinned = std::find(pins.begin(), pins.end(), cell);
  if (pinned != pins.end()) {
    pins.erase(pinned);
    return;
  }
  const std::size_t place = c.second && !pins.empty() ? 1 : 0;
  if (place < pins.size()) {
    pins[place] = cell;
  } else {
    pins.push_back(cell);
  }
  fit_to_document(step.state);
}

void apply(Step& step, const command::Unpin& /*c*/) { step.state.pins.clear(); }

void apply(Step& step, const command::SelectMatrix& c) {
  if (step.state.grid.matrix == c.matrix) return;
  step.state.grid = {};
  step.state.grid.matrix = c.matrix;
  fit_to_document(step.state);
}

void apply(Step& step, const command::MoveCursor& c) {
  GridState& grid = step.state.grid;
  grid.row = c.row;
  grid.col = c.col;
  if (!c.extend) {
    grid.anchor_row = c.row;
    grid.anchor_col = c.col;
  }
  fit_to_document(step.state);
}

}  // namespace attn
