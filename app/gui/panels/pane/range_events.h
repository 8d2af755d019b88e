// Dragging the ends of a colour bar sets what the colours span.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// True while an end is held or was double-clicked: what else the pointer does is not meant then.
bool range_events(const PaneScope& scope, const CanvasEvents& events);

}  // namespace attn::gui
