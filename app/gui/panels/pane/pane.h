// A pane as its bar and its canvas see it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/panels/controls/option_rows.h"
#include "gui/panels/pane/figure_cache.h"
#include "gui/ui/context.h"
#include "plot/all_plots.h"
#include "session/command.h"
#include "session/state.h"

namespace attn::gui {

// A gesture of the mask tool: one undo step, every cell it touches gets the same state.
struct PaintStroke {
  std::uint64_t gesture = 0;
  bool visible = false;
  HeadAddress head;
  std::size_t row = 0, col = 0;  // last cell painted
};

// A drag that brings other tokens into view: of one side, or of both.
struct TokenDrag {
  std::optional<Side> side;
  double queries = 0.0, keys = 0.0;  // parts of a token that it has moved by beyond whole ones
};

// An end of the colour bar that is held, as it was when it was taken hold of.
struct RangeDrag {
  RangeHit end;
  double up = 0.0;  // moved since, units
};

// A rectangle that is being drawn on cells, to zoom to them. Figure units.
struct ZoomRectangle {
  MatrixId matrix;
  Point from, to;
  bool given_up = false;  // until the button goes up
};

// What belongs to interactions with one pane.
struct PaneView {
  FigureCache figure;
  std::vector<CellHit> pins_before_click;  // a double-click leads back to them
  bool second_click = false;               // of a double-click; it pins nothing
  std::optional<PaintStroke> paint;
  std::optional<double> older_since;  // since when the figure is of an older state, seconds
  std::optional<RangeDrag> range_drag;
  std::optional<OverviewHit> overview;  // that is held, to move the part in view
  std::optional<MatrixId> dragged;      // the matrix that a drag began on
  std::optional<ZoomRectangle> rectangle;
  std::uint64_t drag_gesture = 0;  // of the newest press
  Gesture gesture;                 // of wheel and arrows
  FieldInteractions fields;        // what is being typed
  std::optional<TokenHit> token;   // under the pointer, where links are of one token
  bool points_at_token = false;    // at a label of one
  TokenDrag token_drag;
  std::optional<HeadAddress> walked_to;  // a head that a key led to, to be scrolled into view
  std::string asked_field;               // probe name of the control to be opened among the options
};

// Lives for a frame.
struct PaneScope {
  Ui& ui;
  const AppState& state;
  const Pane& pane;
  const PlotEntry& plot;
  PaneView& view;
  PaneId& hovering;  // the pane that the hovered cell was pointed at in; 0: none

  const ViewOptions& options() const { return pane.view.options; }
  // Tokens as the pane's figure spells them.
  LookedAt looked_at() const {
    return {state, uses(plot, Option::TokensAsWritten) && options().tokens_as_written};
  }
  bool is_heatmap() const { return plot.name == kUsualPlot; }
  void set(std::string field, std::string text) const {
    ui.send(command::SetOption{std::move(field), std::move(text), pane.id, ui.field_gesture});
  }
};

// Probe names: "plot/tab", "plot/values", "plot/colormap", …, "plot/options", "plot/split",
// "plot/maximise", "plot/close". What finds no room is among the options.
void pane_bar(const PaneScope& scope);

// Fills the room that is left. Probe names: "plot/heatmap" (the canvas),
// "plot/heatmap/cell/ROW,COL", "plot/problem", "plot/computing".
void pane_canvas(const PaneScope& scope);

}  // namespace attn::gui
