// Layouts under names: kept, put around other documents, forgotten, and the usual one.
#include <gtest/gtest.h>

#include <algorithm>

#include "document/open.h"
#include "session/named_layouts.h"
#include "session/preferences.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::two_heads;

// Two panes, the second with another plot and alone on the left side.
SessionDriver arranged() {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SplitPane{0, SplitDirection::Down});
  session.send(command::SelectPlot{"heads"});
  session.send(command::SetSides{Sides{.left = 222.0F, .right_folded = true}});
  return session;
}

std::vector<std::string> plots_of(const AppState& state) {
  std::vector<std::string> plots;
  for (const Pane* pane : panes_of(state.layout)) plots.push_back(pane->view.plot);
  return plots;
}

const std::vector<std::string> kArranged{"heatmap", "heads"};

TEST(NamedLayouts, AreKeptAndPutAroundAnotherDocument) {
  SessionDriver session = arranged();
  session.send(command::SaveLayout{"  Two below  "});
  ASSERT_EQ(session.state.preferences.layouts.size(), 1U);
  EXPECT_EQ(session.state.preferences.layouts[0].name, "Two below");
  EXPECT_TRUE(std::ranges::any_of(session.effects, [](const Effect& effect) {
    return std::holds_alternative<effect::StorePreferences>(effect);
  }));
  session.open(open_document("example:i-love-cats").value().document, "/tmp/other.attn.json");
  session.send(command::SetSides{Sides{}});
  ASSERT_EQ(plots_of(session.state), std::vector<std::string>{"heatmap"});
  session.send(command::ApplyLayout{"Two below"});
  EXPECT_EQ(plots_of(session.state), kArranged);
  EXPECT_EQ(focused_view(session.state).plot, "heads");
  EXPECT_EQ(session.state.preferences.sides, (Sides{.left = 222.0F, .right_folded = true}));
}

TEST(NamedLayouts, WhatADocumentHasNotFallsBack) {
  SessionDriver session = arranged();
  session.send(command::SelectHead{{0, 0, 1}});
  session.send(command::FocusPane{panes_of(session.state.layout)[0]->id});
  session.send(command::SelectStage{Stage::Scores});
  session.send(command::SaveLayout{"Scores"});
  const char* given = R"({"tokens": ["a", "b"], "attention": [[0.5, 0.5], [0.25, 0.75]]})";
  session.open(read_document(given, "given").value().document, "/tmp/given.attn.json");
  session.send(command::ApplyLayout{"Scores"});
  EXPECT_EQ(plots_of(session.state), kArranged);
  for (const Pane* pane : panes_of(session.state.layout)) {
    EXPECT_EQ(pane->view.options.at, HeadAddress{});
    EXPECT_EQ(pane->view.options.stage, Stage::Weights);
  }
}

TEST(NamedLayouts, SurviveTheFileOfPreferences) {
  SessionDriver session = arranged();
  session.send(command::SaveLayout{"我的 \"layout\""});
  const std::string text = preferences_text(session.state.preferences);
  const Preferences read = parse_preferences(text);
  ASSERT_EQ(read.layouts.size(), 1U);
  EXPECT_EQ(read.layouts[0].name, "我的 \"layout\"");
  EXPECT_EQ(panes_text(read.layouts[0].panes),
            panes_text(session.state.preferences.layouts[0].panes));
  EXPECT_EQ(read.layouts[0].sides, session.state.preferences.layouts[0].sides);
  EXPECT_EQ(preferences_text(read), text);
}

TEST(NamedLayouts, OfABrokenFileAreLeftOut) {
  const Preferences read = parse_preferences(
      R"({"layouts": [7, {"name": "x"}, {"name": "", "panes": {"view": {"plot": "heads"}}},
      {"name": "split", "panes": {"split": "right", "parts": []}},
      {"name": "good", "panes": {"view": {"plot": "heads", "what": 1}}}], "reopens": false})");
  ASSERT_EQ(read.layouts.size(), 1U);
  EXPECT_EQ(read.layouts[0].name, "good");
  EXPECT_EQ(focused_view(read.layouts[0].panes).plot, "heads");
  EXPECT_FALSE(read.reopens);
}

TEST(NamedLayouts, HaveNamesOfTheirOwnInOrder) {
  SessionDriver session = arranged();
  for (const char* name : {"b", "a", "c", "a"}) session.send(command::SaveLayout{name});
  session.send(command::SaveLayout{" \n"});
  EXPECT_EQ(session.last_notice(), "Give the layout a name first");
  session.send(command::SaveLayout{std::string(61, 'x')});
  EXPECT_EQ(session.last_notice(), "The name has more than 60 characters");
  std::string names;
  for (const NamedLayout& layout : session.state.preferences.layouts) names += layout.name;
  EXPECT_EQ(names, "abc");
  session.send(command::DeleteLayout{"b"});
  EXPECT_EQ(session.state.preferences.layouts.size(), 2U);
  session.send(command::ApplyLayout{"b"});
  EXPECT_EQ(session.last_notice(), "There is no layout named b");
}

TEST(NamedLayouts, AreOfANumberThatAFileHolds) {
  std::vector<NamedLayout> layouts;
  for (std::size_t i = 0; i < kMostLayouts; ++i) keep_layout(layouts, {std::to_string(i), {}, {}});
  EXPECT_EQ(reason_against_layout(layouts, "another"),
            "There are 50 layouts already: delete one first");
  EXPECT_EQ(reason_against_layout(layouts, "7"), "");
  keep_layout(layouts, {"another", {}, {}});
  EXPECT_EQ(layouts.size(), kMostLayouts);
}

TEST(ResetLayout, LeavesOnePaneWithWhatIsLookedAt) {
  SessionDriver session = arranged();
  session.send(command::SetOption{"colormap", "magma"});
  session.send(command::MaximisePane{true});
  session.send(command::ResetLayout{});
  EXPECT_EQ(plots_of(session.state), std::vector<std::string>{"heads"});
  EXPECT_EQ(focused_view(session.state).options.colormap, "magma");
  EXPECT_FALSE(session.state.maximised);
  EXPECT_EQ(session.state.preferences.sides, Sides{});
  EXPECT_FALSE(has_unsaved_changes(session.state));
}

}  // namespace
}  // namespace attn
