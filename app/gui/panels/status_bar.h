// Line at the bottom: shapes, simulated colour vision, time of the last computation, memory, jobs.
#pragma once

#include <string>

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// The running job; an empty label means none.
struct JobView {
  std::string label;
  float fraction = 0.0F;
  std::size_t waiting = 0;
};

// Returns whether the running job is to be cancelled.
bool status_bar(Ui& ui, const AppState& state, const JobView& job);

}  // namespace attn::gui
