#include "gui/panels/rules.h"

#include <array>

namespace attn::gui {

void rules_panel(Ui& ui, const AppState& state, RulesView& view) {
  constexpr std::array<std::string_view, 3> kTabs{"Masks", "Scoring", "Positions"};
  if (const auto chosen = segmented(ui, "rules", kTabs, view.tab)) view.tab = *chosen;
  if (view.tab == 0) masks_panel(ui, state, view.masks);
  if (view.tab == 1) scoring_panel(ui, state, view.scoring);
  if (view.tab == 2) positions_panel(ui, state, view.positions);
}

}  // namespace attn::gui
