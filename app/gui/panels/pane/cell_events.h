// What the pointer on cells means, the same in every plot: hover, pins, zoom and pan, and painting
// the mask.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// Also keeps track of the pane that the pointer is in (PaneScope::hovering).
void cell_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

// Whether keys without Ctrl or Alt mean this pane: it has the focus, and nothing covers it or takes
// them itself.
bool has_plain_keys(const PaneScope& scope);

// Arrows walk the first pin, with Shift a second one; Home and End go to the ends of its row. With
// no pin they move the part in view, and of a matrix that is seen whole pin its first cell.
// `matrix`: whose cells the plot shows; null: none.
void cell_keys(const PaneScope& scope, const MatrixItem* matrix);

// From a press with Ctrl on cells until the button goes up: what else the pointer does is not meant
// then. A rectangle of less than 4 units, or Esc, zooms to nothing; a press without a drag is a
// click, which is left to others. `matrix`: under the pointer; null: none.
bool rectangle_events(const PaneScope& scope, const Figure& figure, const MatrixItem* matrix,
                      const CanvasEvents& events);

// The rectangle that is being drawn, over `figure`; without items when there is none.
Figure drawn_rectangle(const PaneScope& scope, const Figure& figure);

}  // namespace attn::gui
