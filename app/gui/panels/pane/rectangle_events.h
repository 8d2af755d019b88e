// Zooming to the cells of a rectangle that is drawn with Ctrl held down.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// From a press with Ctrl on cells until the button goes up: what else the pointer does is not meant
// then. A rectangle of less than 4 units, or Esc, zooms to nothing; a press without a drag is a
// click, which is left to others. `matrix`: under the pointer; null: none.
bool rectangle_events(const PaneScope& scope, const Figure& figure, const MatrixItem* matrix,
                      const CanvasEvents& events);

// The rectangle that is being drawn, over `figure`; without items when there is none.
Figure drawn_rectangle(const PaneScope& scope, const Figure& figure);

}  // namespace attn::gui
