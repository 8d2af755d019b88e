// Which attention, layer, sample and head is looked at, at the right end of the strip.
#pragma once

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// Those that the plot reads and of which there are several. `brief`: without arrows and counts.
float strip_selectors_width(Ui& ui, const AppState& state, bool brief);
void strip_selectors(Ui& ui, const AppState& state, bool brief, float height_px);

}  // namespace attn::gui
