// The first state, and the one function that makes the next one.
#pragma once

#include "session/effect.h"

namespace attn {

// The state at start, before anything is opened.
AppState initial_state();

// Pure: the same state and command give the same step. A command that makes no sense in the state
// (a cell that is not there, a stale result) leaves it as it is or adds a notice that says why.
Step reduce(AppState state, const Command& command);

}  // namespace attn
