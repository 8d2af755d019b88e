// Initial state and reduce(), the only function that changes it.
#pragma once

#include "session/effect.h"

namespace attn {

// State at start, before anything is opened.
AppState initial_state();

// Pure: equal states and commands give equal steps. A command that does not apply (a missing cell,
// a stale result) leaves the state unchanged or adds a notice with the reason.
Step reduce(AppState state, const Command& command);

}  // namespace attn
