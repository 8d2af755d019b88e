// The tabs of the rules.
#include "gui/panels/rules/rules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "gui/panels/rules/blocks.h"
#include "gui/panels/rules/recurrent.h"

namespace attn::gui {

namespace {

// What can be chosen of one kind of model as a whole.
struct ModelTab {
  std::string_view label;
  bool (*applies)(const Document&);
  void (*draw)(Ui&, const AppState&, FieldInteractions&);
};
constexpr ModelTab kModelTabs[] = {{"Blocks", has_blocks, blocks_panel},
                                   {"Recurrent", is_recurrent, recurrent_panel}};

const ModelTab* model_tab_of(const Document& document) {
  const auto* tab = std::ranges::find_if(
      kModelTabs, [&](const ModelTab& of_kind) { return of_kind.applies(document); });
  return tab == std::end(kModelTabs) ? nullptr : tab;
}

std::string explained_tab(std::size_t tab) {
  constexpr std::array<const char*, 4> kWords{
      "Which keys a query may see", "How scores are made of queries and keys",
      "What tells tokens their places", "What is chosen of the model as a whole"};
  return kWords[tab];
}

}  // namespace

void rules_panel(Ui& ui, const AppState& state, RulesView& view) {
  const ModelTab* model = model_tab_of(state.document);
  std::vector<std::string_view> kinds{"Masks", "Scoring", "Positions"};
  if (model != nullptr) kinds.push_back(model->label);
  if (view.tab >= kinds.size()) view.tab = 0;
  if (const auto chosen = tabs(ui, "rules", kinds, view.tab, explained_tab)) view.tab = *chosen;
  // A child for each tab: the tabs stay above what scrolls, and each keeps its place.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(6), ui.px(2.5F)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(7), ui.px(4)));
  ImGui::BeginChild(("rules/" + std::string(kinds[view.tab]) + "/content").c_str());
  if (view.tab == 0) masks_panel(ui, state, view.masks);
  if (view.tab == 1) scoring_panel(ui, state, view.scoring);
  if (view.tab == 2) positions_panel(ui, state, view.positions);
  if (view.tab == 3) model->draw(ui, state, view.model);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
}

}  // namespace attn::gui
