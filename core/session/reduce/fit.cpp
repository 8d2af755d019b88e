// Clamping of all references into the document to its bounds.
#include <algorithm>
#include <cmath>

#include "document/edit.h"
#include "engine/matrix/matrix.h"
#include "plot/all_plots.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

HeadAddress fitted_head(const HeadAddress& head, const AttentionShape& shape, std::size_t heads) {
  return head.moved_to(std::min(head.layer, shape.layers - 1),
                       std::min(head.sample, shape.samples - 1), std::min(head.head, heads - 1));
}

bool inside(const CellHit& cell, const AttentionShape& shape) {
  const StageShape extent = extents_of(shape, cell.matrix);
  return cell.row < extent.rows && cell.col < extent.cols &&
         fitted_head(cell.matrix.head, shape, shape.heads) == cell.matrix.head;
}

void fit_grid(GridState& grid, const Document& document, const AttentionShape& shape) {
  const std::size_t block =
      std::min(block_of_path(grid.matrix.tensor).value_or(0), shape.layers - 1);
  grid.matrix.tensor = in_block(grid.matrix.tensor, block);
  const TensorList tensors = editable_tensors(document, block);
  const TensorInfo* info = find_tensor(tensors, grid.matrix.tensor);
  if (info == nullptr) {
    info = &tensors.front();
    grid = {};
    grid.matrix.tensor = info->path;
  }
  grid.matrix.at = fitted_head(grid.matrix.at, shape, heads_of(*info, shape));
  const MatrixView matrix = matrix_of(document, grid.matrix);
  const auto into = [](std::size_t& index, std::size_t count) {
    index = std::min(index, count > 0 ? count - 1 : 0);
  };
  into(grid.row, matrix.rows);
  into(grid.anchor_row, matrix.rows);
  into(grid.col, matrix.cols);
  into(grid.anchor_col, matrix.cols);
}

double fitted_extent(double wanted, double all) {
  return std::clamp(wanted, std::min(1.0, all), all);
}

void fit_view(View& view, const Document& document) {
  ViewOptions& options = view.options;
  options.at = options.at.among(attentions_of(document).size());
  const AttentionShape shape = shape_of(document, options.at);
  options.at = fitted_head(options.at, shape, shape.heads);
  options.window = fitted_window(options.window, extents_in_view(document, view));
  options.step = std::min(options.step, shape.n_q);
  options.first_query = std::min(options.first_query, std::max<std::size_t>(shape.n_q, 1) - 1);
  options.first_key = std::min(options.first_key, std::max<std::size_t>(shape.n_k, 1) - 1);
}

}  // namespace

CellWindow fitted_window(const CellWindow& window, const StageShape& extent) {
  const auto rows = static_cast<double>(extent.rows);
  const auto cols = static_cast<double>(extent.cols);
  const bool sensible = std::isfinite(window.row) && std::isfinite(window.col) &&
                        window.rows > 0.0 && window.cols > 0.0;
  if (!sensible || (window.rows >= rows && window.cols >= cols)) return {};
  CellWindow fitted;
  fitted.rows = fitted_extent(window.rows, rows);
  fitted.cols = fitted_extent(window.cols, cols);
  fitted.row = std::clamp(window.row, 0.0, rows - fitted.rows);
  fitted.col = std::clamp(window.col, 0.0, cols - fitted.cols);
  return fitted;
}

void fit_to_document(OpenDocument& open) {
  if (open.result && open.result->shape() != shape_of(open.document)) drop_result(open);
  for (Pane* pane : panes_of(open.layout)) fit_view(pane->view, open.document);
  const AttentionShape shape = shown_shape(open);
  const auto gone = [&](const CellHit& cell) {
    const HeadAddress& at = cell.matrix.head;
    return at != at.among(attentions_of(open.document).size()) ||
           !inside(cell, shape_of(open.document, at)) ||
           (open.result && is_computed(cell.matrix) && !open.result->has(cell.matrix.stage, at));
  };
  std::erase_if(open.pins, gone);
  if (open.hover && gone(*open.hover)) open.hover.reset();
  for (std::optional<TokenHit>* token : {&open.token_hover, &open.marked_token}) {
    if (!*token) continue;
    const auto& [side, sample, index] = **token;
    const bool listed = open.document.cross || side == Side::Query;
    if (!listed || index >= tokens_of(open.document, side, sample).size()) token->reset();
  }
  fit_grid(open.grid, open.document, shape);
}

void fit_to_result(AppState& state) {
  for (Pane* pane : panes_of(state.layout)) {
    ViewOptions& options = pane->view.options;
    const PlotOptions wanted{options};
    const PlotEntry* plot = plot_named(pane->view.plot);
    const bool staged = plot != nullptr && uses(*plot, Option::Stage);
    const std::string moved = staged ? moved_stage(wanted, *state.result) : "";
    if (!moved.empty()) inform(state, moved);
    options = fitted_to(wanted, *state.result);
  }
  fit_to_document(state);
}

}  // namespace attn
