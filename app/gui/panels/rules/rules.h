// Masks, scoring, positions, and blocks or recurrent cells behind one row of tabs that stays while
// they scroll.
#pragma once

#include "gui/panels/rules/blocks.h"
#include "gui/panels/rules/masks.h"
#include "gui/panels/rules/positions.h"
#include "gui/panels/rules/recurrent.h"
#include "gui/panels/rules/scoring.h"

namespace attn::gui {

struct RulesView {
  std::size_t tab = 0;
  MasksView masks;
  ScoringView scoring;
  PositionsView positions;
  RecurrentView recurrent;
};

// Probe names of the tabs: "rules/Masks", "rules/Scoring", "rules/Positions", and "rules/Blocks"
// or "rules/Recurrent" where the document has them.
void rules_panel(Ui& ui, const AppState& state, RulesView& view);

}  // namespace attn::gui
