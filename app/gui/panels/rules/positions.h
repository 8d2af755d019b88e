// How the model knows where a token stands.
#pragma once

#include "gui/panels/controls/option_rows.h"
#include "session/state.h"

namespace attn::gui {

struct PositionsView {
  FieldInteractions fields;
};

// Probe names begin with "positions/": "positions/kind", "positions/layout/Halves".
void positions_panel(Ui& ui, const AppState& state, PositionsView& view);

// Positions of the kind as they usually are.
Position usual_position(PositionKind kind);

}  // namespace attn::gui
