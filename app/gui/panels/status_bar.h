// One line at the bottom: shapes, whose eyes are simulated, time of the last computation, memory,
// jobs.
#pragma once

#include <string>

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// What the worker is doing; an empty label means nothing.
struct JobView {
  std::string label;
  float fraction = 0.0F;
  std::size_t waiting = 0;
};

// True when the running job is to be cancelled.
bool status_bar(Ui& ui, const AppState& state, const JobView& job);

}  // namespace attn::gui
