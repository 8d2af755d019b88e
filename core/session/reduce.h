// The one function that changes the state.
#pragma once

#include "session/step.h"

namespace attn {

// Pure: the same state and command give the same step. A command that makes no sense in the state
// (a cell that is not there, a stale result) leaves it as it is or adds a notice that says why.
Step reduce(AppState state, const Command& command);

}  // namespace attn
