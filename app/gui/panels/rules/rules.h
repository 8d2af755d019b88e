// Masks, scoring, positions, and what the model as a whole has to choose behind one row of tabs
// that stays while they scroll.
#pragma once

#include "gui/panels/rules/masks.h"
#include "gui/panels/rules/positions.h"
#include "gui/panels/rules/scoring.h"

namespace attn::gui {

struct RulesView {
  std::size_t tab = 0;
  MasksView masks;
  ScoringView scoring;
  PositionsView positions;
  FieldInteractions model;  // what is being typed of the model as a whole
};

// Probe names of the tabs: "rules/Masks", "rules/Scoring", "rules/Positions", and "rules/Blocks"
// or "rules/Recurrent" where the document has them.
void rules_panel(Ui& ui, const AppState& state, RulesView& view);

}  // namespace attn::gui
