// The panes with their plots: how they share the room, and the edges between them.
#pragma once

#include <map>
#include <string>

#include "gui/panels/pane/pane.h"

namespace attn::gui {

struct PlotsView {
  std::map<PaneId, PaneView> panes;
  PaneId hovering = 0;  // the pane that the hovered cell was pointed at in; 0: none
};

// Probe names begin with "plot/" in the pane with the focus, with "pane/ID/plot/" in the others;
// edges are "pane/edge/SPLIT/INDEX".
void plots_panel(Ui& ui, const AppState& state, PlotsView& view);

}  // namespace attn::gui
