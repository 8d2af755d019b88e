// The pipeline of the document in one row: its stages in order of computation, and at the right end
// which layer, sample, attention and head are looked at.
#pragma once

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// Those that the plot reads and of which there are several. `brief`: without arrows and counts.
float strip_selectors_width(Ui& ui, const AppState& state, bool brief);
void strip_selectors(Ui& ui, const AppState& state, bool brief, float height_px);

float stage_strip_height(const Ui& ui);  // pixels

// One row as wide as there is room; stages that do not fit fold into groups. Probe names:
// "strip/input/X", "strip/stage/weights" (in the list of a folded group while that is open),
// "strip/group/feed-forward", "strip/head" with "Head 2" as value, "strip/head/Head 1" in its list,
// "strip/previous_head", "strip/next_head", likewise layer and sample, "strip/attention/self".
void stage_strip(Ui& ui, const AppState& state);

}  // namespace attn::gui
