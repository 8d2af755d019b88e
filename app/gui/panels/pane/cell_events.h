// Pointer and keys on cells, in every plot: hover, pins, zoom and pan, painting the mask, walking
// the pinned cell, and zooming to a rectangle that is drawn with Ctrl held down.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// Also keeps track of the pane that the pointer is in (PaneScope::hovering).
void cell_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

// Whether keys without Ctrl or Alt mean this pane: it has the focus, and nothing covers it or takes
// them itself.
bool has_plain_keys(const PaneScope& scope);

// The rectangle that is being drawn, over `figure`; without items when there is none.
Figure drawn_rectangle(const PaneScope& scope, const Figure& figure);

}  // namespace attn::gui
