// What the pointer on cells means, the same in every plot: hover, pins, zoom and pan, and painting
// the mask.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// Also keeps track of the pane that the pointer is in (PaneScope::hovering).
void cell_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

}  // namespace attn::gui
