// Histories of viewports, and safe colours.
#include <gtest/gtest.h>

#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

class PartsInView : public ::testing::Test {
 protected:
  PartsInView() {
    session.open(
        read_document(R"({"tokens": 40, "d_model": 4, "heads": 2})", "parts").value().document);
  }
  CellWindow shown() const { return focused_view(session.state).options.window; }
  void back() { session.send(command::StepPart{-1}); }
  void forward() { session.send(command::StepPart{1}); }
  std::size_t before() const { return trail_in_view(session.state).past.size(); }
  std::size_t after() const { return trail_in_view(session.state).future.size(); }

  SessionDriver session;
  const CellWindow first{1, 2, 20, 20}, second{4, 4, 8, 8};
};

TEST_F(PartsInView, BackAndForwardGoThroughWhatWasShown) {
  EXPECT_EQ(before(), 0U);
  back();
  EXPECT_EQ(shown(), CellWindow{}) << "there is nothing before it";
  session.send(command::SetWindow{first});
  session.send(command::SetWindow{second});
  session.send(command::SetWindow{});
  ASSERT_EQ(before(), 3U);
  back();
  EXPECT_EQ(shown(), second);
  back();
  EXPECT_EQ(shown(), first);
  back();
  EXPECT_EQ(shown(), CellWindow{});
  EXPECT_EQ(before(), 0U);
  forward();
  forward();
  EXPECT_EQ(shown(), second);
  EXPECT_EQ(after(), 1U);
  session.send(command::SetWindow{{9, 9, 3, 3}});
  EXPECT_EQ(after(), 0U) << "what was ahead is gone";
  back();
  EXPECT_EQ(shown(), second);
}

TEST_F(PartsInView, AGestureIsOneStep) {
  session.send(command::SetWindow{first, 7});
  session.send(command::Hover{std::nullopt});
  session.send(command::SetWindow{second, 7});
  session.send(command::SetWindow{{}, 7});
  session.send(command::SetWindow{second, 7});
  EXPECT_EQ(before(), 1U);
  session.send(command::Pan{0.5, 0.0, 8});
  session.send(command::Pan{0.5, 0.0, 8});
  session.send(command::Zoom{1.25, 8});
  EXPECT_EQ(before(), 2U);
  session.send(command::Pan{0.25, 0.0});
  session.send(command::Pan{0.25, 0.0});
  EXPECT_EQ(before(), 4U) << "steps of their own";
  session.send(command::StepPart{-3});
  EXPECT_EQ(shown(), second);
  back();
  EXPECT_EQ(shown(), CellWindow{});
}

TEST_F(PartsInView, GoingToAPlaceCountsAndStandingStillDoesNot) {
  session.send(command::SetWindow{second});
  session.send(command::SetWindow{second});
  EXPECT_EQ(before(), 1U);
  session.send(command::GoTo{std::nullopt, 30, 30});
  EXPECT_EQ(before(), 2U);
  back();
  EXPECT_EQ(shown(), second);
}

TEST_F(PartsInView, FirstTokensOfLinksAreParts) {
  session.send(command::SelectPlot{"links"});
  session.send(command::SetOption{"first_query", "5"});
  session.send(command::SetOption{"first_query", "7", 0, 3});
  session.send(command::SetOption{"first_key", "4", 0, 3});
  session.send(command::SetOption{"first_query", "9", 0, 3});
  ASSERT_EQ(before(), 2U) << "one step, and a gesture";
  const auto expect_first = [&](std::size_t query, std::size_t key) {
    EXPECT_EQ(focused_view(session.state).options.first_query, query);
    EXPECT_EQ(focused_view(session.state).options.first_key, key);
  };
  back();
  expect_first(5, 0);
  back();
  expect_first(0, 0);
  EXPECT_EQ(before(), 0U);
  session.send(command::StepPart{2});
  expect_first(9, 4);
  session.send(command::SetOption{"values", "false"});
  EXPECT_EQ(before(), 2U) << "no other part";
  session.send(command::GoTo{std::nullopt, 39, std::nullopt});
  EXPECT_EQ(before(), 2U) << "in view already";
  session.send(command::SetOption{"tokens_shown", "8"});
  session.send(command::GoTo{std::nullopt, 39, std::nullopt});
  EXPECT_EQ(before(), 3U);
  back();
  expect_first(9, 4);
}

TEST_F(PartsInView, CellsAndTokensAreNotMixed) {
  session.send(command::SetWindow{first});
  session.send(command::SelectPlot{"links"});
  EXPECT_EQ(before(), 0U) << "of cells, which links do not show";
  session.send(command::SelectPlot{"heatmap"});
  EXPECT_EQ(before(), 1U);
  session.send(command::SelectPlot{"links"});
  session.send(command::SetOption{"first_key", "3"});
  ASSERT_EQ(before(), 1U);
  back();
  EXPECT_EQ(focused_view(session.state).options.first_key, 0U);
  EXPECT_EQ(shown(), first) << "as the heatmap was left";
  session.send(command::SelectPlot{"heatmap"});
  EXPECT_EQ(before(), 0U);
}

TEST_F(PartsInView, AHundredAreKept) {
  for (int i = 0; i < 150; ++i) session.send(command::SetWindow{{i % 2 + 1.0, 1, 20, 20}});
  EXPECT_EQ(before(), kPartsKept);
  session.send(command::StepPart{-1000});
  EXPECT_EQ(before(), 0U);
  EXPECT_EQ(after(), kPartsKept);
}

TEST_F(PartsInView, AreOfOneMatrixAndOnePane) {
  session.send(command::SetWindow{first});
  session.send(command::SelectStage{Stage::Query});
  EXPECT_EQ(shown(), CellWindow{});
  EXPECT_EQ(before(), 0U) << "of queries by keys, not of queries by features";
  session.send(command::SelectStage{Stage::Weights});
  back();
  EXPECT_EQ(shown(), first);
  session.send(command::SplitPane{0, SplitDirection::Right});
  EXPECT_EQ(before(), 0U);
  const PaneId right = session.state.focus;
  session.send(command::LinkPane{right, false});
  session.send(command::SetWindow{second});
  EXPECT_EQ(before(), 1U);
  session.send(command::ClosePane{right});
  EXPECT_EQ(before(), 1U) << "that of the left pane";
  EXPECT_FALSE(session.state.memories.contains(right));
}

TEST_F(PartsInView, LinkedPanesGoBackTogether) {
  session.send(command::SplitPane{0, SplitDirection::Right});
  session.send(command::SetWindow{first});
  session.send(command::SetWindow{second});
  back();
  for (const Pane* pane : panes_of(session.state.layout)) {
    EXPECT_EQ(pane->view.options.window, first) << pane->id;
  }
  EXPECT_EQ(before(), 1U);
  EXPECT_EQ(after(), 1U);
}

TEST_F(PartsInView, DeletingTokensIsNoMove) {
  session.send(command::SetWindow{second});
  session.send(command::DeleteToken{Side::Query, 39});
  EXPECT_EQ(before(), 0U) << "the parts were of another matrix";
  session.send(command::StepEdit{-1});
  EXPECT_EQ(before(), 1U);
}

TEST_F(PartsInView, TheSafeColoursComeAndGo) {
  const auto colors = [&] { return focused_view(session.state).options.colormap; };
  session.send(command::SetOption{"colormap", "magma"});
  session.send(command::ToggleSafeColors{});
  EXPECT_EQ(colors(), "cividis");
  session.send(command::ToggleSafeColors{});
  EXPECT_EQ(colors(), "magma");
  session.send(command::SetOption{"colormap", "cividis"});
  session.send(command::ToggleSafeColors{});
  EXPECT_EQ(colors(), "auto") << "nothing is known of before";
}

}  // namespace
}  // namespace attn
