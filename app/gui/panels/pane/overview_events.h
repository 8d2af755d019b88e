// The small picture of a whole matrix: a click or a drag in it moves the part in view.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// True while it is held: what else the pointer does is not meant then.
bool overview_events(const PaneScope& scope, const CanvasEvents& events);

}  // namespace attn::gui
