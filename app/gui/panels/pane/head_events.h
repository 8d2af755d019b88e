// What is chosen on the plot of all heads, by the pointer and by keys.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// A click opens the head in the heatmap, with Shift it is compared with the one looked at, in
// another pane. Where the pane has the focus, arrows walk to the heads beside the one looked at,
// which is scrolled into view, and Enter opens it. After the canvas, in its window.
void head_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

}  // namespace attn::gui
