// Masks, scoring, positions and options of the model behind a fixed row of tabs.
#pragma once

#include "gui/panels/controls/option_rows.h"
#include "gui/panels/rules/masks.h"
#include "session/state.h"

namespace attn::gui {

// A position of that kind with its usual values.
Position usual_position(PositionKind kind);

// Drops the sinks if the normaliser takes none.
Scoring with_normaliser(Scoring scoring, Normaliser normaliser);

struct RulesView {
  std::size_t tab = 0;
  MasksView masks;
  FieldInteractions fields;  // states of fields in the other tabs
};

// Probe names of the tabs: "rules/Masks", "rules/Scoring", "rules/Positions", and "rules/Blocks" or
// "rules/Recurrent" where they apply. Names inside of a tab begin with its name:
// "scoring/softcap/value", "positions/layout/Halves", "blocks/add", "recurrent/cell/LSTM".
void rules_panel(Ui& ui, const AppState& state, RulesView& view);

}  // namespace attn::gui
