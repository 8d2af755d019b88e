// Masks, scoring, positions and blocks behind one row of tabs that stays while they scroll.
#pragma once

#include "gui/panels/blocks.h"
#include "gui/panels/masks.h"
#include "gui/panels/positions.h"
#include "gui/panels/scoring.h"

namespace attn::gui {

struct RulesView {
  std::size_t tab = 0;
  MasksView masks;
  ScoringView scoring;
  PositionsView positions;
};

// Probe names of the tabs: "rules/Masks", "rules/Scoring", "rules/Positions", and "rules/Blocks"
// where there are any.
void rules_panel(Ui& ui, const AppState& state, RulesView& view);

}  // namespace attn::gui
