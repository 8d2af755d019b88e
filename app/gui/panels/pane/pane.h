// Panes with their plots: bar, canvas, pointer and keys, and the edges between panes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/panels/controls/field_control.h"
#include "gui/panels/pane/figure_cache.h"
#include "gui/ui/canvas.h"
#include "gui/ui/context.h"
#include "plot/all_plots.h"
#include "session/command.h"
#include "session/state.h"

namespace attn::gui {

// Drag that scrolls the tokens of one side, or of both.
struct TokenDrag {
  std::vector<Side> sides;
  double queries = 0.0, keys = 0.0;  // fractions of a token moved beyond whole ones
};

// Zoom rectangle being drawn on cells, figure units.
struct ZoomRectangle {
  MatrixId matrix;
  Point from, to;
  bool cancelled = false;  // until the release
};

// Ends of the colours that were drawn last, and of what.
struct DrawnEnds {
  std::uint64_t document = 0;
  std::size_t lesson_step = 0;
  View view;  // without its window
  std::uint64_t revision = 0;
  std::pair<float, float> ends = {};
  bool is_of_same(const DrawnEnds& other) const {
    return document == other.document && lesson_step == other.lesson_step && view == other.view;
  }
};

// State of the interactions with one pane.
struct PaneView {
  FigureCache figure;
  std::vector<CellHit> pins_before_click;  // restored by a double-click
  bool second_click = false;               // of a double-click; it pins nothing
  // Cell that the mask tool painted last; a gesture is one undo step that sets all to one state.
  std::optional<command::PaintCell> paint;
  std::optional<double> outdated_since;  // time since the figure is of an older state, seconds
  std::optional<RangeHit> dragged_end;   // of the colour bar, as it was at the press
  double end_up = 0.0;                   // distance that it moved, units
  std::optional<GateHit> dragged_gate;   // as it was at the press
  std::optional<GateHit> gate_of_menu;   // whose menu is open
  bool at_bar = false;                   // the pointer is at the colour bar, or holds an end
  std::optional<DrawnEnds> ends;
  double lit_until = 0.0;               // seconds; time until which the moved ends are highlighted
  std::optional<OverviewHit> overview;  // held to pan the viewport
  std::optional<MatrixId> dragged;      // matrix where the drag began
  std::optional<ZoomRectangle> rectangle;
  std::uint64_t drag_gesture = 0;  // of the last press
  Gesture gesture;                 // of wheel and arrows
  FieldInteractions fields;        // states of text fields
  std::optional<TokenHit> token;   // under the pointer, for links of a single token
  bool points_at_token = false;    // a token label is hovered
  TokenDrag token_drag;
  std::optional<HeadAddress> walked_to;  // head selected by a key, to be scrolled into view
  std::string asked_field;               // probe name of the option to be opened
  std::optional<MapFit> fit;             // of the figure drawn last, if it is a map
  MapFit beside;                         // of this map and its neighbours; 0: no neighbours
  std::size_t step_in_view = 0;          // of a flow, when it was scrolled to last
  std::optional<HeadGate> taken_out;     // by the last click in an atlas, as it was before
};

// Lives for a frame.
struct PaneScope {
  Ui& ui;
  const AppState& state;
  const Pane& pane;
  const PlotEntry& plot;
  PaneView& view;
  PaneId& hovering;  // pane where the hovered cell is; 0: none

  const ViewOptions& options() const { return pane.view.options; }
  // Tokens spelled as in the pane's figure.
  LookedAt looked_at() const {
    return {state, uses(plot, Option::TokensAsWritten) && options().tokens_as_written};
  }
  bool is_heatmap() const { return plot.name == kUsualPlot; }
  // True if tokens of the figure are chosen by clicks; a plot of one cell goes by its pin first.
  bool chooses_tokens() const { return uses(plot, Option::Token) && !plot.of_one_cell; }
  command::SetOption setting(std::string field, std::string text) const {
    return {std::move(field), std::move(text), pane.id, ui.field_gesture};
  }
  void set(std::string field, std::string text) const {
    ui.send(setting(std::move(field), std::move(text)));
  }
};

// Probe names: "plot/tab", "plot/subject", "plot/values", "plot/range", …, "plot/options",
// "plot/maximise", "plot/close". Controls that do not fit are among the options, as are splits.
void pane_bar(const PaneScope& scope);

// The open menu of plots; `why` says why one has nothing to show, "" if it has. Returns the name of
// the chosen one. Probe names: "plot/tab/LABEL".
std::optional<std::string_view> plot_rows(const PaneScope& scope,
                                          const std::function<std::string(const PlotEntry&)>& why);

// Plays the flow of a cell, in the focused pane as time passes. Probe names: "plot/play",
// "plot/step/back", "plot/step/next", "plot/scrub", "plot/speed/1×".
void player_strip(const PaneScope& scope);

// Pointer and keys on the figure as commands; call after the canvas, in its window. `is_held`: the
// colour bar or the overview has the pointer. Also updates the pane under the pointer
// (PaneScope::hovering) and the token under it (PaneView::token).
void pane_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events,
                 bool is_held);

// Choice of a range at the words of the colour bar, and dragging of its ends; true while one is
// held. Call after the canvas, in its window. Probes: "plot/range/This head".
bool range_events(const PaneScope& scope, const CanvasEvents& events);
// Ends that follow the numbers are held while the button is down and in a step of a lesson, so that
// colours change only with their cells: sets the ends as they were drawn. Returns the ends to draw
// if they are computed again.
std::optional<DrawnEnds> hold_ends(const PaneScope& scope, PlotOptions& options);
// The gate that puts the head back which a click in an atlas took out; none without one.
std::vector<HeadGate> put_back(const PaneScope& scope);

inline constexpr const char* kGatesPopup = "plot/gates";
// Gates of heads: drags of their sliders, and their menu. True while one is held or pointed at, so
// that the head behind it is not opened. Call after the canvas, in its window. Probes:
// "plot/gates/This head: × 0".
bool gate_events(const PaneScope& scope, const CanvasEvents& events);
// Keeps the ends that were drawn; those of the same figure that moved light up once.
void keep_ends(const PaneScope& scope, const Figure& figure, std::optional<DrawnEnds> now);
// Rings around the ends of the bar that moved; without items at other times.
Figure lit_ends(const PaneScope& scope, const Figure& figure);

// The rectangle being drawn over `figure`; without items if there is none.
Figure drawn_rectangle(const PaneScope& scope, const Figure& figure);

struct PlotsView {
  std::map<PaneId, PaneView> panes;
  PaneId hovering = 0;  // pane where the hovered cell is; 0: none
};

// Probe names begin with "plot/" in the focused pane, with "pane/ID/plot/" in others; edges are
// "pane/edge/SPLIT/INDEX".
void plots_panel(Ui& ui, const AppState& state, PlotsView& view);

}  // namespace attn::gui
