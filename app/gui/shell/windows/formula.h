// What attention is, in one sentence and as its formula, whose parts lead to the stages.
#pragma once

#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

// Sentence and formula beside each other, over the width of the window. Probe names:
// "start/attention", "start/formula/STAGE" for each part of the formula.
void attention_formula(Ui& ui, const AppState& state);

}  // namespace attn::gui
