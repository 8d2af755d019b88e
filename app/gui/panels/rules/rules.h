// Masks, scoring, positions, and what can be chosen of the model as a whole, behind one row of tabs
// that stays while they scroll.
#pragma once

#include "gui/panels/controls/option_rows.h"
#include "gui/panels/rules/masks.h"
#include "session/state.h"

namespace attn::gui {

// Positions of the kind as they usually are.
Position usual_position(PositionKind kind);

// Sinks belong to the softmax and leave with it.
Scoring with_normaliser(Scoring scoring, Normaliser normaliser);

struct RulesView {
  std::size_t tab = 0;
  MasksView masks;
  FieldInteractions fields;  // what is being typed in the other tabs
};

// Probe names of the tabs: "rules/Masks", "rules/Scoring", "rules/Positions", and "rules/Blocks"
// or "rules/Recurrent" where the document has them. Those of a tab begin with its name:
// "scoring/softcap/value", "positions/layout/Halves", "blocks/add", "recurrent/cell/LSTM".
void rules_panel(Ui& ui, const AppState& state, RulesView& view);

}  // namespace attn::gui
