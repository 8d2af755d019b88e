// Pointer and keys on cells of every plot: hover, pins, zoom, pan, mask painting, moving the pinned
// cell, and zooming to a rectangle drawn with Ctrl.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// Also updates the pane under the pointer (PaneScope::hovering).
void cell_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

// Whether keys without Ctrl or Alt apply to this pane: it has the focus, and neither a window nor a
// widget takes them.
bool has_plain_keys(const PaneScope& scope);

// The rectangle being drawn over `figure`; without items if there is none.
Figure drawn_rectangle(const PaneScope& scope, const Figure& figure);

}  // namespace attn::gui
