// What can be chosen of a recurrent encoder–decoder: cells, directions, which state asks.
#pragma once

#include "gui/panels/controls/option_rows.h"
#include "session/state.h"

namespace attn::gui {

bool is_recurrent(const Document& document);

// Probe names begin with "recurrent/": "recurrent/cell/LSTM", "recurrent/asks",
// "recurrent/bidirectional", "recurrent/hidden/value", "recurrent/outputs".
// Precondition: is_recurrent.
void recurrent_panel(Ui& ui, const AppState& state, FieldInteractions& fields);

}  // namespace attn::gui
