// What can be chosen of a recurrent encoder–decoder: cells, directions, which state asks.
#pragma once

#include "gui/panels/pane/option_rows.h"
#include "session/state.h"

namespace attn::gui {

struct RecurrentView {
  FieldInteractions fields;  // what is being typed
};

// Probe names begin with "recurrent/": "recurrent/cell/LSTM", "recurrent/asks",
// "recurrent/bidirectional", "recurrent/hidden/value", "recurrent/outputs".
// Precondition: recurrent_of(state.document.model).
void recurrent_panel(Ui& ui, const AppState& state, RecurrentView& view);

}  // namespace attn::gui
