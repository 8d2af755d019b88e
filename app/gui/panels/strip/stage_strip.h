// Pipeline of the document in one row: stages in order of computation, and the selected layer,
// sample, attention and head.
#pragma once

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// One row of the available width; stages that do not fit are folded into groups. Probe names:
// "strip/input/X", "strip/stage/weights" (in the list of an open group if folded),
// "strip/group/feed-forward", "strip/head" with "Head 2" as value, "strip/head/Head 1" in its list,
// "strip/previous_head", "strip/next_head", also for layer and sample, "strip/attention/self".
void stage_strip(Ui& ui, const AppState& state);

}  // namespace attn::gui
