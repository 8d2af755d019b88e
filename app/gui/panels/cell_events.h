// What the pointer on cells means, the same in every plot: hover, pins, zoom and pan, and painting
// the mask.
#pragma once

#include "gui/panels/plots.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

void cell_events(Ui& ui, const AppState& state, PlotsView& view, const Figure& figure,
                 const CanvasEvents& events);

}  // namespace attn::gui
