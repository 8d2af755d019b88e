#include "gui/panels/rules.h"

#include <array>
#include <span>
#include <string>

namespace attn::gui {

void rules_panel(Ui& ui, const AppState& state, RulesView& view) {
  const bool recurrent = recurrent_of(state.document) != nullptr;
  const std::array<std::string_view, 4> all_tabs{"Masks", "Scoring", "Positions",
                                                 recurrent ? "Recurrent" : "Blocks"};
  const std::span tabs = std::span(all_tabs).first(recurrent || has_blocks(state.document) ? 4 : 3);
  if (view.tab >= tabs.size()) view.tab = 0;
  if (const auto chosen = segmented(ui, "rules", tabs, view.tab)) view.tab = *chosen;
  // A child for each tab: the tabs stay above what scrolls, and each keeps its place.
  ImGui::BeginChild(("rules/" + std::string(tabs[view.tab]) + "/content").c_str());
  if (view.tab == 0) masks_panel(ui, state, view.masks);
  if (view.tab == 1) scoring_panel(ui, state, view.scoring);
  if (view.tab == 2) positions_panel(ui, state, view.positions);
  if (view.tab == 3 && recurrent) recurrent_panel(ui, state, view.recurrent);
  if (view.tab == 3 && !recurrent) blocks_panel(ui, state);
  ImGui::EndChild();
}

}  // namespace attn::gui
