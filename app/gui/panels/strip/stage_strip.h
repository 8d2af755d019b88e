// The pipeline of the document in one row: its stages in order of computation, and at the right end
// which layer, sample, attention and head are looked at.
#pragma once

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// One row as wide as there is room; stages that do not fit fold into groups. Probe names:
// "strip/input/X", "strip/stage/weights" (in the list of a folded group while that is open),
// "strip/group/feed-forward", "strip/head" with "Head 2" as value, "strip/head/Head 1" in its list,
// "strip/previous_head", "strip/next_head", likewise layer and sample, "strip/attention/self".
void stage_strip(Ui& ui, const AppState& state);

}  // namespace attn::gui
