// Panes with their plots: sizes, and the edges between them.
#pragma once

#include <map>
#include <string>

#include "gui/panels/pane/pane.h"

namespace attn::gui {

struct PlotsView {
  std::map<PaneId, PaneView> panes;
  PaneId hovering = 0;  // pane where the hovered cell is; 0: none
};

// Probe names begin with "plot/" in the focused pane, with "pane/ID/plot/" in others; edges are
// "pane/edge/SPLIT/INDEX".
void plots_panel(Ui& ui, const AppState& state, PlotsView& view);

}  // namespace attn::gui
