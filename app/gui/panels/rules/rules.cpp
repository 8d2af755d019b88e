// The tabs of the rules.
#include "gui/panels/rules/rules.h"

#include <array>
#include <span>
#include <string>

namespace attn::gui {

void rules_panel(Ui& ui, const AppState& state, RulesView& view) {
  const bool recurrent = recurrent_of(state.document.model) != nullptr;
  const std::array<std::string_view, 4> all_tabs{"Masks", "Scoring", "Positions",
                                                 recurrent ? "Recurrent" : "Blocks"};
  const std::span kinds =
      std::span(all_tabs).first(recurrent || has_blocks(state.document) ? 4 : 3);
  if (view.tab >= kinds.size()) view.tab = 0;
  if (const auto chosen = tabs(ui, "rules", kinds, view.tab)) view.tab = *chosen;
  // A child for each tab: the tabs stay above what scrolls, and each keeps its place.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(6), ui.px(2.5F)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(7), ui.px(4)));
  ImGui::BeginChild(("rules/" + std::string(kinds[view.tab]) + "/content").c_str());
  if (view.tab == 0) masks_panel(ui, state, view.masks);
  if (view.tab == 1) scoring_panel(ui, state, view.scoring);
  if (view.tab == 2) positions_panel(ui, state, view.positions);
  if (view.tab == 3 && recurrent) recurrent_panel(ui, state, view.recurrent);
  if (view.tab == 3 && !recurrent) blocks_panel(ui, state);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
}

}  // namespace attn::gui
