// What a command leads to: the next state, and what is to be done outside of it.
#pragma once

#include <vector>

#include "session/effect.h"
#include "session/state.h"

namespace attn {

struct Step {
  AppState state;
  std::vector<Effect> effects;
};

}  // namespace attn
