// Actions found by a few letters, and uniqueness of actions.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "document/problem.h"
#include "engine/compute.h"
#include "gui/shell/windows/overlays.h"
#include "plot/all_plots.h"
#include "session/command.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

std::vector<std::size_t> found(const std::vector<std::string>& labels, std::string_view pattern) {
  std::vector<Action> actions;
  for (const std::string& label : labels) {
    actions.push_back({.id = label, .menu = "Edit", .label = label});
  }
  return matching_actions(actions, pattern);
}

TEST(MatchingActions, NeedTheLettersInOrder) {
  const std::vector<std::size_t> first{0};
  EXPECT_EQ(found({"Causal mask"}, "csl"), first);
  EXPECT_TRUE(found({"Causal mask"}, "mc").empty());
  EXPECT_TRUE(found({"Causal mask"}, "causalx").empty());
  EXPECT_EQ(found({"Undo edit Q"}, "UNDO"), first) << "whatever their case";
}

TEST(MatchingActions, PreferBeginningsOfWordsAndRuns) {
  const std::vector<std::size_t> second_first{1, 0};
  EXPECT_EQ(found({"Become", "Causal mask"}, "cm"), second_first);
  EXPECT_EQ(found({"Show a vertical edge", "Save as…"}, "save"), second_first);
}

TEST(MatchingActions, PutTheBestFirst) {
  const AppState state = initial_state();
  const std::vector<Action> actions = all_actions(state);
  const auto matches = matching_actions(actions, "caus");
  ASSERT_FALSE(matches.empty());
  EXPECT_EQ(actions[matches[0]].id, "causal");
}

// A plot without content names the steps that give it some.
TEST(MatchingActions, FindAPlotThatHasNothingToShowByItsName) {
  AppState state = initial_state();
  state.result = *compute(make_problem(state.document));
  const std::vector<Action> actions = all_actions(state);
  const auto matches = matching_actions(actions, "positions");
  ASSERT_FALSE(matches.empty());
  EXPECT_EQ(actions[matches[0]].id, "plot/positions");
  EXPECT_TRUE(actions[matches[0]].enabled);
}

TEST(MatchingActions, PutWhatIsGreyedLast) {
  std::vector<Action> actions(2);
  actions[0] = {.id = "a", .menu = "Edit", .label = "Sinusoidal", .enabled = false};
  actions[1] = {.id = "b", .menu = "File", .label = "Open the example of sinusoidal positions"};
  EXPECT_EQ(matching_actions(actions, "sinus"), (std::vector<std::size_t>{1, 0}));
}

TEST(Actions, HaveUniqueNamesLabelsAndHelp) {
  const AppState state = initial_state();
  std::set<std::string> ids;
  for (const Action& action : all_actions(state)) {
    EXPECT_TRUE(ids.insert(action.id).second) << action.id;
    EXPECT_FALSE(action.label.empty()) << action.id;
    EXPECT_FALSE(action.help.empty()) << action.id;
    EXPECT_TRUE(action.run) << action.id;
  }
}

TEST(Actions, ShareNoShortcut) {
  const AppState state = initial_state();
  std::set<std::string> seen;
  for (const Action& action : all_actions(state)) {
    for (const Shortcut& shortcut : action.shortcuts) {
      EXPECT_TRUE(seen.insert(shortcut_text(shortcut)).second)
          << shortcut_text(shortcut) << " again for " << action.id;
    }
  }
}

TEST(Actions, AllStandInAMenuOfTheBar) {
  const AppState state = initial_state();
  for (const Action& action : all_actions(state)) {
    const std::string top = action.menu.substr(0, action.menu.find('/'));
    bool found = false;
    for (const auto& [name, help] : all_menus()) found = found || name == top;
    EXPECT_TRUE(found) << action.id << " is in " << action.menu;
  }
}

TEST(Actions, OfferEveryOptionOfEveryPlot) {
  AppState state = initial_state();
  for (const PlotEntry& plot : all_plots()) {
    std::get<Pane>(state.layout).view.plot = plot.name;
    std::set<std::string> ids;
    for (const Action& action : all_actions(state)) ids.insert(action.id);
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      // Options set by the strip, keys and menus of their own.
      constexpr std::string_view kOwn[] = {"stage",    "attention", "layer", "sample", "head",
                                           "colormap", "values",    "step",  "show",   "overview"};
      const bool own = std::ranges::find(kOwn, field.name) != std::end(kOwn);
      if (field.alias || own || !uses(plot, field.name)) continue;
      const std::string id = "option/" + std::string(field.name);
      const bool is_choice = field.kind == FieldKind::Choice;
      EXPECT_NE(ids.contains(id), is_choice) << plot.name << " " << id;
      for (const std::string_view choice : field.choices) {
        EXPECT_TRUE(ids.contains(id + "/" + std::string(choice))) << plot.name << " " << id;
      }
    }
  }
}

TEST(Actions, FindTheRangesOfColours) {
  const AppState state = initial_state();
  const std::vector<Action> actions = all_actions(state);
  const auto matches = matching_actions(actions, "range: each row");
  ASSERT_FALSE(matches.empty());
  EXPECT_EQ(actions[matches[0]].id, "option/range/rows");
}

}  // namespace
}  // namespace attn::gui
