// The figure of a pane, and what the pointer means on it.
#pragma once

#include "gui/panels/pane/pane.h"

namespace attn::gui {

// Fills the room that is left. Probe names: "plot/heatmap" (the canvas),
// "plot/heatmap/cell/ROW,COL", "plot/problem", "plot/computing".
void pane_canvas(const PaneScope& scope);

}  // namespace attn::gui
