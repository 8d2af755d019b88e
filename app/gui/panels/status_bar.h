// Line at the bottom: shapes, simulated colour vision, time of the last computation, memory, jobs.
#pragma once

#include "engine/job_queue.h"
#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// Returns whether the running job is to be cancelled.
bool status_bar(Ui& ui, const AppState& state, const JobQueue::Status& job);

}  // namespace attn::gui
