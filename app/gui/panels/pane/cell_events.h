// What the pointer on cells means, the same in every plot: hover, pins, zoom and pan, and painting
// the mask.
#pragma once

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// The matrix of the figure that has the id and cells to point at; null when there is none.
const MatrixItem* item_of(const Figure& figure, const MatrixId& id);

// Also keeps track of the pane that the pointer is in (PaneScope::hovering).
void cell_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

}  // namespace attn::gui
