// Rows above and below the panels: tabs of the open documents, and the status bar.
#pragma once

#include "engine/job_queue.h"
#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// Title being edited in place.
struct DocumentTabView {
  bool renaming = false;
  bool appeared = false;
  FieldInteraction title;
  std::size_t first_tab = 0;  // shown, when not all fit
};

// A tab per document and "+" for a new one, on one line of `width_px`; when they do not fit, those
// around the selected one and a list of all. A middle click or the cross closes a tab. Probe names:
// "tabs/INDEX" (value "on" for the selected one), "tabs/INDEX/close", "tabs/list",
// "tabs/list/INDEX", "tabs/new".
void tab_row(Ui& ui, const AppState& state, DocumentTabView& view, float width_px);

// Shows shapes, simulated colour vision, time of the last computation, memory and jobs. Returns
// whether the running job is to be cancelled.
bool status_bar(Ui& ui, const AppState& state, const JobQueue::Status& job);

}  // namespace attn::gui
