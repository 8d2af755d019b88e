// Layout of panes: splitting, closing, focus, edges, links.
#include <utility>

#include "plot/all_plots.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// Gives new ids to panes and splits, unique within the program.
void renumber(AppState& state, Panes& panes, Layout& layout) {
  if (auto* pane = std::get_if<Pane>(&layout)) {
    const bool focused = pane->id == panes.focus;
    pane->id = ++state.last_pane;
    if (focused) state.focus = pane->id;
    return;
  }
  auto& split = std::get<Split>(layout);
  split.id = ++state.last_pane;
  for (Part& part : split.parts) renumber(state, panes, part.layout);
}

// Drops panes of unknown plots; a single pane shows the default plot instead.
void drop_panes(AppState& state, Panes& panes) {
  for (const Pane* shown : panes_of(std::as_const(panes.layout))) {
    const Pane pane = *shown;
    if (plot_named(pane.view.plot) != nullptr) continue;
    const bool only = panes_of(panes.layout).size() == 1;
    warn(state, only ? unknown_plot(pane.view.plot)
                     : "The saved layout has a pane of \"" + pane.view.plot +
                           "\", which is left out: there is no such plot");
    if (only) {
      focused_view(panes).plot = kUsualPlot;
      return;
    }
    if (panes.focus == pane.id) panes.focus = neighbour(panes.layout, pane.id, 1);
    close_pane(panes.layout, pane.id);
    return drop_panes(state, panes);
  }
}

// Adds the next token of a language model at the right of a wide map or of all heads, or below the
// heads or, where these fill their pane, below the map; none where there is no room.
void add_next_token(Panes& panes, const AttentionShape& shape, const PaneSize& space) {
  constexpr double kTokens = 340.0, kLeastTokens = 280.0, kTenTokens = 290.0;  // units
  constexpr double kWideMap = 420.0, kHighMap = 300.0, kAroundHeads = 200.0, kLayer = 60.0;
  constexpr PaneId kNext = 4, kSplit = 5;  // above those of panes with heads
  struct Place {
    std::string_view plot;
    SplitDirection direction;
    double PaneSize::*side;
    double left, added;  // lengths of that side
  };
  const Place places[] = {
      {"heatmap", SplitDirection::Right, &PaneSize::width, kWideMap, kTokens},
      {"heads", SplitDirection::Right, &PaneSize::width, readable_width(shape.heads), kLeastTokens},
      {"heads", SplitDirection::Down, &PaneSize::height,
       kAroundHeads + kLayer * static_cast<double>(shape.layers), kTenTokens},
      {"heatmap", SplitDirection::Down, &PaneSize::height, kHighMap, kTenTokens}};
  for (const Place& place : places) {
    for (const Pane* pane : panes_of(std::as_const(panes.layout))) {
      const auto size = size_of(panes.layout, pane->id, space);
      if (pane->view.plot != place.plot || !size) continue;
      const double whole = *size.*place.side;
      if (whole < place.left + place.added) continue;
      split_pane(panes.layout, pane->id, place.direction, kSplit, {kNext, {"next", {}}});
      return move_edge(panes.layout, kSplit, 0, 1.0 - place.added / whole);
    }
  }
}

// New pane along the longer side, or along the other where that has no space; the focus stays. The
// map is split rather than the pane of all heads. Null after reporting why there is none.
Pane* added_pane(Step& step, PaneId from) {
  for (const Pane* pane : panes_of(std::as_const(step.layout))) {
    const bool is_map = pane->linked && pane->view.plot == kUsualPlot;
    if (is_map && pane_of(step.layout, from)->view.plot == "heads") from = pane->id;
  }
  const auto size = size_of(step.layout, from, step.plot_space);
  const bool is_tall = size && size->height > size->width;
  const bool beside = is_tall ? !why_no_split(step, from, SplitDirection::Down).empty()
                              : why_no_split(step, from, SplitDirection::Right).empty();
  const PaneId focus = step.focus;
  dispatch(step, command::SplitPane{from, beside ? SplitDirection::Right : SplitDirection::Down});
  const PaneId added = std::exchange(step.focus, focus);
  return added == focus ? nullptr : pane_of(step.layout, added);
}

// Pane with the given link state: one that shows a difference, else a new one, else the first other
// one. Null if there is none.
Pane* pane_for_difference(Step& step, PaneId from, bool linked) {
  Pane* other = nullptr;
  for (Pane* pane : panes_of(step.layout)) {
    if (pane->id == from || pane->linked != linked) continue;
    if (pane->view.plot == "difference") return pane;
    if (other == nullptr) other = pane;
  }
  const bool is_full = !why_no_split(step, from, SplitDirection::Right).empty() &&
                       !why_no_split(step, from, SplitDirection::Down).empty();
  return is_full && other != nullptr ? other : added_pane(step, from);
}

}  // namespace

Panes usual_panes(const AppState& state) {
  constexpr double kMostCells = 1U << 26U;  // of all heads: read within a second
  const AttentionShape shape = shape_of(state.document);
  const double cells = static_cast<double>(shape.layers * shape.heads) *
                       static_cast<double>(shape.n_q) * static_cast<double>(shape.n_k);
  if (cells > kMostCells) return {};
  Panes panes = panes_with_heads(shape.layers, shape.heads, state.plot_space);
  const std::optional<SourceModel>& model = state.document.source_model;
  if (model && !model->vocabulary->head.empty()) {
    add_next_token(panes, shape, state.plot_space);
  }
  return panes;
}

void show_panes(AppState& state, Panes panes) {
  drop_panes(state, panes);
  renumber(state, panes, panes.layout);
  state.layout = std::move(panes.layout);
  state.maximised = panes.maximised && panes_of(state.layout).size() > 1;
  for (Pane* pane : panes_of(state.layout)) {
    std::string& colormap = pane->view.options.colormap;
    if (colormap_named(colormap) == nullptr) colormap = kAutomaticColormap;
  }
}

Pane* pane_named(OpenDocument& open, PaneId pane) {
  return pane_of(open.layout, pane == 0 ? open.focus : pane);
}

void apply(AppState& state, const command::SplitPane& c) {
  const Pane* pane = pane_named(state, c.pane);
  if (pane == nullptr) return;
  const std::string why_not = why_no_split(state, pane->id, c.direction);
  if (!why_not.empty()) return warn(state, why_not);
  Pane added = *pane;
  const PaneId at = pane->id;
  added.id = ++state.last_pane;
  split_pane(state.layout, at, c.direction, ++state.last_pane, added);
  state.focus = added.id;
  state.maximised = false;
}

void apply(Step& step, const command::CompareHead& c) {
  const Pane* from = pane_named(step, c.pane);
  if (from == nullptr || from->view.options.at == c.head) return;
  ViewOptions options = from->view.options;
  const HeadAddress head = c.head.value_or(next_head(step.document, options.at, 1));
  Pane* beside = pane_for_difference(step, from->id, from->linked);
  if (beside == nullptr) return;
  options.stage = Stage::Weights;
  options.window = {};
  options.minus = MinusFrom::Document;
  options.minus_stage.reset();
  options.minus_layer = head.layer;
  options.minus_sample = head.sample;
  options.minus_head = head.head;
  options.show = Compared::Difference;
  beside->view = {"difference", std::move(options)};
  step.maximised = false;
  dispatch(step, command::ShowPlotAlone{false});
}

void apply(Step& step, const command::ShowBeside& c) {
  const Pane* from = pane_named(step, c.pane);
  if (from == nullptr) return;
  View view{std::string(kUsualPlot), from->view.options};
  view.options.at = next_head(step.document, view.options.at, 1);
  Pane* beside = added_pane(step, from->id);
  if (beside == nullptr) return;
  beside->view = std::move(view);
  beside->linked = false;
  fit_to_document(step);
}

void apply(OpenDocument& open, const command::ClosePane& c) {
  const Pane* pane = pane_named(open, c.pane);
  if (pane == nullptr || panes_of(open.layout).size() == 1) return;
  const PaneId gone = pane->id;
  if (open.focus == gone) open.focus = neighbour(open.layout, gone, 1);
  close_pane(open.layout, gone);
  open.hover.reset();
  open.tensor_hover.reset();
  if (panes_of(open.layout).size() == 1) open.maximised = false;
}

void apply(OpenDocument& open, const command::MaximisePane& c) {
  open.maximised = c.value && panes_of(open.layout).size() > 1;
}

void apply(OpenDocument& open, const command::ResizePane& c) {
  move_edge(open.layout, c.split, c.edge, c.share);
}

void apply(OpenDocument& open, const command::FocusPane& c) {
  if (pane_of(open.layout, c.value) != nullptr) open.focus = c.value;
}

void apply(OpenDocument& open, const command::StepFocus& c) {
  open.focus = neighbour(open.layout, open.focus, c.by);
}

// A pane that is linked again takes the view of the other panes.
void apply(OpenDocument& open, const command::LinkPane& c) {
  Pane* pane = pane_named(open, c.pane);
  if (pane == nullptr || pane->linked == c.linked) return;
  pane->linked = c.linked;
  if (!c.linked) return;
  for (const Pane* other : panes_of(std::as_const(open.layout))) {
    if (!other->linked || other->id == pane->id) continue;
    pane->view.options.at = other->view.options.at;
    break;
  }
}

void apply(Step& step, const command::ResetLayout& /*c*/) {
  Panes panes = focused_view(std::as_const(step)).plot == "heads" ? Panes{} : usual_panes(step);
  focused_view(panes) = focused_view(std::as_const(step));
  step.hover.reset();
  step.tensor_hover.reset();
  show_panes(step, std::move(panes));
  if (step.result) fit_to_result(step);
  dispatch(step, command::SetSides{});
}

void apply(Step& step, const Command& c, command::PaneCommands list) {
  apply_one_of(step, c, list);
}

}  // namespace attn
