// The one function that changes the state.
#pragma once

#include <vector>

#include "session/effect.h"
#include "session/state.h"

namespace attn {

struct Step {
  AppState state;
  std::vector<Effect> effects;
};

// Pure: the same state and command give the same step. A command that makes no sense in the state
// (a cell that is not there, a stale result) leaves it as it is or adds a notice that says why.
Step reduce(AppState state, const Command& command);

// The state at start, before anything is opened.
AppState initial_state();

}  // namespace attn
