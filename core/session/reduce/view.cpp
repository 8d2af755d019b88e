// Changes of views, which are no steps of undo, and the clamping of all references into the
// document to its bounds.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "base/parsed_number.h"
#include "document/edit.h"
#include "engine/matrix/matrix.h"
#include "figure/colormap.h"
#include "plot/all_plots.h"
#include "plot/charts/charts.h"
#include "session/preferences.h"
#include "session/reduce/handlers.h"
#include "view/fields.h"

namespace attn {
namespace {

bool operator!=(const StageShape& a, const StageShape& b) {
  return a.rows != b.rows || a.cols != b.cols;
}

// Token-by-token stages share cells: (q, k) of one becomes (q, k) of the shown one.
CellHit in_shown_stage(CellHit cell, Stage shown) {
  const bool shared = is_computed(cell.matrix) && same_axes(cell.matrix, {shown, cell.matrix.head});
  if (shared) cell.matrix.stage = shown;
  return cell;
}

// Sets options; those that are refused keep their value in `shown`.
void keep_what_is_there(AppState& state, const ViewOptions& shown, ViewOptions& options) {
  const HeadAddress there = among(attentions_of(state.document), options.at);
  if (options.at != there) {
    warn(state, "This document has no such attention to choose");
    options.at = there;
  }
  if (options.stage != shown.stage && state.result &&
      !state.result->has(options.stage, options.at)) {
    warn(state, std::string(stage_info(options.stage).label) + " do not exist for this document");
    options.stage = shown.stage;
  }
}

// Applies to the pane and those linked to it.
std::vector<Pane*> following(OpenDocument& open, Pane& pane) {
  if (!pane.linked) return {&pane};
  std::vector<Pane*> panes = panes_of(open.layout);
  std::erase_if(panes, [](const Pane* other) { return !other->linked; });
  return panes;
}

// Resets the viewport if the matrix has other extents.
void show_in(const Document& document, Pane& pane, View view) {
  const StageShape before = extents_in_view(document, pane.view);
  pane.view = std::move(view);
  if (extents_in_view(document, pane.view) != before) pane.view.options.window = {};
}

// Moves hover and pins to the corresponding cells of the new matrix, or removes them.
void follow_matrix(AppState& state, const ViewOptions& before, const ViewOptions& options) {
  if (options.stage == before.stage) return;
  state.hover.reset();
  for (CellHit& pin : state.pins) pin = in_shown_stage(pin, options.stage);
}

// Keeps the spreadsheet where another attention of the same head is selected.
void follow_head(AppState& state, const HeadAddress& before) {
  const HeadAddress& at = focused_view(state).options.at;
  if (at != at.moved_to(before.layer, before.sample, before.head)) show_inputs_of(state, at);
}

std::string bounded(const Field<ViewOptions>& field, const std::string& text) {
  const bool has_bounds = field.minimum != 0.0 || field.maximum != 0.0;
  const Result<float> number = parse_number(text);
  if (!has_bounds || !number || !std::isfinite(*number)) return text;
  if (*number < field.minimum) return plain_text(field.minimum);
  return *number > field.maximum ? plain_text(field.maximum) : text;
}

// Sets the options of a view. Refuses what does not exist with a notice; updates panes, pins, zoom
// and spreadsheet.
void change_options(AppState& state, PaneId id, ViewOptions options) {
  Pane* pane = pane_named(state, id);
  if (pane == nullptr) return;
  const ViewOptions before = pane->view.options;
  keep_what_is_there(state, before, options);
  for (Pane* other : following(state, *pane)) {
    ViewOptions theirs = other == pane ? options : other->view.options;
    theirs.at = options.at;
    if (!theirs.at.same_attention(before.at)) theirs.window = {};
    show_in(state.document, *other, {other->view.plot, theirs});
  }
  if (!options.at.same_attention(before.at)) {  // cells of two attentions do not correspond
    state.pins.clear();
    state.hover.reset();
  }
  if (pane->id == state.focus) follow_matrix(state, before, options);
  state.result ? fit_to_result(state) : fit_to_document(state);
  follow_head(state, before.at);
}

bool is_there(const Document& document, const CellHit& cell) {
  const HeadAddress& at = cell.matrix.head;
  const StageShape extent = extents_of(shape_of(document, at), cell.matrix);
  return cell.row < extent.rows && cell.col < extent.cols && nearest_head(document, at) == at;
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
  grid.matrix.at = nearest_head(document, grid.matrix.at);
  grid.matrix.at.head = std::min(grid.matrix.at.head, heads_of(*info, shape) - 1);
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

void fit_view(View& view, const Document& document) {
  ViewOptions& options = view.options;
  options.at = nearest_head(document, options.at);
  const AttentionShape shape = shape_of(document, options.at);
  options.window = fitted_window(options.window, extents_in_view(document, view));
  options.step = std::min(options.step, is_played(view.plot) ? kMostStorySteps : shape.n_q);
  options.first_query = std::min(options.first_query, std::max<std::size_t>(shape.n_q, 1) - 1);
  options.first_key = std::min(options.first_key, std::max<std::size_t>(shape.n_k, 1) - 1);
}

}  // namespace

void show_inputs_of(OpenDocument& open, const HeadAddress& at) {
  const AttentionShape shape = shape_of(open.document);
  MatrixRef& matrix = open.grid.matrix;
  matrix.at = {at.layer, at.sample, at.head};
  matrix.tensor = in_block(matrix.tensor, matrix.at.layer);
  const std::optional<TensorInfo> info = tensor_at(open.document, matrix.tensor);
  if (info) matrix.at.head /= shape.heads / heads_of(*info, shape);
}

View& focused_view(OpenDocument& open) { return pane_of(open.layout, open.focus)->view; }

std::size_t wrapped(std::size_t index, int by, std::size_t count) {
  const auto n = static_cast<std::int64_t>(count);
  const std::int64_t sum = static_cast<std::int64_t>(index) + by % n;
  return static_cast<std::size_t>((sum % n + n) % n);
}

void fit_to_document(OpenDocument& open) {
  if (open.result && open.result->shape() != shape_of(open.document)) drop_result(open);
  for (Pane* pane : panes_of(open.layout)) fit_view(pane->view, open.document);
  const AttentionShape shape = shown_shape(open);
  const auto gone = [&](const CellHit& cell) {
    return !is_there(open.document, cell) ||
           (open.result && is_computed(cell.matrix) &&
            !open.result->has(cell.matrix.stage, cell.matrix.head));
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
    const PlotOptions wanted{options, {}, {}};
    const bool staged = uses(pane->view, Option::Stage);
    const std::string moved = staged ? moved_stage(wanted, *state.result) : "";
    if (!moved.empty()) inform(state, moved);
    options = fitted_to(wanted, *state.result);
  }
  fit_to_document(state);
}

void apply(AppState& state, const command::SelectPlot& c) {
  Pane* pane = pane_named(state, c.pane);
  if (pane == nullptr) return;
  if (plot_named(c.plot) == nullptr) return warn(state, "There is no plot named " + c.plot);
  if (pane->view.plot != c.plot) pane->opened_from = c.opens ? pane->view.plot : "";
  show_in(state.document, *pane, {c.plot, pane->view.options});
}

template <class T, T CommonOptions::*kMember>
void apply(AppState& state, const command::SetChecked<kMember>& c) {
  ViewOptions options = focused_view(state).options;
  options.*kMember = c.value;
  change_options(state, 0, options);
}

HeadAddress next_head(const Document& document, HeadAddress head, int by) {
  const AttentionShape shape = shape_of(document);
  const std::size_t index =
      wrapped(head.layer * shape.heads + head.head, by, shape.layers * shape.heads);
  return head.moved_to(index / shape.heads, head.sample, index % shape.heads);
}

void apply(AppState& state, const command::StepHead& c) {
  apply(state,
        command::SelectHead{next_head(state.document, focused_view(state).options.at, c.by)});
}

void apply(Step& state, const command::SetOption& c) {
  const Field<ViewOptions>* field = plot_option_named(c.field);
  if (field == nullptr) return warn(state, "Plots have no option named " + c.field);
  const Pane* pane = pane_named(state, c.pane);
  if (pane == nullptr) return;
  ViewOptions options = pane->view.options;
  const Status set = field->set(options, bounded(*field, c.text), Spelling::Field);
  if (!set) return warn(state, set.error());
  if (state.dialog == DialogKind::Export && std::ranges::count(remembered_options(), c.field) > 0) {
    const Status kept =
        field->set(state.preferences.export_figure, field->get(options), Spelling::Field);
    if (kept) keep_preferences(state);
  }
  change_options(state, c.pane, options);
}

void apply(Step& step, const command::StepDecoder& c) {
  const std::size_t steps = steps_in_view(step);
  std::size_t& shown = focused_view(step).options.step;
  const std::size_t from = shown == 0 ? steps : std::min(shown, steps);
  const bool ends = shown == (c.by < 0 ? 1 : steps);
  if (ends && shows_flow(step)) return;  // a flow has a beginning and an end
  shown = wrapped(from - 1, c.by, steps) + 1;
  step.playing = {.speed = step.playing.speed};
  if (shown > from) glide_to_step(step);
}

void show_part(OpenDocument& open, const CellWindow& window) {
  const StageShape extents = extents_in_view(open.document, focused_view(open));
  for (Pane* pane : following(open, *pane_named(open, 0))) {
    if (extents_in_view(open.document, pane->view) != extents) continue;
    pane->view.options.window = fitted_window(window, extents);
  }
}

void apply(OpenDocument& open, const command::SetWindow& c) { show_part(open, c.window); }

void apply(OpenDocument& open, const command::ToggleSafeColors& /*c*/) {
  std::string& before = open.memories[open.focus].colormap_before;
  std::string& shown = focused_view(open).options.colormap;
  if (shown != kSafeColormap) {
    before = std::exchange(shown, kSafeColormap);
  } else {
    shown = before.empty() ? std::string(kAutomaticColormap) : std::exchange(before, "");
  }
}

void apply(OpenDocument& open, const command::Pin& c) {
  std::vector<CellHit>& pins = open.pins;
  const bool shows_stage = shown_plot_uses(open, Option::Stage);
  const CellHit cell =
      shows_stage ? in_shown_stage(c.cell, focused_view(open).options.stage) : c.cell;
  const auto pinned = std::find(pins.begin(), pins.end(), cell);
  if (pinned != pins.end()) {
    pins.erase(pinned);
    return;
  }
  const std::size_t place = c.second && !pins.empty() ? 1 : 0;
  pins.resize(std::max(pins.size(), place + 1));
  pins[place] = cell;
}

void apply(OpenDocument& open, const command::Unpin& /*c*/) {
  open.pins.clear();
  open.marked_token.reset();
}

void apply(OpenDocument& open, const command::SelectMatrix& c) {
  if (open.grid.matrix != c.value) open.grid = {c.value};
}

void apply(OpenDocument& open, const command::MoveCursor& c) {
  GridState& grid = open.grid;
  grid.row = c.row;
  grid.col = c.col;
  if (!c.extend) {
    grid.anchor_row = c.row;
    grid.anchor_col = c.col;
  }
}

void apply(Step& step, const Command& c, command::Views list) { apply_one_of(step, c, list); }

}  // namespace attn
